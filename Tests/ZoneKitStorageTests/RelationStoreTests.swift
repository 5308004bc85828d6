import Testing
import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitSchema

@testable import ZoneKitStorage

@Suite struct `writes to the rows of tables` {
  private static let table = ObjectName("public", "t")
  private static let layout = TableLayout(table, [ColumnShape("Id", .integer), ColumnShape("id", .text)])
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file() throws -> RelationFiles {
    let file = try RelationFiles(folder + "tables")
    try file.define([Self.layout])
    return file
  }

  private static func rows(_ store: some RelationStore) throws -> [StoredRow] {
    try store.rows(RowSearch(table, EvaluationContext(now: 0, randomUUID: { UUID(high: 0, low: 0) })))
  }

  private static func row(_ number: Int64, _ text: String? = nil) -> [Datum] {
    [.integer(number), text.map { .text($0) } ?? .null]
  }

  /// Adds, changes and removes rows, with some of it undone. Two of the rows are left.
  private static func write(to store: inout some RelationStore) throws -> [StoredRow] {
    let first = try store.insert(row(1, "a"), into: table)
    try store.begin()
    let second = try store.insert(row(2), into: table)
    try store.begin()
    try store.update(StoredRow(first, row(10, "undone")), in: table)
    try store.delete(second, from: table)
    try store.end(keeping: false)
    let third = try store.insert(row(3, "c"), into: table)
    try store.end(keeping: true)
    try store.update(StoredRow(first, row(1, "b")), in: table)
    try store.delete(second, from: table)
    return [StoredRow(first, row(1, "b")), StoredRow(third, row(3, "c"))]
  }

  @Test func `tell SQLite which index finds few rows`() throws {
    var file: some RelationStore = try RelationFiles(folder + "tables")
    let columns = ["owner", "place"].map { ColumnShape($0, .integer) }
    let orders = columns.indices.map { place in
      [TypedOrder(TypedExpression(.column(ColumnPlace(column: place)), .integer), isDescending: place == 1)]
    }
    let layout = TableLayout(
      Self.table, columns, orders.enumerated().map { IndexLayout("i\($0)", $1) }, notNull: [0, 1])
    try file.define([layout])
    let query =
      "EXPLAIN QUERY PLAN SELECT * FROM \"public.t\" WHERE owner = 7 "
      + "ORDER BY place DESC, \"~row\" DESC LIMIT 5"
    for number in 0..<1_500 { _ = try file.insert([.integer(7), .integer(Int64(number))], into: Self.table) }
    #expect(file.commit() == nil)
    let connection = try Connection(folder + "tables", as: .relations, access: .observe)
    let plan = try Statement(query, on: connection).all { $0.text(3) }
    #expect(plan.joined().contains("i1"), "\(plan)")
    #expect(!plan.joined().contains("TEMP B-TREE"), "\(plan)")
  }

  @Test func `are seen at once, and undone to where they began`() throws {
    var (memory, file) = (MemoryRelationStore(), try file())
    memory.define([Self.layout])
    let wanted = try Self.write(to: &memory)
    #expect(try Self.rows(memory) == wanted)
    #expect(try Self.write(to: &file) == wanted)
    #expect(try Self.rows(file) == wanted)
  }

  @Test func `are durable once they are committed`() throws {
    var store = try file()
    let wanted = try Self.write(to: &store)
    #expect(store.commit() == nil)
    _ = try store.insert(Self.row(9), into: Self.table)
    store.close()
    #expect(try Self.rows(file()) == wanted)
  }

  @Test func `are undone by a commit that fails`() throws {
    var store = MemoryRelationStore()
    store.define([Self.layout])
    let wanted = try Self.write(to: &store)
    #expect(store.commit() == nil)
    store.commitError = StoreError(.full, "the disk is full", place: "here")
    _ = store.insert(Self.row(9), into: Self.table)
    #expect(store.commit()?.kind == .full)
    #expect(try Self.rows(store) == wanted)
  }

