import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// The changes of an account's rows in tables that make events.
package struct AccountChanges: Hashable, Sendable {
  /// The account.
  package var account: UUID
  /// The changes, in the order of their stamps.
  package var changes: [RowChange]

  /// Those changes of an account's rows.
  package init(account: UUID, changes: [RowChange]) {
    self.account = account
    self.changes = changes
  }
}
