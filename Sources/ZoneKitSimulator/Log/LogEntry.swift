import ZoneKitCloud
import ZoneKitPush
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// An event on a device, and the device's state right after it. The log of a simulation is a list of entries.
package struct LogEntry: Sendable {
  /// The event.
  package var event: LogEvent
  /// The state of the device.
  package var device: DeviceSnapshot
  /// The time of the event, by the device's clocks.
  package var at: Moment

  /// An entry for that event.
  package init(_ event: LogEvent, on device: DeviceSnapshot, at moment: Moment) {
    self.event = event
    self.device = device
    at = moment
  }

  /// The virtual time since the start.
  var now: MonotonicTime { at.monotonic }
}

/// An event on a device.
package enum LogEvent: Sendable {
  // MARK: Life

  /// A process is about to start. The memory of the previous one is lost.
  case processStarting
  /// A process has started, and its app shows the content of the store.
  case processStarted
  /// The app was suspended.
  case suspended
  /// An event and all of its consequences have been handled.
  case settled

  // MARK: What the coordinator does

  /// The coordinator reported a fact.
  case fact(DeviceFact)
  /// The device sent a request. `isAlone` tells whether it is the only one for whose answer the coordinator waits.
  case request(RequestID, CloudRequest, isAlone: Bool)
  /// That request left the device, which may be before the coordinator makes it.
  case sent(CloudRequest)
  /// The coordinator received an answer.
  case answer(RequestID, Result<CloudResponse, CloudError>)
  /// The app was notified that those records changed.
  case recordsShown([RecordID])
  /// The app read all its records again.
  case everythingShown

  // MARK: Messages of an app with tables

  /// The device sent a request to the tables of the cloud, with that number.
  case asked(UInt64, World.TableVisit.Ask)
  /// The answer to the request of that number arrived, or the device learned that none comes.
  case answered(UInt64, World.TableAnswer)
  /// The device opens a realtime socket. `isSecond` tells whether its former one is still open.
  case socketOpened(isSecond: Bool)
  /// A message of its realtime socket arrived.
  case frame(ChannelFrame)
  /// The device shows its channel in that state.
  case channelShown(String)

  // MARK: What happens to the device

  /// The user requested a sync.
  case syncWanted
  /// A push was passed to a device whose disk works, with the hint of a channel. `countBefore` is the number of pushes
  /// that the device had counted before.
  case pushHanded(PushNotification, hint: PushHint? = nil, countBefore: Int64)
  /// The store failed in an operation of the app or a user.
  case storeFailed
  /// The device's disk was replaced by another device's, an older one, or an empty one.
  case diskReplaced
  /// A scripted reset begins. After it the feeds may be read from earlier positions.
  case resetting
  /// The device's wall clock was set.
  case clockSet
  /// An account signed in or out, or the disk failed meanwhile.
  case accountSet
  /// A purge removed those rows from the cloud for good.
  case rowsPurged([RecordID])

  // MARK: Edits

  /// The app wrote those edits.
  case wrote([RecordEdit])
  /// Edits changed those records. `trueTime` is the time of the cloud's clock.
  case edited([EditedRecord], trueTime: WallTime)
  /// The app's rules changed those records.
  case repaired([EditedRecord])
  /// The user gave a row that photo, or took the row's photo away if nil.
  case photoGiven(PhotoName?, RecordID)
  /// The device named the queued photo in its row, or stored why the service refused it.
  case photoSettled(RecordID)
}

/// A change of a record by an edit.
package struct EditedRecord: Hashable, Sendable {
  /// The ID of the record.
  package var id: RecordID
  /// The user's version before the edit; nil if there was none.
  package var before: RecordContent?
  /// The device's version after the edit; nil if there is none.
  package var after: RecordContent?
  /// Whether the cloud was known to have the record before the edit.
  package var wasConfirmed = false

  /// A change of that record.
  package init(_ id: RecordID, from before: RecordContent?, to after: RecordContent?, wasConfirmed: Bool = false) {
    self.id = id
    self.before = before
    self.after = after
    self.wasConfirmed = wasConfirmed
  }
}
