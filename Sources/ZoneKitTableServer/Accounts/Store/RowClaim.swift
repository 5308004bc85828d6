import ZoneKitRecords

/// The name of a row among those of all accounts.
package struct RowName: Hashable, Sendable {
  /// The table.
  package var table: Name
  /// The key, in its canonical text.
  package var key: Name

  /// The row of that key in that table.
  package init(table: Name, key: Name) {
    self.table = table
    self.key = key
  }
}

/// Says which account a row belongs to, so that no other account makes a row of the same key.
package struct RowClaim: Hashable, Sendable {
  /// The row.
  package var row: RowName
  /// The account.
  package var account: UUID

  /// The claim of an account to a row.
  package init(_ row: RowName, by account: UUID) {
    self.row = row
    self.account = account
  }
}
