import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Types, indexes, comments and rows.
extension CatalogueBuilder {
  // MARK: Types

  mutating func create(_ type: CreateEnum) {
    let name = Catalogue.full(type.name)
    guard catalogue.enums[name] == nil else {
      return refuse("type \"\(name.name)\" already exists", at: type.name.offset)
    }
    var known: Set<[UInt8]> = []
    for value in type.values where !known.insert(Array(value.utf8)).inserted {
      return refuse("enum label \"\(value)\" already exists: name each value once", at: type.name.offset)
    }
    catalogue.enums[name] = DatumType.EnumType(name.name, type.values)
  }

  mutating func add(_ value: AddEnumValue) {
    let name = Catalogue.full(value.name)
    guard var type = catalogue.enums[name] else {
      return refuse("type \"\(value.name.plain)\" does not exist", at: value.name.offset)
    }
    if type.labels.contains(value.value) {
      guard !value.ifNotExists else { return }
      return refuse("enum label \"\(value.value)\" already exists", at: value.name.offset)
    }
    switch value.position {
    case .last: type.labels.append(value.value)
    case .before(let other), .after(let other):
      guard let index = type.labels.firstIndex(of: other) else {
        return refuse("\"\(other)\" is not an existing enum label", at: value.name.offset)
      }
      if case .before = value.position {
        type.labels.insert(value.value, at: index)
      } else {
        type.labels.insert(value.value, at: index + 1)
      }
    }
    if let old = catalogue.enums[name] { replace(old, with: type, named: name) }
  }

  /// Puts an enum in place of another one, also where columns and functions have it.
  mutating func replace(_ old: DatumType.EnumType, with type: DatumType.EnumType, named name: ObjectName) {
    catalogue.enums[name] = type
    for (table, columns) in catalogue.tables.mapValues(\.columns) {
      for (index, column) in columns.enumerated() {
        if let changed = column.type.replacing(old, with: type) {
          catalogue.tables[table]?.columns[index].type = changed
        }
      }
    }
    func changed(_ columns: [ColumnShape]) -> [ColumnShape] {
      columns.map { ColumnShape($0.name, $0.type.replacing(old, with: type) ?? $0.type) }
    }
    for (function, made) in catalogue.functions {
      var made = made
      made.parameters = changed(made.parameters)
      switch made.result {
      case .value(let own): made.result = .value(own.replacing(old, with: type) ?? own)
      case .values(let own): made.result = .values(own.replacing(old, with: type) ?? own)
      case .rows(let columns): made.result = .rows(changed(columns))
      case .trigger, .nothing, .table: break
      }
      catalogue.functions[function] = made
    }
  }

  // MARK: Indexes

  mutating func create(_ index: CreateIndex, at offset: SourceOffset) {
    if index.ifNotExists, let name = index.name,
      relationNames.contains(ObjectName(index.table.schema ?? ObjectName.usualSchema, name))
    {
      return
    }
    guard var table = ownTable(index.table) else { return }
    guard index.parts.count <= Self.keyColumnLimit else {
      return refuse("cannot use more than \(Self.keyColumnLimit) columns in an index", at: offset)
    }
    for part in index.parts {
      guard let type = type(of: part.value, of: table) else { return }
      if index.method == .btree { guard canOrder(type, at: part.value.offset) else { return } }
    }
    if let condition = index.condition { check(condition, of: table, as: "WHERE") }
    let names = index.parts.map { $0.value.indexColumnName ?? "expr" }
    guard let name = indexName(index.name, Self.numbered(names), "idx", of: &table, at: offset) else { return }
    table.indexes.append(
      CatalogueIndex(
        name: name, method: index.method, parts: index.parts, condition: index.condition, isUnique: index.isUnique))
    keep(table)
  }

  /// The names, with numbers behind those that are there already.
  private static func numbered(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    return names.map { name in
      let number = (0...names.count).first { !taken.contains($0 == 0 ? name : "\(name)\($0)") } ?? 0
      let own = number == 0 ? name : "\(name)\(number)"
      taken.insert(own)
      return own
    }
  }

  // MARK: Comments and rows

  mutating func add(_ comment: CommentStatement, at offset: SourceOffset) {
    switch comment.subject {
    case .table(let name):
      guard var table = table(name) else { return }
      if let name = comment.text.flatMap({ CatalogueTable.arbiter(in: $0) }) {
        checkArbiter(name, of: table, at: offset)
      }
      table.comment = comment.text
      keep(table)
    case .column(let name, let column):
      guard var table = table(name) else { return }
      guard let index = table.index(of: column) else {
        let message = "column \"\(column)\" of relation \"\(table.name.name)\" does not exist"
        return refuse(message, at: offset)
      }
      table.columns[index].comment = comment.text
      keep(table)
    }
  }

  /// Notes a problem if a column cannot decide between two versions of a row.
  private mutating func checkArbiter(_ name: String, of table: CatalogueTable, at offset: SourceOffset) {
    guard let column = table.column(name) else {
      let message = "@zonekit arbiter names the column \"\(name)\", which \(table.name) does not have"
      return refuse(message, at: offset)
    }
    switch column.type {
    case .timestamptz, .timestamp, .date, .smallint, .integer, .bigint, .numeric: break
    default:
      refuse("@zonekit arbiter names \"\(name)\" of type \(column.type.name): a time or a number decides", at: offset)
    }
  }

  mutating func insert(_ rows: InsertRows) {
    guard let table = table(rows.table) else { return }
    guard table.view == nil else {
      return refuse("rows of a view are not inserted: insert them into its table", at: rows.table.offset)
    }
    guard table.name == BuiltInTables.buckets || BuiltInTables.all[table.name] == nil else {
      return refuse("rows of \(table.name) are made by the server", at: rows.table.offset)
    }
    for column in rows.columns where table.index(of: column) == nil {
      let message = "column \"\(column)\" of relation \"\(table.name.name)\" does not exist"
      return refuse(message, at: rows.table.offset)
    }
    let count = rows.columns.isEmpty ? table.columns.count : rows.columns.count
    for row in rows.rows where row.count > count {
      return refuse("INSERT has more expressions than target columns", at: rows.table.offset)
    }
    check(rows, of: table)
    guard isAccepted else { return }
    catalogue.seeds.append(Catalogue.Seed(table: table.name, rows: rows))
  }
}

extension SQLExpression {
  /// The name that PostgreSQL gives a column of an index with this value; nil if it has none for it (PostgreSQL:
  /// FigureIndexColname).
  fileprivate var indexColumnName: String? {
    switch kind {
    case .column(let column): column.name
    case .call(let function, _): function.name
    case .element(let value, _): value.indexColumnName
    case .cast(let value, let type): value.indexColumnName ?? type.kind.catalogueName
    default: nil
    }
  }
}

extension DatumType {
  /// Whether the type is that enum or an array of it.
  func isMade(of type: EnumType) -> Bool {
    switch self {
    case .enumeration(let own): own == type
    case .array(let element): element.isMade(of: type)
    default: false
    }
  }

  /// The type with another enum in place of one; nil if it is not of that enum.
  fileprivate func replacing(_ old: EnumType?, with new: EnumType) -> DatumType? {
    switch self {
    case .enumeration(let type) where type == old: .enumeration(new)
    case .array(let element): element.replacing(old, with: new).map { .array($0) }
    default: nil
    }
  }
}
