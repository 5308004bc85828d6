public import ZoneKitRecords

/// The columns that an answer has.
public enum RowSelection: Hashable, Sendable {
  /// All columns of the table, in its order.
  case all
  /// These columns.
  case columns([Column])

  /// A column of an answer.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public var name: Name
    /// The name in the answer; nil for the column's.
    public var alias: String?
    /// Whether the value is answered as a text.
    public var isText: Bool

    /// A column under that name.
    public init(_ name: Name, alias: String? = nil, isText: Bool = false) {
      self.name = name
      self.alias = alias
      self.isText = isText
    }
  }

  /// The columns in the answer's order.
  package func columns(of table: Table) -> [Column] {
    switch self {
    case .all: table.columns.map { Column($0.name) }
    case .columns(let columns): columns
    }
  }
}
