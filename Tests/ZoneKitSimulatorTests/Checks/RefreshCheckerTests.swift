import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitSimulator

@Suite struct `the checker of refreshes` {
  private var log = LogFeed(RefreshChecker())

  private mutating func ask(_ id: UInt64, _ token: String = "r", after wait: Int64) -> Violation.Rule? {
    log.wait(wait)
    return log.add(.asked(id, .account(.refresh(token: token))))
  }

  private mutating func miss(_ id: UInt64, _ missing: MissingAnswer, after wait: Int64) {
    log.wait(wait)
    log.add(.answered(id, .failed(.account(.refresh(token: "r")), missing)))
  }

  private mutating func answer(_ id: UInt64, after wait: Int64) {
    log.wait(wait)
    log.add(.answered(id, .account(.signedOut)))
  }

  @Test(arguments: [(9_000, nil), (10_001, .retry)] as [(Int64, Violation.Rule?)])
  mutating func `reports one whose answer was lost and that is repeated too late`(
    wait: Int64, rule: Violation.Rule?
  ) {
    #expect(ask(1, after: 0) == nil)
    miss(1, .answerLost(""), after: 0)
    #expect(ask(2, after: wait) == rule)
  }

  @Test mutating func `lets one wait that did not arrive, because it replaced no token`() {
    #expect(ask(1, after: 0) == nil)
    miss(1, .notSent(""), after: 100)
    #expect(ask(2, after: 60_000) == nil)
  }

  @Test mutating func `takes the first answer to one that a link doubled`() {
    #expect(ask(1, after: 0) == nil)
    miss(1, .answerLost(""), after: 100)
    answer(1, after: 100)
    // The second lost answer in a row, after which the back-off may be longer.
    #expect(ask(2, after: 8_800) == nil)
    miss(2, .answerLost(""), after: 100)
    #expect(ask(3, after: 50_900) == nil)
  }

  @Test mutating func `reports a second one beside the first`() {
    #expect(ask(1, after: 0) == nil)
    #expect(ask(2, after: 4_999) == .requestTooEarly)
    miss(2, .answerLost(""), after: 1)
    #expect(ask(3, after: 0) == nil)
    answer(3, after: 0)
    #expect(ask(4, "b", after: 1) == nil)
  }

  @Test mutating func `takes a late answer for none`() {
    #expect(ask(1, after: 0) == nil)
    miss(1, .answerLost(""), after: 1)
    #expect(ask(2, after: 10_000) == .retry)
    #expect(ask(3, after: 20_000) == nil)
    answer(3, after: 5_000)
    #expect(ask(4, after: 25_000) == nil)
  }

  @Test(arguments: [LogEvent.suspended, .fact(.linkChanged(isOnline: false)), .processStarting])
  mutating func `lets one wait while the app cannot repeat it`(event: LogEvent) {
    #expect(ask(1, after: 0) == nil)
    log.add(event)
    #expect(ask(2, after: 10_001) == nil)
  }
}
