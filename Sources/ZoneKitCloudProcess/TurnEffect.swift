import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// What the commit of a turn led to, for `CloudProcess.perform`.
package enum TurnEffect: Equatable, Sendable {
  /// An effect of the zones.
  case zones(CloudEffect)
  /// The answer to a request to the accounts.
  case account(Ticket, AccountResponse)
}
