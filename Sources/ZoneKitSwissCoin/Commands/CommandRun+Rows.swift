import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// Commands for any row.
extension CommandRun {
  /// The listed rows of a table, the newest ones if there is a limit. Rows with a date are in its order.
  func listed(_ table: Name, _ limit: Int?) throws(AppRefusal) -> [CoinRow] {
    var rows = book.listed(in: table)
    let dates: [Name] = ["date", "timestamp", "created_date", "created_at"]
    if let date = dates.first(where: { SwissCoin.table(table).column($0) != nil }) {
      let keyed = rows.map { ($0[date].time ?? SwissCoin.oldestStamp, $0) }
      rows = keyed.sorted { ($1.0, $0.1.key) < ($0.0, $1.1.key) }.map(\.1)
    }
    return Array(rows.prefix(limit ?? rows.count))
  }

  // MARK: Edits

  /// The columns that `edit` changes.
  static func editable(in table: Table) -> [Column] {
    let others: Set<Name> = [
      .id, .ownerID, .createdAt, .updatedAt, .deletedAt, .editedAt, .changedBy, "photo_url",
    ]
    return table.columns.filter { column in
      !others.contains(column.name) && !table.key.contains(column.name) && column.foreignKey?.isOwner != true
    }
  }

  /// `edit ID FIELD VALUE`.
  mutating func edit(
    _ word: CommandWords.Word, _ field: String, _ value: CommandWords.Word
  ) throws(AppRefusal) -> CoinAnswer {
    var row = try row(word)
    guard row.isLiving else { throw AppRefusal("\(words(for: row)) is deleted; restore it first") }
    let columns = Self.editable(in: row.table)
    guard let column = columns.first(where: { $0.name.text == field }) else {
      let names = columns.map(\.name.text).joined(separator: ", ")
      let fields = names.isEmpty ? "has no fields that can be edited" : "can be edited in \(names)"
      throw AppRefusal("\(words(for: row)) has no editable field \"\(field)\"; it \(fields)")
    }
    let isMe = row.table.name == "persons" && row.key.parts[0] == me.id
    let new = try read(value, for: column)
    guard !(isMe && column.name == "is_archived" && new == .bool(true)) else {
      throw AppRefusal("you cannot archive yourself")
    }
    guard row[column.name] != new else { return .unchanged(said: "\(words(for: row)) is like that already") }
    let old = row
    row[column.name] = new
    try save(row, replacing: old)
    return said("set \(column.name) of \(words(for: row))")
  }

  private func read(_ word: CommandWords.Word, for column: Column) throws(AppRefusal) -> RowValue {
    if word == CommandWords.Word("none") {
      guard !column.isRequired else {
        throw AppRefusal("\(column.name) cannot be removed; expected \(Self.form(of: column))")
      }
      return .null
    }
    if let table = column.foreignKey?.table {
      return .uuid(table == "persons" ? try person(word) : try listed(word, in: [table]).key.parts[0])
    }
    if column.name == "cycle", !RowRules.cycles.contains(word.text) {
      throw AppRefusal("\"\(word.text)\" is not a cycle; expected one of \(RowRules.cycles.joined(separator: ", "))")
    }
    switch column.type {
    case .timestamp: return try time(try TimeWord(parsing: word.text))
    case .float8 where column.name == "amount":
      return .float8(try MoneyWord.cents(word.text, isZeroAllowed: true).amount)
    case .text, .uuid, .bool, .float8, .int4:
      guard let value = try? RowValue(text: word.text, as: column.type) else {
        throw AppRefusal("\"\(word.text)\" is no value for \(column.name); expected \(Self.form(of: column))")
      }
      return value
    }
  }

  /// What a value of a column looks like.
  static func form(of column: Column) -> String {
    switch column.type {
    case .text: "a text"
    case .uuid: "an id"
    case .timestamp: "a time: \(TimeWord.forms)"
    case .bool: "true or false"
    case .float8: "a number"
    case .int4: "a whole number"
    }
  }

  // MARK: Deletions

  /// `delete ID`: the row, and the living rows that it owns, in one transaction.
  mutating func delete(_ word: CommandWords.Word) throws(AppRefusal) -> CoinAnswer {
    let row = try row(word)
    guard row.isLiving else { return .unchanged(said: "\(words(for: row)) is deleted already") }
    guard !(["persons", "profiles"].contains(row.table.name) && row.key.parts[0] == me.id) else {
      throw AppRefusal("you cannot delete yourself")
    }
    let owned = owned(by: row) { $0.isLiving }
    for row in [row] + owned { markDeleted(row) }
    return said("deleted \(words(for: row))\(Self.count(owned))")
  }

  /// `restore ID`: the row, and the rows that were deleted with it.
  mutating func restore(_ word: CommandWords.Word) throws(AppRefusal) -> CoinAnswer {
    let row = try row(word)
    guard !row.isLiving else { return .unchanged(said: "\(words(for: row)) is not deleted") }
    if let owner = row.owner, let ownerRow = book.row(owner.table, owner.key), !ownerRow.isLiving {
      throw AppRefusal("\(words(for: row)) belongs to \(words(for: ownerRow)), which is deleted; restore that first")
    }
    let deletedAt = row[.deletedAt]
    let owned = owned(by: row) { $0[.deletedAt] == deletedAt }
    for var row in [row] + owned {
      row[.deletedAt] = .null
      keep(row)
    }
    return said("restored \(words(for: row))\(Self.count(owned))")
  }

  /// The rows that a row owns, directly or not, owners first.
  private func owned(by row: CoinRow, _ isMeant: (CoinRow) -> Bool) -> [CoinRow] {
    guard row.key.parts.count == 1 else { return [] }
    let children = SwissCoin.schema.owned(by: row.table.name).flatMap { table, column in
      book.rows(in: table.name).filter { $0[column] == .uuid(row.key.parts[0]) && isMeant($0) }
    }
    return children + children.flatMap { owned(by: $0, isMeant) }
  }

  /// `, 2 splits and 1 payer`.
  private static func count(_ rows: [CoinRow]) -> String {
    let counts = SwissCoin.schema.tables.compactMap { table -> String? in
      let count = rows.count { $0.table.name == table.name }
      return count == 0 ? nil : count.counted(table.noun)
    }
    return counts.isEmpty ? "" : " with \(counts.joined(separator: ", "))"
  }
}
