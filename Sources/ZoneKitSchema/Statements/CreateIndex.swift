/// An index of a table.
package struct CreateIndex: Equatable, Sendable {
  /// How an index finds its rows. The raw value is how it is written.
  package enum Method: String, Equatable, Sendable, CaseIterable {
    case btree
    case gin
    case hash
    case gist
    case spgist
    case brin
  }

  /// What an index is sorted by.
  package struct Part: Equatable, Sendable {
    /// A column, or a value that is computed.
    package var value: SQLExpression
    /// Whether the greatest comes first; nil where no direction is written.
    package var isDescending: Bool?
    /// Whether nulls come first; nil where that is not written.
    package var nullsFirst: Bool?

    /// A part with that value.
    package init(_ value: SQLExpression, isDescending: Bool? = nil, nullsFirst: Bool? = nil) {
      self.value = value
      self.isDescending = isDescending
      self.nullsFirst = nullsFirst
    }
  }

  /// The index's name; nil where none is written.
  package var name: String?
  /// The table.
  package var table: SQLName
  /// How it finds rows.
  package var method: Method
  /// What it is sorted by; one or more.
  package var parts: [Part]
  /// The rows that it is for; nil for all.
  package var condition: SQLExpression?
  /// Whether no two rows may be the same in it.
  package var isUnique: Bool
  /// Whether it may exist already.
  package var ifNotExists: Bool

  /// An index of that table.
  package init(
    _ name: String?, on table: SQLName, _ method: Method = .btree, _ parts: [Part],
    where condition: SQLExpression? = nil,
    isUnique: Bool = false, ifNotExists: Bool = false
  ) {
    self.name = name
    self.table = table
    self.method = method
    self.parts = parts
    self.condition = condition
    self.isUnique = isUnique
    self.ifNotExists = ifNotExists
  }
}
