import Testing
import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitSchemaFixtures
import ZoneKitStorage

/// SQLite finds what the evaluator finds, row by row, in the same order.
@Suite struct `searches of SQLite` {
  /// A column of each type, with texts of values.
  private static let columns: [(name: String, type: DatumType, texts: [String])] = [
    ("b", .boolean, ["t", "f"]),
    ("i", .integer, ["0", "1", "-5", "2147483647"]),
    ("l", .bigint, ["0", "1", "-5", "9223372036854775807"]),
    ("n", .numeric(nil), ["0", "1", "1.0", "1.10", "-2.5", "1000000000000000000000", "NaN", "0.3"]),
    ("m", .numeric(.init(precision: 10, scale: 2)), ["0.00", "1.00", "10.50", "-2.50", "9.99"]),
    ("d", .doublePrecision, ["0", "1", "-2.5", "Infinity", "-Infinity", "NaN", "0.3"]),
    ("t", .text, ["", "a", "A", "b", "ä", "a b", "a%", "10", "\"\\\u{1}\n"]),
    ("v", .varchar(5), ["", "a", "A", "b", "abcde"]),
    ("u", .uuid, ["00000000-0000-0000-0000-000000000001", "ffffffff-0000-0000-0000-000000000001"]),
    ("p", .date, ["2024-02-29", "1999-12-31", "infinity"]),
    ("c", .time(nil), ["00:00", "12:30:01.5", "24:00"]),
    ("s", .timestamp(nil), ["2024-02-29 12:00:00.000001", "1999-12-31", "-infinity"]),
    ("z", .timestamptz(nil), ["2024-02-29 12:00:00+02", "1999-12-31", "infinity"]),
    ("j", .jsonb, ["null", "1", "1.0", "\"a\"", "{\"a\":1}", "[1,2]", "{}", "true"]),
    ("y", .bytea, ["\\x", "\\x00", "\\xff00"]),
    ("e", .enumeration(.init("mood", ["glad", "sad", "angry"])), ["glad", "sad", "angry"]),
    ("a", .array(.text), ["{}", "{a}", "{a,b}", "{NULL}", "{b}"]),
    ("k", .array(.integer), ["{}", "{1}", "{1,2}", "{10}", "{9}"]),
  ]
  /// The columns that are never null: an integer and a text.
  private static let notNull: Set = [1, 6]
  private static let shape = RelationShape(
    SQLName(schema: "public", "t"), columns.map { ColumnShape($0.name, $0.type) })
  private static var context: EvaluationContext {
    EvaluationContext(now: 1_700_000_000_000_000, randomUUID: { UUID(high: 0, low: 0) })
  }

  /// All columns, the last one first.
  private static let members = columns.enumerated().reversed().map {
    WrittenMember($1.name, column: $0, $1.type)
  }

  private struct Stores {
    var memory = MemoryRelationStore()
    let file: RelationFiles
  }

  private static func stores(_ folder: TemporaryFolder, _ chance: inout SplitMix64) throws -> Stores {
    var stores = Stores(file: try RelationFiles(folder + "tables"))
    let layout = TableLayout(
      ObjectName("public", "t"), shape.columns,
      (0..<columns.count).map { IndexLayout("t_\($0)", [order($0, isDescending: $0 % 2 == 0)]) }, notNull: notNull)
    stores.memory.define([layout])
    try stores.file.define([layout])
    for _ in 0..<80 {
      var row: [Datum] = []
      for (place, column) in columns.enumerated() {
        let text =
          chance.next() % 6 == 0 && !notNull.contains(place)
          ? nil : column.texts[Int(chance.next() % UInt64(column.texts.count))]
        row.append(try text.map { try column.type.datum($0, now: 0) } ?? .null)
      }
      let number = stores.memory.insert(row, into: layout.name)
      #expect(try stores.file.insert(row, into: layout.name) == number)
    }
    return stores
  }

  private static func order(_ column: Int, isDescending: Bool = false, nullsFirst: Bool? = nil) -> TypedOrder {
    TypedOrder(
      TypedExpression(.column(ColumnPlace(column: column)), columns[column].type), isDescending: isDescending,
      nullsFirst: nullsFirst)
  }

