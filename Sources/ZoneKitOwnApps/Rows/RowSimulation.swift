import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSync
import ZoneKitTables

/// The part of an app with the rows of a schema in a simulation: random commands that are drawn from the schema, and checks.
struct RowSimulation: Sendable {
  private let schema: RelationSchema
  /// The tables in which a device can make rows.
  private let tables: [RelationSchema.Table]

  /// The part of the app with those tables.
  init(_ schema: RelationSchema) {
    self.schema = schema
    tables = schema.tables.filter { table in table.keyColumns.allSatisfy { $0.source != .server } }
  }

  /// The properties for `DeviceApp.simulation`.
  var part: DeviceApp.Simulation {
    var part = DeviceApp.Simulation()
    part.judgeCommand = judge
    part.randomLine = tables.isEmpty ? nil : randomLine
    part.fieldsOfCloud = fieldsOfCloud
    return part
  }

  /// A command changes one row, and of one that was there before only the columns that it names.
  @Sendable private func judge(_ line: String, _ changes: [DeviceApp.Change]) -> String? {
    guard case let command? = try? OwnCommand(parsing: line, verbs: OwnCommand.verbs) else { return nil }
    return command.flaw(in: changes, as: line)
  }

  /// The database may give each column but the key another value: a default, or that of a trigger or of another client.
  @Sendable private func fieldsOfCloud(_ id: RecordID) -> [Name] {
    guard let table = schema.table(id.zoneID.zoneName.text) else { return [] }
    return table.columns.indices.filter { !table.key.contains($0) }.map { Name(table.columns[$0].name) }
  }

  // MARK: Random commands

  /// Few rows with many edits, so that users often meet on one.
  @Sendable private func randomLine(_ draw: () -> UInt64) -> String {
    let table = tables[Int(draw() % UInt64(tables.count))]
    let key = table.keyColumns.map { self.key($0, draw() % 3 + 1) }
    let word = "\(table.name).\(table.recordName(ofKey: key).text)"
    let others = table.columns.filter { column in
      column.source != .server && !table.keyColumns.contains(column)
    }
    switch draw() % 8 {
    case 0: return "delete \(word)"
    case 1...3: return new(table, key, others, draw)
    default: return others.isEmpty ? new(table, key, others, draw) : "set \(word) \(some(others, draw))"
    }
  }

  private func new(
    _ table: RelationSchema.Table, _ key: [String], _ others: [RelationSchema.Column], _ draw: () -> UInt64
  ) -> String {
    let values = zip(table.keyColumns, key).map { "\($0.name)=\($1)" }
    let more = others.filter { $0.source == .required || draw() % 2 == 0 }.map { "\($0.name)=\(value(of: $0, draw))" }
    return (["new \(table.name)"] + values + more).joined(separator: " ")
  }

  /// A value for one or two columns, or none for one that may be without.
  private func some(_ columns: [RelationSchema.Column], _ draw: () -> UInt64) -> String {
    let first = Int(draw() % UInt64(columns.count))
    let count = columns.count > 1 && draw() % 4 == 0 ? 2 : 1
    return (0..<count).map { index in
      let column = columns[(first + index) % columns.count]
      let isNone = column.source == .optional && draw() % 8 == 0
      return "\(column.name)=\(isNone ? "none" : value(of: column, draw))"
    }.joined(separator: " ")
  }

  /// The value of a column of a key, one of few.
  private func key(_ column: RelationSchema.Column, _ number: UInt64) -> String {
    switch column.type {
    case .uuid: "0000000\(number)-0000-4000-8000-000000000000"
    case .smallint, .integer, .bigint, .numeric, .real, .doublePrecision: "\(number)"
    case .boolean: number == 1 ? "true" : "false"
    case .date: "2026-11-0\(number)"
    case .time: "0\(number):00"
    case .timestamp, .timestamptz: "2026-11-0\(number)T08:00Z"
    case .enumeration(let type): type.labels[Int(number) % max(type.labels.count, 1)]
    case .bytea: "\\x0\(number)"
    case .text, .varchar, .char, .json, .jsonb, .array: "k\(number)"
    }
  }

  /// A value of the column's type. One that refers to a row names one of few.
  private func value(of column: RelationSchema.Column, _ draw: () -> UInt64) -> String {
    if !column.targets.isEmpty { return key(column, draw() % 3 + 1) }
    return switch column.type {
    case .uuid: draw() % 2 == 0 ? "me" : key(column, draw() % 3 + 1)
    case .text: draw() % 6 == 0 ? UnusualWords.text(upTo: 100, draw) : "t\(draw() % 100)"
    case .numeric, .real, .doublePrecision: ["\(draw() % 100).5", "0", "-1.25"][Int(draw() % 3)]
    case .json, .jsonb: ["\"{\\\"a\\\": \(draw() % 9)}\"", "\"[1, null]\"", "true"][Int(draw() % 3)]
    case .array(let element):
      "[\((0..<(draw() % 3)).map { _ in key(RelationSchema.Column("", element), draw() % 3 + 1) }.joined(separator: ","))]"
    case .timestamp, .timestamptz: ["now", "2026-11-21T06:06:01.5Z", "1999-12-31"][Int(draw() % 3)]
    case .date: UnusualWords.day(draw)
    case .enumeration(let type): type.labels.isEmpty ? "x" : type.labels[Int(draw() % UInt64(type.labels.count))]
    default: key(column, draw() % 9 + 1)
    }
  }
}
