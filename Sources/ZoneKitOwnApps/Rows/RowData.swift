import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSync
import ZoneKitTables

/// The rows of the tables of a user's own schema.
struct RowData: OwnData {
  /// The tables.
  let schema: RelationSchema

  var verbs: [String] { OwnCommand.verbs }
  var types: [Name] { schema.tables.map(\.recordType) }

  /// The table of an entry; nil for one of a table that the schema does not have any more.
  func table(of entry: OwnEntry) -> RelationSchema.Table? { schema.table(entry.type.text) }

  func entry(_ record: LocalRecord) -> OwnEntry? {
    guard schema.table(record.recordType.text) != nil, let fields = try? record.local?.fields.decoded() else {
      return nil
    }
    return OwnEntry(
      id: record.recordID, type: record.recordType, word: record.recordID.recordName.text, fields: fields)
  }

  func type(_ word: String, known: [Name], isNew: Bool) throws(AppRefusal) -> Name {
    if let table = schema.table(word) { return table.recordType }
    guard !schema.withoutKey.contains(word) else {
      throw AppRefusal(
        "\(word) has no primary key, so nothing tells two of its rows apart; a device does not keep them")
    }
    let names = schema.tables.map(\.name)
    let guess = NearMiss.guess(for: word, among: names).map { "; did you mean \($0)?" }
    throw AppRefusal("there is no table \(word)\(guess ?? "; there are \(names.joined(separator: ", "))")")
  }

  func columns(of entries: [OwnEntry]) -> [Name] {
    guard let first = entries.first, let table = table(of: first) else { return [] }
    // The ID is the key.
    return table.columns.indices.filter { !table.key.contains($0) || table.key.count > 1 }.map {
      Name(table.columns[$0].name)
    }
  }

  func fields(of entry: OwnEntry) -> [Name] {
    table(of: entry)?.columns.map { Name($0.name) } ?? entry.fields.sorted.map(\.name)
  }

  /// The column of a field of an entry; nil if there is none.
  func column(_ field: Name, of entry: OwnEntry) -> RelationSchema.Column? { table(of: entry)?.column(field.text) }

  func text(_ value: FieldValue, of field: Name, in entry: OwnEntry) -> String {
    let text = plain(value, of: field, in: entry)
    let needsQuotes =
      text.isEmpty || text == "none" || text.contains { $0.isWhitespace || $0 == "\"" } || text.hasPrefix("[")
    return needsQuotes ? CommandWords.Word(text, isQuoted: true).source : text
  }

  func plain(_ value: FieldValue, of field: Name, in entry: OwnEntry) -> String {
    column(field, of: entry)?.text(of: value) ?? RecordWord.text(of: value)
  }

  func isDay(_ field: Name, in entry: OwnEntry) -> Bool { column(field, of: entry)?.type == .date }

  func remark(on value: FieldValue, of field: Name, in entry: OwnEntry) -> String? {
    column(field, of: entry)?.type.fullName
  }

  func parts(of entry: OwnEntry) -> [String] { [] }

  func json(_ entry: OwnEntry) -> JSON {
    .object(
      entry.fields.sorted.map { field in
        JSON.Member(field.name.text, column(field.name, of: entry)?.json(of: field.value) ?? .null)
      })
  }

  // MARK: Changes

