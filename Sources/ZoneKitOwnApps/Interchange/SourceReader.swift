import ZoneKitDeviceHost
import ZoneKitRecords

/// Takes values from the rows of a foreign file, as a mapping says.
struct SourceReader {
  let mapping: ImportMapping
  /// The time zone of times without one.
  let zone: TimeZoneRules

  /// Why a value cannot be taken, and from which cell.
  struct Failure: Error {
    var offset: Int
    var message: String
  }

  /// The text of a field in a row, with its place; nil if the row has none.
  func cell(_ rule: ImportMapping.FieldRule, in row: SourceTable.Row) -> SourceTable.Cell? {
    var cell: SourceTable.Cell
    switch rule.source {
    case .value(let text): cell = SourceTable.Cell(text: text, offset: row.offset)
    case .columns(let columns):
      let cells = columns.compactMap { row.cells[$0] }.filter { !mapping.nothing.contains($0.text) }
      guard let first = cells.first, cells.count == columns.count else { return nil }
      cell = first
      cell.text = cells.map(\.text).joined(separator: " ")
    }
    if let part = rule.part {
      let words = cell.text.split(separator: " ", maxSplits: part, omittingEmptySubsequences: true)
      guard words.count >= part else { return nil }
      cell.text = String(words[part - 1])
    }
    cell.text = rule.words[cell.text] ?? cell.text
    return mapping.nothing.contains(cell.text) ? nil : cell
  }

  /// The text as a whole number, with the decimals of the rule as its smallest unit.
  func integer(_ cell: SourceTable.Cell, _ rule: ImportMapping.FieldRule) throws(Failure) -> Int64 {
    let parts = try plain(cell, rule).split(separator: ".").map(String.init)
    var decimals = parts.count == 2 ? parts[1] : ""
    while decimals.count > rule.decimals, decimals.last == "0" { decimals.removeLast() }
    guard decimals.count <= rule.decimals else {
      let most = rule.decimals == 0 ? "a whole number" : "at most \(rule.decimals.counted("decimal"))"
      throw Failure(offset: cell.offset, message: "\(rule.name) is \"\(cell.text)\"; expected \(most)")
    }
    let digits = parts[0] + decimals + String(repeating: "0", count: rule.decimals - decimals.count)
    guard let number = Int64(digits) else {
      throw Failure(offset: cell.offset, message: "\(rule.name) is \"\(cell.text)\", which is beyond 64 bits")
    }
    return number
  }

  /// The text as a number.
  func number(_ cell: SourceTable.Cell, _ rule: ImportMapping.FieldRule) throws(Failure) -> Double {
    let plain = try plain(cell, rule)
    guard let number = Double(plain), number.isFinite else {
      throw Failure(
        offset: cell.offset, message: "\(rule.name) is \"\(cell.text)\", which is beyond the range of numbers")
    }
    return number == 0 ? 0 : number
  }

  /// The text as a number with a point and without marks between thousands.
  func plain(_ cell: SourceTable.Cell, _ rule: ImportMapping.FieldRule) throws(Failure) -> String {
    let style = cell.isNumber ? NumberStyle() : mapping.numbers
    guard let plain = style.plain(cell.text) else {
      throw Failure(
        offset: cell.offset, message: "\(rule.name) is \"\(cell.text)\"; expected a number such as \(style.example)")
    }
    return plain
  }

  /// The text as a time in the pattern of the rule or of the file, otherwise in ISO 8601.
  func time(_ cell: SourceTable.Cell, _ rule: ImportMapping.FieldRule) throws(Failure) -> WallTime {
    if rule.dates ?? mapping.dates != nil { return zone.time(ofLocal: try local(cell, rule)) }
    guard let word = try? TimeWord(parsing: cell.text.replacing(" ", with: "T")) else { return try notISO(cell, rule) }
    switch word {
    case .absolute, .local: return word.resolved(now: WallTime(milliseconds: 0), in: zone)
    case .now, .today, .ago: return try notISO(cell, rule)
    }
  }

  /// The local time of a text in the pattern of the rule or of the file, one of which there is.
  func local(_ cell: SourceTable.Cell, _ rule: ImportMapping.FieldRule) throws(Failure) -> WallTime {
    let pattern = rule.dates ?? mapping.dates
    guard let local = pattern?.time(cell.text) else {
      let expected = pattern.map { "\($0.text), such as \($0.example)" } ?? "a pattern"
      throw Failure(offset: cell.offset, message: "\(rule.name) is \"\(cell.text)\"; expected \(expected)")
    }
    return local
  }

  private func notISO(_ cell: SourceTable.Cell, _ rule: ImportMapping.FieldRule) throws(Failure) -> WallTime {
    throw Failure(
      offset: cell.offset,
      message: "\(rule.name) is \"\(cell.text)\"; expected a time such as 2026-11-21T06:06:01Z, or name its pattern "
        + "with \"dates\" in the mapping")
  }

  /// The value of a record's field; nil if the row has none.
  func value(_ rule: ImportMapping.FieldRule, in row: SourceTable.Row) throws(Failure) -> FieldValue? {
    guard let cell = cell(rule, in: row) else { return nil }
    switch rule.type ?? .string {
    case .int64: return .int64(try integer(cell, rule))
    case .double: return .double(try number(cell, rule))
    case .timestamp: return .timestamp(try time(cell, rule))
    case .reference: return .reference(Reference(recordName: Name(cell.text)))
    default: return .string(cell.text)
    }
  }

  /// What makes the ID of an entry: the texts of its key.
  func keyTexts(_ key: ImportMapping.Key, _ rules: [ImportMapping.FieldRule], _ row: SourceTable.Row) -> [String] {
    switch key {
    case .columns(let columns): columns.map { row.cells[$0]?.text ?? "" }
    case .id(let column): [row.cells[column]?.text ?? ""]
    case .row:
      rules.flatMap { rule -> [String] in
        if case .columns(let columns) = rule.source { columns.map { row.cells[$0]?.text ?? "" } } else { [] }
      }
    }
  }
}
