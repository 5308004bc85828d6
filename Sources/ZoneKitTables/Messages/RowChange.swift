import ZoneKitRecords

/// A change of a row, for those who watch the table.
package struct RowChange: Hashable, Sendable {
  /// What happened to the row.
  package enum Kind: Hashable, Sendable {
    case insert
    case update
    case delete
  }

  /// The row's table.
  package var table: Name
  /// The row's key.
  package var key: RowKey
  /// The row before; nil if there was none.
  package var old: Row?
  /// The row after; nil if it was removed.
  package var new: Row?
  /// The stamp of the change.
  package var stamp: WallTime

  /// A change from `old` to `new`.
  package init(table: Name, key: RowKey, old: Row?, new: Row?, stamp: WallTime) {
    self.table = table
    self.key = key
    self.old = old
    self.new = new
    self.stamp = stamp
  }

  /// The device that wrote the row, as its column of authors names it; nil if it names none.
  package func author(in table: Table) -> String? {
    (new ?? old)?[.changedBy, table].text.flatMap { RowRevision($0) }?.deviceID
  }

  /// What happened to the row.
  package var kind: Kind { new == nil ? .delete : old == nil ? .insert : .update }
}
