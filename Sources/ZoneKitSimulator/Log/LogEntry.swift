import ZoneKitCloud
import ZoneKitPush
import ZoneKitRecords
import ZoneKitSync

/// One thing that happened on a device, and the device's state right behind it. A world's log is a list of these.
package struct LogEntry: Sendable {
  /// What happened.
  package var event: LogEvent
  /// The device.
  package var device: DeviceSnapshot
  /// When, by the device's clocks.
  package var at: Moment

  /// That event on a device in that state.
  package init(_ event: LogEvent, on device: DeviceSnapshot, at moment: Moment) {
    self.event = event
    self.device = device
    at = moment
  }

  /// The time since the beginning.
  var now: MonotonicTime { at.monotonic }
}

/// What happens on a device.
package enum LogEvent: Sendable {
  // MARK: Life

  /// A process is about to start. What the one before it held in memory is gone.
  case processStarting
  /// The process has started, and its app shows what the store holds.
  case processStarted
  /// An event and all that it led to are over.
  case settled

  // MARK: What the coordinator does

  /// The coordinator reports a fact.
  case fact(DeviceFact)
  /// A request leaves the device; `isAlone` says whether it is the one request that the coordinator awaits.
  case request(RequestID, CloudRequest, isAlone: Bool)
  /// The coordinator takes an answer in.
  case answer(RequestID, Result<CloudResponse, CloudError>)
  /// The app is notified that those records changed.
  case recordsShown([RecordID])
  /// The app reads all its records again.
  case everythingShown

  // MARK: What happens to the device

  /// The user wants the device to look at the feeds.
  case syncWanted
  /// A push was handed to a device whose disk works; so many were counted before.
  case pushHanded(PushNotification, countBefore: Int64)
  /// The store failed while somebody waited for it.
  case storeFailed
  /// The device has a disk that was another one's, or its own from before, or an empty one.
  case diskReplaced
  /// A scripted reset begins: the feeds may be read from further back.
  case resetting
  /// The device's wall clock was set.
  case clockSet
  /// Somebody signed in, or nobody.
  case accountSet

  // MARK: Edits

  /// The app wrote what those edits say.
  case wrote([RecordEdit])
  /// Edits changed those records. `trueTime` is the cloud's time.
  case edited([EditedRecord], trueTime: WallTime)
  /// The app's own rules changed those records.
  case repaired([EditedRecord])
}

/// A record that an edit changed.
package struct EditedRecord: Hashable, Sendable {
  /// The record.
  package var id: RecordID
  /// What the user saw before the edit; nil where there was no record.
  package var before: RecordContent?
  /// What the device holds behind the edit; nil where there is no record.
  package var after: RecordContent?
  /// Whether the cloud was known to hold the record before the edit.
  package var wasConfirmed = false

  /// That change of that record.
  package init(_ id: RecordID, from before: RecordContent?, to after: RecordContent?, wasConfirmed: Bool = false) {
    self.id = id
    self.before = before
    self.after = after
    self.wasConfirmed = wasConfirmed
  }
}
