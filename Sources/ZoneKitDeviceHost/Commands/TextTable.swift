import ZoneKitRecords

/// A table as lines of text with a header and aligned columns. A column without values is left out.
package struct TextTable {
  /// The lines. Columns are two spaces apart, and lines do not end with spaces.
  package let lines: [String]

  /// A table of rows that have a cell for each column of the header; no lines if there are no rows.
  package init(header: [String], rows: [[String]]) {
    let columns = header.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    let cells = ([header] + rows).map { row in columns.map { row[$0] } }
    let widths = columns.indices.map { column in cells.map(\.[column].count).max() ?? 0 }
    lines = rows.isEmpty ? [] : cells.map { Self.line($0, widths: widths) }
  }

  private static func line(_ row: [String], widths: [Int]) -> String {
    let padded = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
    var line = padded.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension WallTime {
  /// Date, hour and minute in a time zone: `2026-08-14 06:31`.
  package func minuteText(in zone: TimeZoneRules) -> String {
    let text = zone.local(self).iso8601Seconds
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
  }
}
