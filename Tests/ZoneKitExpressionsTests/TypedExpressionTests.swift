import Testing
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSchema

@Suite struct `an expression with types` {
  @Test(arguments: [
    ("i = 7", [1]), ("x || z", [9, 23]), ("exists (select 1 from q where q.i = t.i and q.k > id)", [0, 1]),
    ("exists (select 1 from q where exists (select 1 from q r where r.k = t.s))", [2]), ("1 + 1", []),
    ("i in (select q.i from q)", [1]),
  ])
  func `knows the columns that it uses`(text: String, columns: [Int]) throws {
    #expect(try Samples.typed(text).columns == Set(columns.map { ColumnPlace(column: $0) }))
  }

  @Test func `knows the tables that its queries read`() throws {
    let names = try Samples.names()
    let (own, other) = (try #require(names.relation(SQLName("t"))), try #require(names.relation(SQLName("q"))))
    #expect(try Samples.typed("i = 7").relations == [])
    #expect(try Samples.typed("exists (select 1 from q where i in (select t.id from t))").relations == [own, other])
  }

  @Test(arguments: [
    ("1 + 1", true), ("'a' || 'b'", true), ("lower('A')", true), ("i", false), ("now()", false),
    ("gen_random_uuid()", false), ("auth.uid() is null", false), ("(select 1)", false),
  ])
  func `is constant if nothing can change it`(text: String, isConstant: Bool) throws {
    #expect(try Samples.typed(text).isConstant == isConstant)
  }

  @Test func `is equal to one that computes the same`() throws {
    #expect(try Samples.typed("i = 7 and x = 'a'") == Samples.typed("t.i=7  AND  (x = 'a')"))
    #expect(try Samples.typed("i = 7") != Samples.typed("i = 8"))
    #expect(try Samples.typed("'a'") != Samples.typed("'a'::varchar"))
  }

  @Test func `says each conversion`() throws {
    let typed = try Samples.typed("i = l")
    guard case .binary(let left, .equal, let right) = typed.kind else {
      Issue.record("no comparison")
      return
    }
    #expect(left.type == .bigint)
    #expect(right == TypedExpression(.column(ColumnPlace(column: 3)), .bigint))
    #expect(left.kind == .converted(TypedExpression(.column(ColumnPlace(column: 1)), .integer), isExplicit: false))
  }

  @Test func `has a constant of the type that it is used as`() throws {
    guard case .binary(_, _, let right) = try Samples.typed("l = 7").kind else {
      Issue.record("no comparison")
      return
    }
    #expect(right == TypedExpression(.constant(.integer(7)), .bigint))
  }

  @Test func `writes a list as an array`() throws {
    guard case .quantified(_, .equal, .any, let array) = try Samples.typed("i in (1, 2)").kind else {
      Issue.record("no list")
      return
    }
    #expect(array.type == .array(.integer))
  }

  @Test func `is refused with the place of what is wrong`() throws {
    let text = "create policy p on t using (i = 1 and nope = 2)"
    guard case .createPolicy(let policy)? = try Samples.statements(text).first else { return }
    let using = try #require(policy.using)
    let problem = #expect(throws: ExpressionProblem.self) { try Samples.scope().resolve(using) }
    #expect(problem?.offset.bytes == 38)
  }

  @Test func `may be about several tables`() throws {
    let names = try Samples.names()
    let shape = try #require(names.relation(SQLName("q")))
    let scope = ExpressionScope(names, [RowSource(shape, as: "old"), RowSource(shape, as: "new")])
    let typed = try scope.resolve(Samples.expression("old.k < new.k"))
    let rows = try Samples.others.map { try Samples.data($0, of: shape) }
    #expect(try typed.value(in: [rows[0], rows[1]], Samples.context()) == .boolean(true))
    let problem = #expect(throws: ExpressionProblem.self) { try scope.resolve(Samples.expression("k = 1")) }
    #expect(problem?.failure.code == .ambiguousColumn)
  }

  @Test func `fails as the rows of a table do`() throws {
    let context = EvaluationContext(
      now: 0, randomUUID: { UUID(high: 0, low: 0) },
      rows: { (_) throws(SQLFailure) in throw SQLFailure(.invalidParameter, "no rows") })
    #expect(try Samples.value("exists (select 1 from q)", context) == "22023 no rows")
    #expect(try Samples.value("false and exists (select 1 from q)", context) == "false")
  }
}
