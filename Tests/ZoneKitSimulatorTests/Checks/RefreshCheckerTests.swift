import Testing
import ZoneKitRecords

@testable import ZoneKitSimulator

@Suite struct `the checker of refreshes` {
  private var checker = RefreshChecker()

  private static func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  private static func failed(_ missing: MissingAnswer) -> World.TableAnswer {
    .failed(.account(.refresh(token: "r")), missing)
  }

  @Test(arguments: [(9_000, false), (10_001, true)])
  mutating func `reports one whose answer was lost and that is repeated too late`(wait: Int64, isLate: Bool) {
    _ = checker.asked(1, "r", by: 0, at: Self.time(0))
    let answer = Self.failed(.answerLost(""))
    checker.answered(1, on: 0, hasFailed: answer.isLost, at: Self.time(100))
    #expect((checker.asked(2, "r", by: 0, at: Self.time(wait)) != nil) == isLate)
  }

  @Test mutating func `lets one wait that did not arrive, because it replaced no token`() {
    _ = checker.asked(1, "r", by: 0, at: Self.time(0))
    let answer = Self.failed(.notSent(""))
    checker.answered(1, on: 0, hasFailed: answer.isLost, at: Self.time(100))
    #expect(checker.asked(2, "r", by: 0, at: Self.time(60_000)) == nil)
  }

  @Test mutating func `takes the first answer to one that a link doubled`() {
    _ = checker.asked(1, "r", by: 0, at: Self.time(0))
    checker.answered(1, on: 0, hasFailed: true, at: Self.time(100))
    checker.answered(1, on: 0, hasFailed: false, at: Self.time(200))
    // The second lost answer in a row, after which the back-off may be longer.
    #expect(checker.asked(2, "r", by: 0, at: Self.time(9_000)) == nil)
    checker.answered(2, on: 0, hasFailed: true, at: Self.time(9_100))
    #expect(checker.asked(3, "r", by: 0, at: Self.time(60_000)) == nil)
  }

  @Test mutating func `reports a second one beside the first`() {
    _ = checker.asked(1, "r", by: 0, at: Self.time(0))
    #expect(checker.asked(2, "r", by: 0, at: Self.time(4_000)) != nil)
  }
}
