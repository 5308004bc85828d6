import Testing
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSchema

/// The results are those of PostgreSQL 15.
@Suite struct `a value of a column` {
  private static func value(_ text: String, _ type: DatumType, isDefault: Bool = false) throws -> String {
    do {
      let scope = try Samples.scope()
      let typed = try scope.resolve(Samples.expression(text), as: ColumnShape("c", type), isDefault: isDefault)
      #expect(typed.type == type)
      let shape = try #require(scope.names.relation(SQLName("t")))
      let datum = try typed.value(of: Samples.data(Samples.row, of: shape), Samples.context())
      return datum == .null ? "null" : type.text(of: datum)
    } catch let problem as ExpressionProblem {
      return "\(problem.failure.code.rawValue) \(problem.failure.message)"
    } catch let failure as SQLFailure {
      return "\(failure.code.rawValue) \(failure.message)"
    }
  }

  @Test(arguments: [
    ("'abc'", DatumType.varchar(3), "abc"), ("'abc  '", .varchar(3), "abc"),
    ("'abcd'", .varchar(3), "22001 value too long for type character varying(3)"),
    ("x || 'd'", .varchar(3), "22001 value too long for type character varying(3)"),
    ("'abcd'::varchar(3)", .varchar(3), "abc"), ("'a'", .char(3), "a  "), ("i", .text, "7"), ("b", .text, "true"),
    ("1.005", .numeric(.init(precision: 4, scale: 2)), "1.01"), ("2.5", .integer, "3"), ("d", .numeric(nil), "0.1"),
    ("l", .integer, "22003 integer out of range"), ("ts", .date, "2026-05-04"),
    ("j", .jsonb, #"{"a": 1, "b": [1, 2]}"#),
    ("array['abcd']", .array(.varchar(3)), "22001 value too long for type character varying(3)"),
    ("'{}'", .array(.uuid), "{}"), ("array[]::uuid[]", .array(.uuid), "{}"), ("null", .uuid, "null"),
    ("'x'", .uuid, #"22P02 invalid input syntax for type uuid: "x""#),
    ("now()", .timestamptz(nil), "2026-05-04 07:08:09+00"),
    ("'now'", .timestamptz(nil), "1970-01-01 00:00:00+00"), ("current_date", .timestamp(nil), "2026-05-04 00:00:00"),
    ("ts", .timestamp(0), "2026-05-04 07:08:09"),
  ])
  func `is converted as PostgreSQL does when a row is written`(text: String, type: DatumType, result: String) throws {
    #expect(try Self.value(text, type) == result)
  }

  @Test(arguments: [
    ("x", DatumType.integer, false, #"42804 column "c" is of type integer but expression is of type text"#),
    ("x", .integer, true, #"42804 column "c" is of type integer but default expression is of type text"#),
    ("1", .boolean, false, #"42804 column "c" is of type boolean but expression is of type integer"#),
    ("i", .uuid, true, #"42804 column "c" is of type uuid but default expression is of type integer"#),
  ])
  func `of another type is refused`(text: String, type: DatumType, isDefault: Bool, result: String) throws {
    #expect(try Self.value(text, type, isDefault: isDefault) == result)
  }

  @Test func `is a condition only if it is true or false`() throws {
    let scope = try Samples.scope()
    #expect(try scope.condition(Samples.expression("i > 1"), of: "CHECK").type == .boolean)
    let problem = #expect(throws: ExpressionProblem.self) {
      try scope.condition(Samples.expression("i"), of: "CHECK")
    }
    #expect(problem?.description == "argument of CHECK must be type boolean, not type integer")
  }
}