  @Test func `never give the number of a column again, once it is committed`() throws {
    let store = try file()
    try store.begin()
    #expect(try (1...3).map { _ in try store.nextNumber(of: "Id", in: Self.table) } == [1, 2, 3])
    try store.end(keeping: false)
    #expect(try store.nextNumber(of: "Id", in: Self.table) == 4)
    #expect(try store.nextNumber(of: "id", in: Self.table) == 1)
    #expect(store.commit() == nil)
    store.close()
    #expect(try file().nextNumber(of: "Id", in: Self.table) == 5)
  }

  @Test(arguments: [(1, true), (2, false)])
  func `are seen by conditions about no row`(number: Int64, isThere: Bool) throws {
    let file = try file()
    var memory = MemoryRelationStore()
    memory.define([Self.layout])
    _ = memory.insert(Self.row(1, "a"), into: Self.table)
    _ = try file.insert(Self.row(1, "a"), into: Self.table)
    let column = TypedExpression(.column(ColumnPlace(column: 0)), .integer)
    let equal = TypedExpression(
      .binary(column, .equal, TypedExpression(.constant(.integer(number)), .integer)), .boolean)
    let query = TypedQuery([], from: [RowSource(Self.layout.shape)], where: equal)
    let condition = TypedExpression(.exists(query), .boolean)
    let context = EvaluationContext(now: 0, randomUUID: { UUID(high: 0, low: 0) })
    #expect(try memory.holds(condition, context) == isThere)
    #expect(try file.holds(condition, context) == isThere)
  }

  @Test func `to a table that is not defined are refused`() throws {
    let store = try file()
    let error = #expect(throws: StoreError.self) { try store.insert([], into: ObjectName("public", "x")) }
    #expect(error?.message.contains("the table x is not defined") == true)
  }

  @Test func `keep what there is when tables get columns, and lose it with the table`() throws {
    let file = try file()
    _ = try file.insert(Self.row(1, "a"), into: Self.table)
    #expect(file.commit() == nil)
    let wider = TableLayout(
      Self.table, [ColumnShape("Id", .integer), ColumnShape("new", .jsonb), ColumnShape("id", .text)],
      [IndexLayout("by_new", [TypedOrder(TypedExpression(.column(ColumnPlace(column: 1)), .jsonb))])])
    try file.define([wider])
    #expect(file.commit() == nil)
    #expect(try Self.rows(file).map(\.values) == [[.integer(1), .null, .text("a")]])
    #expect(try file.hasRows(Self.table))
    try file.drop(Self.table)
    try file.define([wider])
    #expect(file.commit() == nil)
    #expect(try !file.hasRows(Self.table))
    #expect(try Self.rows(file).isEmpty)
  }

  @Test func `keep a column whose name differs from that of a new one in capital letters alone`() throws {
    let file = try RelationFiles(folder + "capitals")
    let narrow = TableLayout(Self.table, [ColumnShape("Id", .integer)])
    try file.define([narrow])
    _ = try file.insert([.integer(7)], into: Self.table)
    try file.define([Self.layout])
    #expect(try Self.rows(file).map(\.values) == [[.integer(7), .null]])
    _ = try file.insert(Self.row(8, "x"), into: Self.table)
    #expect(try Self.rows(file).map(\.values) == [[.integer(7), .null], [.integer(8), .text("x")]])
  }

  @Test func `keep the texts of their schema, and drop what is not committed`() throws {
    let texts = [SchemaText(name: "b.sql", "create table t ();"), SchemaText(name: "a.sql", "--")]
    var file: RelationFiles? = try file()
    #expect(try file?.texts() == nil)
    try file?.set(texts)
    file?.discard()
    #expect(try file?.texts() == nil)
    try file?.set(texts)
    #expect(file?.commit() == nil)
    file?.close()
    file = nil
    #expect(try self.file().texts() == texts)
  }
}
