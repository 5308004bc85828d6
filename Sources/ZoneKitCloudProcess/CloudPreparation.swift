import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// What the driver does before a message goes on.
package enum CloudPreparation: Equatable, Sendable {
  /// Write the bytes of the upload to that place. Then call `stored` with the ticket.
  case store(Ticket, ObjectTurn.Place)
  /// Verify the request to the accounts with its password or its tokens, whose times are judged at that time. Then call
  /// `verified` with the ticket.
  case verify(Ticket, AccountRequest, at: WallTime)
}
