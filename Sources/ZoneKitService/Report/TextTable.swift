/// Rows of text with their columns aligned.
package struct TextTable {
  private let rows: [[String]]

  /// A table of those rows; rows may have different lengths.
  package init(_ rows: [[String]]) { self.rows = rows }

  /// The rows as lines. Columns are two spaces apart, and lines do not end with spaces.
  package var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { Self.line($0, widths: widths) }.joined(separator: "\n")
  }

  private static func line(_ row: [String], widths: [Int]) -> String {
    var line = ""
    for (column, cell) in row.enumerated() {
      line += cell
      if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
