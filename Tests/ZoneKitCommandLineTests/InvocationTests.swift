import Testing

@testable import ZoneKitCommandLine

struct InvocationTests {
  private static let options = [
    OptionSpec("--out", "FILE", help: ""), OptionSpec("--yes", help: ""),
    OptionSpec("-c", "COMMAND", help: "", isRepeatable: true),
  ]

  private static func parse(_ words: String...) throws -> Invocation { try Invocation(words, options: options) }

  private static func refusal(_ words: String...) -> String? {
    do {
      _ = try Invocation(words, options: options)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func `options stand anywhere between operands`() throws {
    let words = try Self.parse("a", "--out", "f", "b", "--yes", "c")
    #expect(words.operands == ["a", "b", "c"])
    #expect(words.value("--out") == "f")
    #expect(words.has("--yes"))
    #expect(!words.has("-c"))
  }

  @Test func `a value also stands behind an equals sign`() throws {
    #expect(try Self.parse("--out=a=b").value("--out") == "a=b")
    #expect(try Self.parse("--out=").value("--out") == "")
  }

  @Test func `a value may look like an option`() throws {
    #expect(try Self.parse("--out", "--yes").value("--out") == "--yes")
  }

  @Test func `everything behind two dashes is an operand, and one dash is one`() throws {
    #expect(try Self.parse("-", "--", "--yes", "-x").operands == ["-", "--yes", "-x"])
  }

  @Test func `a repeatable option keeps its values in order`() throws {
    #expect(try Self.parse("-c", "1", "-c", "2").all("-c") == ["1", "2"])
  }

  @Test func `what cannot be right is refused`() {
    #expect(Self.refusal("--oat", "f") == "unknown option --oat; did you mean --out?")
    #expect(Self.refusal("--out") == "--out needs FILE")
    #expect(Self.refusal("--yes=1") == "--yes takes no value")
    #expect(Self.refusal("--yes", "--yes") == "--yes was given twice")
  }

  @Test func `operands are counted by their names`() throws {
    let words = try Self.parse("a", "b")
    #expect(try words.operands("A", "B") == ["a", "b"])
    #expect(throws: ExitFailure.self) { try words.operands("A") }
    #expect(throws: ExitFailure.self) { try words.operands("A", "B", "C") }
  }

  @Test(arguments: [("0", true), ("10", true), ("-1", false), ("11", false), ("x", false), ("", false)])
  func `a number stays in its range`(text: String, isTaken: Bool) throws {
    let words = try Self.parse("--out", text)
    let number = try? words.number("--out", in: 0...10, default: 5)
    #expect((number != nil) == isTaken)
    #expect(try Self.parse().number("--out", in: 0...10, default: 5) == 5)
  }
}
