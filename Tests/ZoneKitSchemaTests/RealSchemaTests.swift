import Testing
import ZoneKitRecords
import ZoneKitSQL
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `schemas as people write them` {
  @Test(arguments: [(Samples.teams, 39), (Samples.shop, 37), (Samples.chat, 52)])
  func `have no problem`(text: String, statements: Int) throws {
    let reading = try Samples.reading(text)
    #expect(reading.problems == [])
    #expect(reading.statements.count == statements)
  }

  @Test(arguments: [Samples.teams, Samples.shop, Samples.chat])
  func `say the same in their normal form`(text: String) throws {
    let reading = try Samples.reading(text)
    let normal = reading.statements.map { $0.statement.sql + ";\n" }.joined()
    let again = try Samples.reading(normal)
    #expect(again.problems == [])
    #expect(again.statements == reading.statements)
    #expect(again.statements.map { $0.statement.sql + ";\n" }.joined() == normal)
  }

  @Test(arguments: [Samples.teams, Samples.shop, Samples.chat])
  func `have each statement at its first word`(text: String) throws {
    let verbs = [
      "alter", "begin", "comment", "commit", "create", "drop", "grant", "insert", "revoke", "select", "set",
    ]
    for statement in try Samples.reading(text).statements {
      let word = text.utf8.dropFirst(statement.offset.bytes).prefix { $0 != 0x20 && $0 != 0x3B }
      #expect(verbs.contains(String(decoding: word, as: UTF8.self).lowercased()))
    }
  }

  @Test func `keep what is written`() throws {
    let statements = try Samples.reading(Samples.teams).statements.map(\.statement)
    let set = RoutineBody.Step.assign(
      SQLColumn(table: "new", "updated_at"), SQLExpression(.call(SQLName("now"), [])))
    #expect(
      statements.contains { statement in
        guard case .createFunction(let function) = statement, case .steps(let body) = function.body else {
          return false
        }
        return function.name == SQLName(schema: "public", "touch_updated_at") && body.steps.first == set
      })
    #expect(
      statements.contains(
        .createTrigger(
          CreateTrigger(
            "tasks_touch", on: SQLName(schema: "public", "tasks"),
            calls: SQLName(schema: "public", "touch_updated_at")))))
    #expect(
      statements.contains(
        .comment(
          CommentStatement(.table(SQLName(schema: "public", "tasks")), "Work of a team. @zonekit arbiter updated_at"))))
    #expect(
      statements.contains(
        .alterPublication(
          .add, [SQLName(schema: "public", "tasks"), SQLName(schema: "public", "team_members")])))
    #expect(
      statements.contains(
        .insert(
          InsertRows(
            SQLName(schema: "storage", "buckets"), ["id", "name", "public"],
            [
              [
                .expression(SQLExpression(.constant(.text("avatars")))),
                .expression(SQLExpression(.constant(.text("avatars")))),
                .expression(SQLExpression(.constant(.boolean(true)))),
              ]
            ], .doesNothing(["id"])))))
  }
}
