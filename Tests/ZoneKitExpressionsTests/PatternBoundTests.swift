import Testing
import ZoneKitExpressions

@Suite struct `a pattern` {
  private static let long = String(repeating: "a", count: 2_000)

  @Test(arguments: [
    ("(a*)*b", "false"), ("(a|aa)+$", "true"), ("^(a?){30}a{30}$", "false"), ("(a+)+c", "false"),
    ("((a*)*)*b", "false"), ("(.*)(.*)(.*)(.*)b", "false"),
  ])
  func `takes no longer than the text and itself are long`(pattern: String, result: String) throws {
    #expect(try Samples.value("'\(Self.long)' ~ '\(pattern)'") == result)
  }

  @Test func `with many gaps takes no longer than the text and itself are long`() throws {
    let pattern = String(repeating: "%a", count: 500)
    #expect(try Samples.value("'\(Self.long)' like '\(pattern)b'") == "false")
  }

  @Test(arguments: ["((a{99}){99}){99}", "(((){255}){255}){255}", "a{256}"])
  func `that would become too large is refused`(pattern: String) throws {
    #expect(throws: ExpressionProblem.self) { try Samples.typed("x ~ '\(pattern)'") }
  }

  @Test func `that is nested too deeply is refused`() throws {
    let pattern = String(repeating: "(", count: 40) + String(repeating: ")", count: 40)
    #expect(throws: ExpressionProblem.self) { try Samples.typed("x ~ '\(pattern)'") }
  }
}