  func change(
    _ command: OwnCommand, on shelf: OwnShelf<RowData>, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> OwnChange {
    switch command {
    case .new(let word, let name, let zone, let assignments):
      guard zone == nil else { throw AppRefusal("rows are in tables alone; leave in \(zone ?? "") out") }
      return try new(word, as: name, assignments, on: shelf, using: &generator)
    case .set(let word, let assignments):
      let old = try shelf.find(word)
      guard let table = table(of: old) else { throw AppRefusal("the schema has no table \(old.type) any more") }
      var entry = old
      for typed in assignments {
        guard !table.keyColumns.contains(where: { $0.name == typed.name }) else {
          throw AppRefusal("\(typed.name) is the key of \(table.name); make a new row and delete this one")
        }
        try set(typed, in: &entry, table, on: shelf)
      }
      return OwnChange(entry, from: old, assignments)
    case .delete(let word): return OwnChange(deleting: try shelf.find(word))
    case .list, .show, .restore, .add, .change, .drop:
      throw AppRefusal("rows have no such command; there are \(verbs.joined(separator: ", "))")
    }
  }

  private func new(
    _ word: String, as name: String?, _ assignments: [CommandWords.Assignment], on shelf: OwnShelf<RowData>,
    using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> OwnChange {
    let type = try type(word, known: [], isNew: true)
    guard let table = schema.table(type.text) else { throw AppRefusal("there is no table \(word)") }
    var entry = OwnEntry(
      id: RecordID(recordName: "", zoneID: table.zoneID), type: type, word: "", fields: Fields())
    for typed in assignments { try set(typed, in: &entry, table, on: shelf) }
    try setKey(of: &entry, table, name, on: shelf, using: &generator)
    guard let recordName = table.recordName(of: entry.fields) else {
      let missing = table.keyColumns.filter { entry.fields[Name($0.name)] == nil }.map(\.name)
      throw AppRefusal("a row of \(table.name) needs \(missing.joined(separator: ", ")), which is its key")
    }
    entry.id.recordName = recordName
    entry.word = recordName.text
    guard try shelf.entry(entry.id) == nil else {
      throw AppRefusal(
        "there is a row \(entry.word) in \(table.name) already; `set \(entry.word) COLUMN=VALUE` changes it")
    }
    let missing = table.columns.filter { $0.source == .required && entry.fields[Name($0.name)] == nil }.map(\.name)
    guard missing.isEmpty else {
      throw AppRefusal("a row of \(table.name) needs \(missing.joined(separator: ", ")), which must not be null")
    }
    return OwnChange(entry, said: "made \(entry.words)")
  }

  /// Gives a new row the key that its user named; otherwise a random one, if the type of the key allows that.
  private func setKey(
    of entry: inout OwnEntry, _ table: RelationSchema.Table, _ name: String?, on shelf: OwnShelf<RowData>,
    using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) {
    guard table.key.count == 1, case let column = table.keyColumns[0] else {
      guard name == nil else {
        let names = table.keyColumns.map(\.name)
        throw AppRefusal("the key of \(table.name) has several columns; write \(names.joined(separator: "=… "))=…")
      }
      return
    }
    guard column.source != .server else {
      throw AppRefusal(
        "the server alone gives \(column.name) of \(table.name) its value, so a device cannot make a row; say "
          + "`generated by default` in the schema, or use a uuid")
    }
    let field = Name(column.name)
    if let name {
      guard entry.fields[field] == nil else {
        throw AppRefusal("as \(name) and \(column.name)=… name two keys; say one")
      }
      return entry.fields[field] = try RowWord.value(of: name, column, on: shelf)
    }
    guard entry.fields[field] == nil else { return }
    switch column.type {
    case .uuid: entry.fields[field] = .string(UUID(using: &generator).text)
    case .bigint: entry.fields[field] = .int64(Int64.random(in: 1...(1 << 53), using: &generator))
    case .integer: entry.fields[field] = .int64(Int64.random(in: 1...Int64(Int32.max), using: &generator))
    default: break
    }
  }

  private func set(
    _ typed: CommandWords.Assignment, in entry: inout OwnEntry, _ table: RelationSchema.Table,
    on shelf: OwnShelf<RowData>
  ) throws(AppRefusal) {
    let column = try column(typed.name, of: table)
    guard let value = try RowWord.value(of: typed, column, on: shelf) else {
      guard column.source != .required else {
        throw AppRefusal("\(column.name) of \(table.name) must not be null; give it a value")
      }
      entry.fields.remove(Name(column.name))
      return
    }
    entry.fields[Name(column.name)] = value
  }

  /// The column of that name, to which a writer may give a value.
  func column(_ word: String, of table: RelationSchema.Table) throws(AppRefusal) -> RelationSchema.Column {
    guard let column = table.column(word) else {
      let names = table.columns.map(\.name)
      let guess = NearMiss.guess(for: word, among: names).map { "; did you mean \($0)?" }
      throw AppRefusal("\(table.name) has no column \(word)\(guess ?? "; there are \(names.joined(separator: ", "))")")
    }
    guard column.source != .server else {
      throw AppRefusal("the server alone gives \(word) of \(table.name) its value; leave it out")
    }
    return column
  }
}
