import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// Merges a file with a device's rows: of two versions of a row the greater one stays (`RowOrder`).
///
/// The result is a list of edits for one transaction, and a report. Importing the same file again gives no edits.
struct CoinImport {
  /// The rows to save, owners first.
  private(set) var edits: [RecordEdit] = []
  private var added = 0
  private var updated = 0
  private var unchanged = 0
  private var refused: [RowNote] = []
  private let keptOut: [RowNote]
  private var completion: RowCompletion
  private let book: Book
  private let account: UUID?
  /// The rows of the file that were taken, by record, with their places.
  private var taken: [Name: (row: CoinRow, place: String)] = [:]

  /// Plans the import of a file into a book that has read all tables. `account` is nil while nobody is signed in.
  init(_ file: CoinFile, into book: Book, account: UUID?) {
    self.book = book
    self.account = account
    refused = file.refused
    keptOut = file.keptOut
    completion = RowCompletion(of: account ?? UUID(high: 0, low: 0))
    var order: [Name] = []
    for entry in file.entries {
      do throws(RowNote) {
        let row = try completion.complete(entry.row, of: entry.table, at: entry.place)
        if keep(row, at: entry.place) { order.append(row.id.recordName) }
      } catch {
        refused.append(error)
      }
    }
    if completion.needsUnknown {
      let person = completion.unknownPerson
      if keep(person, at: "the person Unknown") { order.insert(person.id.recordName, at: 0) }
    }
    for name in order { if let (row, place) = taken[name] { merge(row, at: place) } }
  }

  /// Remembers a row of the file. Of two with one ID the greater one is kept. Returns whether the ID is new.
  private mutating func keep(_ row: CoinRow, at place: String) -> Bool {
    let name = row.id.recordName
    guard let other = taken[name] else {
      taken[name] = (row, place)
      return true
    }
    var loser = place
    if case .second = RowOrder.compare(other.row.row, row.row, in: row.table) {
      taken[name] = (row, place)
      loser = other.place
    }
    refused.append(RowNote(loser, "the ID comes twice; the greater of the two is used"))
    return false
  }

  private mutating func merge(_ row: CoinRow, at place: String) {
    if let reason = obstacle(to: row) { return refused.append(RowNote(place, reason)) }
    if let known = book.row(row.table.name, row.key) {
      guard case .second = RowOrder.compare(known.row, row.row, in: row.table) else { return unchanged += 1 }
      updated += 1
    } else {
      added += 1
    }
    edits.append(row.edit(.asGiven))
  }

  /// Why a row cannot be merged; nil if it can.
  private func obstacle(to row: CoinRow) -> String? {
    if row.table.name == "profiles", row.key.parts[0] != account { return "it is the profile of another account" }
    if let flaw = RowRules.flaw(in: row, me: nil) { return flaw }
    if book.isRefused(row.id) { return "the device has a row of that ID that this version of the app cannot read" }
    for column in row.table.columns {
      guard let key = column.foreignKey, let id = row[column.name].uuid, case let target = RowKey([id]),
        book.row(key.table, target) == nil, taken[target.recordName(in: key.table)] == nil
      else { continue }
      return "\(column.name) names a row that is neither in the file nor on the device"
    }
    return nil
  }

  // MARK: The report

  /// The report as lines: a summary, then one for each remark.
  var lines: [String] {
    let summary = "\(added) added, \(updated) updated, \(unchanged) unchanged, \(refused.count) refused"
    return [summary + (keptOut.isEmpty ? "" : ", \(keptOut.count.counted("value")) kept out")]
      + refused.map { "refused \($0)" } + keptOut.map { "kept out \($0)" } + completed.map { "completed \($0)" }
  }

  /// What was completed in rows that are new on the device or changed it.
  private var completed: [RowNote] { edits.isEmpty ? [] : completion.notes }

  /// The report as members of a JSON object.
  var members: [JSON.Member] {
    [
      JSON.Member("added", .integer(Int64(added))), JSON.Member("updated", .integer(Int64(updated))),
      JSON.Member("unchanged", .integer(Int64(unchanged))), JSON.Member("refused", .array(refused.map(\.json))),
      JSON.Member("keptOut", .array(keptOut.map(\.json))), JSON.Member("completed", .array(completed.map(\.json))),
    ]
  }
}
