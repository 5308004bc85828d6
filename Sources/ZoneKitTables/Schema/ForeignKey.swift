import ZoneKitRecords

/// A reference from a column to the key of a table.
package struct ForeignKey: Hashable, Sendable {
  /// The table that holds the row referred to. Its key has one column.
  package var table: Name
  /// Whether the row referred to owns the referring one: deleting it deletes both.
  package var isOwner: Bool

  /// A reference to a row of that table.
  package init(_ table: Name, isOwner: Bool) {
    self.table = table
    self.isOwner = isOwner
  }

  /// A reference to a row of that table, which cannot be removed while it is referred to.
  package static func to(_ table: Name) -> ForeignKey { ForeignKey(table, isOwner: false) }

  /// A reference to the owner row in that table.
  package static func owner(_ table: Name) -> ForeignKey { ForeignKey(table, isOwner: true) }
}
