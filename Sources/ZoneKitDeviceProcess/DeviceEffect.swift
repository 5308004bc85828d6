import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// An instruction of a device's process to its driver, or something that the process tells it.
package enum DeviceEffect {
  // MARK: Requests and the channel

  /// Send that request to the cloud, and pass the answer on as `DeviceMessage.answer`.
  case send(ReadAhead.Exchange)
  /// The coordinator waits no longer for the request that is under way. Nothing else can be sent before its answer.
  case requestAbandoned
  /// Send that request for rows with that access token.
  case askRows(TableLink.AskID, RowRequest, RowDemands, token: String)
  /// Send that request for rows of a user's own schema with that access token.
  case askRelations(TableLink.AskID, RelationRequest, token: String)
  /// Call that function with that argument and that access token.
  case askFunction(TableLink.AskID, String, JSON, token: String)
  /// Send that request to the accounts, with that access token if there is one.
  case askAccount(TableLink.AskID, AccountRequest, token: String?)
  /// Carry that transfer of a photo out with that access token.
  case askObject(TableLink.AskID, PhotoTransfer, token: String)
  /// Open the channel's socket.
  case openSocket
  /// Send that message on the channel's socket.
  case sendFrame(ChannelFrame)
  /// Close the channel's socket with that code. No event of it is passed on any more.
  case closeSocket(code: UInt16)

  /// Connect to the push service with that token, and report it to `DeviceProcess.pushWelcomed` or `pushEnded`.
  case connectPush(token: String)
  /// Close the connection to the push service, for that reason. Nothing of it is reported any more.
  case closePush(reason: String)

  // MARK: The store and the files

  /// Pass that edit to `DeviceProcess.edit`.
  case edit(DeviceEdit)
  /// Pass that session to `DeviceProcess.signIn(_:)`.
  case signedIn(StoredSession)
  /// Copy the store and its photos, and report it to `DeviceProcess.backedUp` or `backupFailed`.
  case backUp
  /// Keep the photos of the backup at that path on the device, and write those files, and report it to
  /// `DeviceProcess.rollbackPrepared` or `rollbackFailed`.
  case prepareRollback(backup: String, files: [String: [UInt8]])
  /// Write those bytes as the file of a photo, and report it to `DeviceProcess.photosKept`.
  case keepPhoto(PhotoName, [UInt8])
  /// Remove the files of all photos but those, which are needed.
  case removePhotos(but: Set<PhotoName>)

  // MARK: The operating system

  /// Start the app's process: call `DeviceProcess.open` and `start`.
  case launch
  /// The app was resumed. Pass those messages to `DeviceProcess.receive`, in order.
  case resumed([DeviceMessage])

  // MARK: What the process tells

  /// The operating system did that.
  case life(DeviceLife.Effect)
  /// That happened about background refreshes.
  case backgroundRefresh(BackgroundRefresh.Effect)
  /// The coordinator was launched.
  case launched
  /// The coordinator could not be launched, and the process is of no use.
  case notLaunched(StoreError)
  /// The app asks the coordinator for a sync with the next step, if it runs.
  case wantsSync(SyncReason)
  /// The coordinator makes that request.
  case asks(RequestID, CloudRequest)
  /// The coordinator receives that answer with the next step.
  case receives(RequestID, Result<CloudResponse, CloudError>)
  /// The coordinator receives that push with the next step.
  case receivesPush(PushNotification, PushHint?)
  /// The cloud changed those records. The app shows them anew.
  case remoteChange([RecordID])
  /// The coordinator reports a fact.
  case fact(DeviceFact)
  /// The channel reports a fact.
  case channelFact(ChannelFact)
  /// The queue of photos reports a fact.
  case photoFact(PhotoFact)
  /// The device has stored that change of another device.
  case notice(ChangeNotice)
  /// The account of that session is signed in.
  case hasSignedIn(StoredSession)
  /// The migration says that to the user.
  case migrationTold(String)
  /// A run of the migration is over. The code is that of the command.
  case migrationEnded(exitCode: Int32)
  /// The comparison that the user asked for is over.
  case compared(Result<MigrationCheck, AppRefusal>)
  /// The rollback is over, with the lines for the user.
  case rolledBack(Result<[String], AppRefusal>)
  /// The sign-in or sign-up failed. Nothing has changed.
  case signInFailed(SessionError)
  /// The session is over for that reason. Data and edits stay.
  case sessionLost(reason: String)
  /// The store failed in something that the process did by itself.
  case storeFailed(StoreError)
  /// The effects of the coordinator are carried out.
  case settled
  /// The effects of the link are carried out.
  case linkSettled
}

/// An edit that a device's process makes by itself.
package struct DeviceEdit {
  /// What it is for.
  package enum Cause: Equatable, Sendable {
    /// The session has other tokens.
    case session
    /// The session is over for that reason.
    case sessionLost(reason: String)
    /// The state of the migration.
    case migration
    /// The app's rules repair what a merge left, or what was in the store at the launch.
    case repair
    /// The photo of a record was uploaded to that path.
    case photoNamed(RecordID, path: String)
    /// The service refused the photo of a record.
    case photoSetAside(RecordID, QueuedPhoto)
    /// Queued photos of records that do not exist are forgotten.
    case photoOrphans
  }

  /// What it is for.
  package let cause: Cause
  /// The records.
  package var edits: [RecordEdit] = []
  /// The app's own values.
  package var values: [AppValueChange] = []
}