  private static func condition(_ text: String) throws -> TypedExpression {
    let reading = try Samples.reading("create policy p on t using (\(text))")
    guard case .createPolicy(let policy)? = reading.statements.first?.statement, let using = policy.using else {
      throw SchemaProblem(file: text, at: nil, reading.problems.map(\.message).joined())
    }
    let type = DatumType.EnumType("mood", ["glad", "sad", "angry"])
    let names = Names(relation: { _ in shape }, enumeration: { _ in type })
    return try ExpressionScope(names, [RowSource(shape)]).condition(using, of: "USING")
  }

  private static func randomCondition(_ chance: inout SplitMix64, depth: Int = 0) -> String {
    func pick<Element>(_ list: [Element]) -> Element { list[Int(chance.next() % UInt64(list.count))] }
    if depth < 3, chance.next() % 3 == 0 {
      let parts = (0..<2).map { _ in "(\(randomCondition(&chance, depth: depth + 1)))" }
      return chance.next() % 4 == 0 ? "not \(parts[0])" : parts.joined(separator: pick([" and ", " or "]))
    }
    let column = pick(columns)
    let literal = { (chance: inout SplitMix64) in
      let text = column.texts[Int(chance.next() % UInt64(column.texts.count))]
      return "'\(text.replacing("'", with: "''"))'"
    }
    let operators = ["=", "<>", "<", "<=", ">", ">=", "is distinct from", "is not distinct from"]
    switch chance.next() % 12 {
    case 0: return "\(column.name) is \(pick(["null", "not null"]))"
    case 1: return "\(column.name) in (\(literal(&chance)), \(literal(&chance)))"
    case 2: return "\(column.name) \(pick(["=", "<>"])) \(column.name)"
    case 3:
      return pick(["t like 'a%'", "t ilike 'A%'", "v || t = 'aa'", "length(t) > 1", "i + 1 > 0", "lower(t) = 'a'"])
    case 4: return pick(["b", "b is true", "b is not false", "'a' = any(a)", "i = any(k)", "i = any('{0,1}'::int[])"])
    case 5:
      return pick([
        "i < l", "i = n", "m > i", "n = m", "d >= n", "j ->> 'a' = '1'", "t = v", "i <> all('{1,2}'::int[])",
      ])
    case 6:
      return pick([
        "exists (select 1 from t x where x.i = t.i and x.l > t.l)", "i in (select x.k[1] from t x where x.b)",
        "l = (select max.l from t max where max.t = 'zz')", "u not in (select x.u from t x where x.t = 'b')",
        "exists (select 1 from t x where x.n + 1 = t.n)",
      ])
    default: return "\(column.name) \(pick(operators)) \(literal(&chance))"
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `find the rows of which a condition is true`(seed: UInt64) throws {
    var chance = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let stores = try Self.stores(folder, &chance)
    for _ in 0..<60 {
      let text = Self.randomCondition(&chance)
      guard let condition = try? Self.condition(text) else { continue }
      let column = Int(chance.next() % UInt64(Self.columns.count))
      var search = RowSearch(ObjectName("public", "t"), where: condition, Self.context)
      search.order = [
        Self.order(
          column, isDescending: chance.next() % 2 == 0, nullsFirst: [nil, true, false][Int(chance.next() % 3)])
      ]
      if chance.next() % 2 == 0 { (search.offset, search.limit) = (Int(chance.next() % 5), Int(chance.next() % 9)) }
      // SQLite may compute the parts of a condition in another order, and leave out one that fails.
      guard let wanted = try? stores.memory.rows(search) else { continue }
      let found = try stores.file.rows(search)
      #expect(found.map(\.number) == wanted.map(\.number), "\(text), by \(Self.columns[column].name)")
      #expect(found == wanted || found.map(\.number) != wanted.map(\.number), "the values differ")
      #expect(try stores.file.json(search, Self.members) == stores.memory.json(search, Self.members))
      #expect(try stores.file.count(search) == stores.memory.count(search), "\(text)")
    }
  }
}
