import Testing
import ZoneKitRecords

@testable import ZoneKitRelations

/// The results are those of PostgreSQL 15.
@Suite struct `a decimal number` {
  private static func number(_ text: String) throws -> Numeric { try #require(Numeric(text)) }

  @Test(arguments: [
    ("1", "+", "2.50", "3.50"), ("0.1", "+", "0.2", "0.3"), ("-5", "+", "3", "-2"), ("99.99", "+", "0.01", "100.00"),
    ("3", "-", "5.5", "-2.5"), ("100", "-", "0.01", "99.99"), ("1.5", "*", "-2.25", "-3.375"), ("0", "*", "-1", "0"),
    ("1", "/", "3", "0.33333333333333333333"), ("10", "/", "4", "2.5000000000000000"),
    ("1000000", "/", "7", "142857.142857142857"), ("2", "/", "30000", "0.000066666666666666666667"),
    ("-7", "/", "2.00", "-3.5000000000000000"), ("7", "%", "3", "1"), ("-7", "%", "3", "-1"),
    ("7.5", "%", "0.2", "0.1"),
    ("NaN", "+", "1", "NaN"), ("Infinity", "-", "Infinity", "NaN"), ("Infinity", "*", "-2", "-Infinity"),
    ("1", "/", "Infinity", "0"),
  ])
  func `is computed as PostgreSQL does`(left: String, mark: String, right: String, result: String) throws {
    let (first, second) = (try Self.number(left), try Self.number(right))
    let computed: Numeric =
      switch mark {
      case "+": first + second
      case "-": first - second
      case "*": first * second
      case "/": try first.divided(by: second)
      default: try first.remainder(of: second)
      }
    #expect(computed.text == result)
  }

  @Test func `is not divided by zero`() throws {
    #expect(throws: SQLFailure(.divisionByZero, "division by zero")) { try Numeric(1).divided(by: .zero) }
    #expect(throws: SQLFailure(.divisionByZero, "division by zero")) { try Numeric(1).remainder(of: .zero) }
  }

  @Test func `equals another one with more zeros, and hashes alike`() throws {
    let (short, long) = (try Self.number("1.5"), try Self.number("1.500"))
    #expect(short == long)
    #expect(Set([short, long]).count == 1)
    #expect(try Self.number("0.00") == .zero)
    #expect(try Self.number("100") != Self.number("1"))
  }

  @Test func `is in order by its value, and no number is the greatest`() throws {
    let texts = ["-Infinity", "-10", "-9.99", "-0.1", "0", "0.05", "0.5", "1", "9.99", "10", "Infinity", "NaN"]
    let numbers = try texts.map { try Self.number($0) }
    #expect(numbers.reversed().sorted().map(\.text) == texts)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `of few digits is computed like an integer`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let (left, right) = (
      Int64.random(in: -99_999...99_999, using: &generator), Int64.random(in: -99_999...99_999, using: &generator)
    )
    #expect(Numeric(left) + Numeric(right) == Numeric(left + right))
    #expect(Numeric(left) - Numeric(right) == Numeric(left - right))
    #expect(Numeric(left) * Numeric(right) == Numeric(left * right))
    #expect((Numeric(left) < Numeric(right)) == (left < right))
    guard right != 0 else { return }
    #expect(try Numeric(left).remainder(of: Numeric(right)) == Numeric(left % right))
  }
}
