import ZoneKitDeviceHost
import ZoneKitRecords

/// The rows of a foreign file that a mapping takes, and the problems that are found in them.
struct MappedRows {
  /// The most problems that are listed.
  static let problemLimit = 20

  let mapping: ImportMapping
  let reader: SourceReader
  /// The rows, without those that the mapping passes over.
  let rows: [SourceTable.Row]
  private let bytes: [UInt8]
  private var found: [(offset: Int, message: String)] = []
  private var count = 0

  /// The rows of a file. Throws if the file has no table, or other columns than the mapping names.
  init(_ bytes: [UInt8], _ mapping: ImportMapping, in zone: TimeZoneRules) throws(AppRefusal) {
    self.mapping = mapping
    self.bytes = bytes
    reader = SourceReader(mapping: mapping, zone: zone)
    let table = try SourceTable(bytes, mapping.format)
    rows = table.rows.filter { row in
      !mapping.skipped.contains { column, texts in row.cells[column].map { texts.contains($0.text) } == true }
    }
    try check(table)
  }

  /// A problem of a value or a row.
  mutating func report(_ offset: Int, _ message: String) {
    count += 1
    if found.count < Self.problemLimit { found.append((offset, message)) }
  }

  /// Throws the problems that were reported.
  func end() throws(AppRefusal) {
    guard !found.isEmpty else { return }
    var place = TextPlace()
    var problems: [FileProblem] = []
    for (offset, message) in found.sorted(by: { $0.offset < $1.offset }) {
      place.advance(to: offset, in: bytes.span)
      problems.append(FileProblem(place, message))
    }
    if count > found.count { problems.append(FileProblem(nil, "there are \(count - found.count) more problems")) }
    throw AppRefusal(problems)
  }

  /// Checks that the file has the columns of the mapping, and that the mapping names all columns of the file. Objects of JSON
  /// may lack some.
  private mutating func check(_ table: SourceTable) throws(AppRefusal) {
    let names = table.columns.map(\.text)
    let used = Set(mapping.usedColumns)
    if case .csv = mapping.format {
      for column in used.subtracting(names).sorted() {
        let guess = NearMiss.guess(for: column, among: names).map { "; did you mean \"\($0)\"?" }
        report(0, "there is no column \"\(column)\", which the mapping names\(guess ?? "; there are \(list(names))")")
      }
    }
    for column in table.columns where !used.contains(column.text) && !mapping.left.contains(column.text) {
      report(
        column.offset, "the mapping says nothing of the column \"\(column.text)\"; name it in a field, or in \"leave\"")
    }
    try end()
  }

  private func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
}

/// What an import did.
struct ImportReport {
  var added = 0
  var updated = 0
  var unchanged = 0
  /// How many entries of the file the user deleted on this device. They stay deleted.
  var deleted = 0

  /// The report as lines.
  var lines: [String] {
    let left = deleted == 0 ? "" : ", \(deleted) left deleted"
    return ["\(added) added, \(updated) updated, \(unchanged) unchanged\(left)"]
  }

  /// The report as members of a JSON object.
  var members: [JSON.Member] {
    [
      JSON.Member("added", .integer(Int64(added))), JSON.Member("updated", .integer(Int64(updated))),
      JSON.Member("unchanged", .integer(Int64(unchanged))), JSON.Member("deleted", .integer(Int64(deleted))),
    ]
  }
}

/// Counts equal keys, so that each entry of a file has an ID of its own, and the same one at each import.
struct StableIDs {
  private let into: String
  private var counts: [[String]: Int] = [:]

  /// IDs of entries of that type.
  init(_ into: String) { self.into = into }

  /// The ID of the next entry with those texts as its key. Equal keys are counted only if they may be.
  mutating func next(_ texts: [String], counting: Bool) -> String {
    let number = counts[texts, default: 0]
    counts[texts] = number + 1
    let parts = [into] + texts + (counting && number > 0 ? ["\(number)"] : [])
    return ContentHash.of(parts.map { Array("\($0.utf8.count):\($0)".utf8) })
  }

  /// Whether an entry with those texts as its key has an ID already.
  func knows(_ texts: [String]) -> Bool { counts[texts] != nil }
}
