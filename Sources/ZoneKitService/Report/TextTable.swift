import ZoneKitDeviceHost

/// Rows of text with their columns aligned.
package struct TextTable {
  /// The width below which a column is not narrowed.
  private static let narrowest = 8
  private let rows: [[String]]

  /// A table of those rows; rows may have different lengths.
  package init(_ rows: [[String]]) { self.rows = rows }

  /// The rows as lines. Columns are two spaces apart, and lines do not end with spaces. If the lines would be longer than
  /// `columns`, the widest columns are narrowed, and their cells go on in further lines.
  package func text(within columns: Int? = nil) -> String {
    let count = rows.map(\.count).max() ?? 0
    let natural = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    let widths = columns.map { Self.narrowed(natural, to: $0) } ?? natural
    return rows.flatMap { Self.lines($0, widths: widths) }.joined(separator: "\n")
  }

  /// The widths of columns that fit into lines of that length, as far as they can.
  private static func narrowed(_ natural: [Int], to limit: Int) -> [Int] {
    var widths = natural
    var excess = widths.reduce(0, +) + 2 * max(0, widths.count - 1) - limit
    while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > narrowest {
      let next = widths.enumerated().filter { $0.offset != widest }.map(\.element).max() ?? 0
      let step = min(excess, max(1, widths[widest] - max(next, narrowest)))
      widths[widest] -= step
      excess -= step
    }
    return widths
  }

  private static func lines(_ row: [String], widths: [Int]) -> [String] {
    let cells = zip(row, widths).map { $0.wrapped(within: $1, indentation: 0) }
    return (0..<(cells.map(\.count).max() ?? 0)).map { index in
      var line = ""
      for (column, cell) in cells.enumerated() {
        let part = index < cell.count ? cell[index] : ""
        line += part
        if column < cells.count - 1 { line += String(repeating: " ", count: widths[column] - part.count + 2) }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
