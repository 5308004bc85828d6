import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// What arrives at an app from outside: answers to requests that the driver sent, events of the channel's socket and of
/// the connection to the push service, and changes of the device's link.
///
/// A suspended app gets it when it resumes, and an ended one does not get it.
package enum DeviceMessage {
  /// The answer to a request of `DeviceEffect.send`.
  case answer(ReadAhead.Exchange, Result<CloudResponse, CloudError>)
  /// The outcome of a request for rows.
  case rows(TableLink.AskID, RowOutcome)
  /// The outcome of a request for rows of a user's own schema.
  case relations(TableLink.AskID, RelationOutcome)
  /// The outcome of the call of a function.
  case function(TableLink.AskID, FunctionOutcome)
  /// The outcome of a request to the accounts.
  case account(TableLink.AskID, AccountOutcome)
  /// The outcome of a transfer of a photo, with the bytes that came with it.
  case object(TableLink.AskID, ObjectOutcome, bytes: [UInt8])
  /// The channel's socket is open.
  case socketOpened
  /// The channel's socket could not be opened, or is gone.
  case socketClosed
  /// A message of the channel.
  case frame(ChannelFrame)
  /// The push service accepted the device's token. It may have dropped earlier notifications.
  case pushConnected
  /// The push service refused the device's token because it is not valid, or because another device has it.
  case pushTokenRefused(isTaken: Bool)
  /// The device lost its link or got it back.
  case linkChanged(isOnline: Bool)
}
