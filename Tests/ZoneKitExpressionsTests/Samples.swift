import Testing
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSQL
import ZoneKitSchema

/// Expressions of SQL texts, about the row of a table `t` with columns of many types, and about three rows of a table `q`.
enum Samples {
  static let schema = """
    create type mood as enum ('sad', 'ok', 'happy day');
    create table t (
      id integer, i integer, s smallint, l bigint, n numeric, m numeric(6,2), r real, d double precision, b boolean,
      x text, v varchar(5), c char(4), u uuid, dt date, tm time, ts timestamp, tz timestamptz, j json, jb jsonb,
      by bytea, e mood, ia integer[], xa text[], z text, zb boolean, zi integer);
    create table q (k integer, i integer, x text, w text, b boolean);
    """

  static let row = [
    "1", "7", "3", "9000000000", "1.50", "12.30", "1.5", "0.1", "t", "abc", "ab", "ab",
    "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "2026-05-04", "07:08:09.5", "2026-05-04 07:08:09.123456",
    "2024-02-29 23:30:00+00", #"{"a":1, "b":[1,2]}"#, #"{"a":1,"b":[1,2,null],"c":"x"}"#, #"\xdead"#, "ok", "{1,2,3}",
    "{a,b,\"c d\"}",
  ]

  static let others: [[String?]] = [
    ["1", "7", "abc", nil, "t"], ["2", "42", "foo", "q", nil], ["3", nil, nil, "abc", nil],
  ]

  /// The statements of a text without problems.
  static func statements(_ text: String) throws -> [SchemaStatement] {
    let reading = SchemaReader.read(try SQLTree.parse(text), of: SchemaText(name: "schema.sql", text), SQLTree.parse)
    try #require(reading.problems.map(\.description) == [])
    return reading.statements.map(\.statement)
  }

  /// The expression of a text.
  static func expression(_ text: String) throws -> SQLExpression {
    guard case .createPolicy(let policy)? = try statements("create policy p on t using (\(text))").first else {
      throw SQLFailure(.invalidText, "no policy")
    }
    return try #require(policy.using)
  }

  /// What the names of the schema stand for.
  static func names() throws -> Names {
    var enums: [String: DatumType.EnumType] = [:]
    var tables: [String: RelationShape] = [:]
    for statement in try statements(schema) {
      switch statement {
      case .createEnum(let made): enums[made.name.name] = DatumType.EnumType(made.name.name, made.values)
      case .createTable(let table):
        let known = enums
        let names = Names(enumeration: { known[$0.name] })
        var columns: [ColumnShape] = []
        for column in table.columns {
          columns.append(ColumnShape(column.name, try DatumType(resolving: column.type, names)))
        }
        tables[table.name.name] = RelationShape(SQLName(schema: "public", table.name.name), columns)
      default: break
      }
    }
    return Names(relation: { [tables] in tables[$0.name] }, enumeration: { [enums] in enums[$0.name] })
  }

  /// Where the expressions are written.
  static func scope() throws -> ExpressionScope {
    let names = try names()
    return ExpressionScope(names, [RowSource(try #require(names.relation(SQLName("t"))))])
  }

  /// The expression of a text, with types.
  static func typed(_ text: String) throws -> TypedExpression { try scope().resolve(expression(text)) }

  /// A row of those texts.
  static func data(_ texts: [String?], of shape: RelationShape) throws -> [Datum] {
    try shape.columns.enumerated().map { place, column in
      guard place < texts.count, let text = texts[place] else { return .null }
      return try column.type.datum(text, now: 0)
    }
  }

  /// What everything beside the row is.
  static func context(claims: String? = nil, role: String = "authenticated") throws -> EvaluationContext {
    let shape = try #require(names().relation(SQLName("q")))
    let rows = try others.map { try data($0, of: shape) }
    var value: JSONBValue?
    if let claims, case .jsonb(let read) = try DatumType.jsonb.datum(claims, now: 0) { value = read }
    return EvaluationContext(
      now: 1_777_878_489_000_000, role: role, claims: value, randomUUID: { UUID(high: 1, low: 2) },
      rows: { (asked) throws(SQLFailure) in asked == shape ? rows : [] })
  }

  /// The value of a text as PostgreSQL writes it, `null`, or the code and message of its failure.
  static func value(_ text: String, _ context: EvaluationContext? = nil) throws -> String {
    do {
      let scope = try scope()
      let typed = try scope.resolve(SQLExpression(.cast(expression(text), SQLType(.text))))
      let shape = try #require(scope.names.relation(SQLName("t")))
      let datum = try typed.value(of: data(row, of: shape), context ?? self.context())
      return datum == .null ? "null" : DatumType.text.text(of: datum)
    } catch let problem as ExpressionProblem {
      return "\(problem.failure.code.rawValue) \(problem.failure.message)"
    } catch let failure as SQLFailure {
      return "\(failure.code.rawValue) \(failure.message)"
    }
  }
}
