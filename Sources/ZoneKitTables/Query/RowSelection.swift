import ZoneKitRecords

/// The columns that an answer has.
package enum RowSelection: Hashable, Sendable {
  /// All columns of the table, in its order.
  case all
  /// These columns.
  case columns([Column])

  /// A column of an answer.
  package struct Column: Hashable, Sendable {
    /// The column's name.
    package var name: Name
    /// The name in the answer; nil for the column's.
    package var alias: String?
    /// Whether the value is answered as a text.
    package var isText: Bool

    /// A column under that name.
    package init(_ name: Name, alias: String? = nil, isText: Bool = false) {
      self.name = name
      self.alias = alias
      self.isText = isText
    }
  }

  /// By how much an answer with these columns may be larger than one with those of the table: a column can be answered
  /// several times under other names. At least 1.
  package func growth(of table: Table) -> Int {
    guard case .columns(let columns) = self else { return 1 }
    let most = Dictionary(columns.map { ($0.name, 1) }, uniquingKeysWith: +).values.max() ?? 1
    let names = columns.reduce(0) { $0 + ($1.alias ?? $1.name.text).utf8.count }
    let usual = table.columns.reduce(1) { $0 + $1.name.text.utf8.count }
    return max(most, (names + usual - 1) / usual, 1)
  }

  /// The columns in the answer's order.
  package func columns(of table: Table) -> [Column] {
    switch self {
    case .all: table.columns.map { Column($0.name) }
    case .columns(let columns): columns
    }
  }
}
