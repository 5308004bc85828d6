import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitTableClient

@Suite struct `a session` {
  private var session = Session()
  private let first = SessionTokens(access: "a1", refresh: "r1", life: 3_600_000)
  private let second = SessionTokens(access: "a2", refresh: "r2", life: 3_600_000)

  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  private func failed(_ failure: SessionFailure) -> Result<SessionTokens, SessionError> {
    .failure(SessionError(failure, "no"))
  }

  /// Signs in at time 0 and lets the refresh begin that is due before the end.
  private mutating func refresh() -> [Session.Effect] {
    _ = session.signedIn(first, at: time(0))
    return session.tick(at: time(3_540_000))
  }

  @Test func `of nobody lets nothing through and has nothing to do`() {
    #expect(session.permission(at: time(0)) == .none)
    #expect(session.nextDeadline == nil)
    #expect(!session.isSignedIn)
  }

  @Test mutating func `gives each request its token after a sign-in`() {
    #expect(session.signedIn(first, at: time(5)) == [.tokensChanged(first)])
    #expect(session.permission(at: time(6)) == .use("a1"))
    #expect(session.isSignedIn)
  }

  @Test mutating func `is refreshed a minute before the token ends, and holds requests back`() {
    _ = session.signedIn(first, at: time(0))
    #expect(session.nextDeadline == time(3_540_000))
    #expect(session.tick(at: time(3_539_999)) == [])
    #expect(session.tick(at: time(3_540_000)) == [.refresh(token: "r1")])
    #expect(session.permission(at: time(3_540_001)) == .wait)
    #expect(session.nextDeadline == time(3_545_000))
    #expect(session.answered(.success(second), at: time(3_540_100)) == [.tokensChanged(second)])
    #expect(session.permission(at: time(3_540_101)) == .use("a2"))
    #expect(session.nextDeadline == time(3_540_100 + 3_540_000))
  }

  @Test mutating func `with a short token is refreshed after half its life`() {
    _ = session.signedIn(SessionTokens(access: "a", refresh: "r", life: 90_000), at: time(0))
    #expect(session.nextDeadline == time(45_000))
  }

  @Test mutating func `is refreshed once, also if more happens meanwhile`() {
    #expect(refresh() == [.refresh(token: "r1")])
    #expect(session.tick(at: time(3_544_999)) == [])
    #expect(session.refused("a1", at: time(3_544_999)) == [])
    #expect(session.linkRestored(at: time(3_544_999)) == [])
  }

  @Test mutating func `is refreshed again in time if no answer comes`() {
    #expect(refresh() == [.refresh(token: "r1")])
    #expect(session.tick(at: time(3_545_000)) == [])
    #expect(session.permission(at: time(3_545_000)) == .use("a1"))
    #expect(session.nextDeadline == time(3_546_000))
    #expect(session.tick(at: time(3_546_000)) == [.refresh(token: "r1")])
  }

  @Test mutating func `takes tokens that come after the time for the answer`() {
    _ = refresh()
    _ = session.tick(at: time(3_545_000))
    #expect(session.answered(.success(second), at: time(3_545_500)) == [.tokensChanged(second)])
    #expect(session.permission(at: time(3_546_000)) == .use("a2"))
  }

  @Test mutating func `is refreshed when the service refuses its token`() {
    _ = session.signedIn(first, at: time(0))
    #expect(session.refused("a1", at: time(10)) == [.refresh(token: "r1")])
    _ = session.answered(.success(second), at: time(20))
    #expect(session.refused("a1", at: time(30)) == [])
    #expect(session.permission(at: time(30)) == .use("a2"))
    #expect(session.refused("a2", at: time(40)) == [.refresh(token: "r2")])
  }

  @Test mutating func `is tried again after growing pauses while the service cannot answer`() {
    _ = refresh()
    var now: Int64 = 3_540_000
    for pause: Int64 in [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000] {
      #expect(session.answered(failed(.transient(retryAfter: nil)), at: time(now)) == [])
      #expect(session.nextDeadline == time(now + pause))
      #expect(session.tick(at: time(now + pause - 1)) == [])
      #expect(session.tick(at: time(now + pause)) == [.refresh(token: "r1")])
      now += pause
    }
    _ = session.answered(.success(second), at: time(now))
    _ = session.refused("a2", at: time(now))
    _ = session.answered(failed(.transient(retryAfter: nil)), at: time(now))
    #expect(session.nextDeadline == time(now + 1_000))
  }

  @Test mutating func `is repeated soon after the first lost answer, whatever failed before`() {
    _ = refresh()
    var now: Int64 = 3_540_000
    let failures: [(SessionFailure, pause: Int64)] = [
      (.transient(retryAfter: nil), 1_000), (.transient(retryAfter: nil), 2_000), (.unanswered, 1_000),
      (.unanswered, 2_000), (.unanswered, 4_000), (.transient(retryAfter: nil), 8_000), (.unanswered, 1_000),
    ]
    for (failure, pause) in failures {
      #expect(session.answered(failed(failure), at: time(now)) == [])
      #expect(session.nextDeadline == time(now + pause))
      now += pause
      #expect(session.tick(at: time(now)) == [.refresh(token: "r1")])
    }
    // No answer in time is a lost one.
    #expect(session.tick(at: time(now + Session.answerTime)) == [])
    #expect(session.nextDeadline == time(now + Session.answerTime + 2_000))
  }

  @Test mutating func `is not tried again before the service asked for it`() {
    _ = refresh()
    _ = session.answered(failed(.transient(retryAfter: 9_000)), at: time(3_540_000))
    #expect(session.nextDeadline == time(3_549_000))
  }

  @Test mutating func `uses its token to the end while the refresh fails`() {
    _ = refresh()
    _ = session.answered(failed(.transient(retryAfter: nil)), at: time(3_540_000))
    #expect(session.permission(at: time(3_599_999)) == .use("a1"))
    #expect(session.permission(at: time(3_600_000)) == .wait)
  }

  @Test mutating func `uses no token that was refused while the refresh fails, and keeps its pause`() {
    _ = refresh()
    _ = session.answered(failed(.transient(retryAfter: nil)), at: time(3_540_000))
    #expect(session.refused("a0", at: time(3_540_010)) == [])
    #expect(session.permission(at: time(3_540_020)) == .use("a1"))
    #expect(session.refused("a1", at: time(3_540_030)) == [])
    #expect(session.permission(at: time(3_540_040)) == .wait)
    #expect(session.nextDeadline == time(3_541_000))
  }

  @Test mutating func `is refreshed at once over a new link, with the first pause after the next failure`() {
    _ = refresh()
    for now: Int64 in [3_540_000, 3_541_000] {
      _ = session.answered(failed(.transient(retryAfter: nil)), at: time(now))
      if now == 3_540_000 { _ = session.tick(at: time(3_541_000)) }
    }
    #expect(session.linkRestored(at: time(3_541_500)) == [.refresh(token: "r1")])
    _ = session.answered(failed(.transient(retryAfter: nil)), at: time(3_541_500))
    #expect(session.nextDeadline == time(3_542_500))
    _ = session.signedIn(second, at: time(3_542_000))
    #expect(session.linkRestored(at: time(3_542_001)) == [])
  }

  @Test(arguments: [
    "refresh_token_not_found", "refresh_token_already_used", "session_not_found", "session_expired",
  ])
  mutating func `is lost with the codes that end it`(code: String) {
    _ = refresh()
    #expect(session.answered(failed(.refused(code)), at: time(3_540_001)) == [.lost(reason: "no")])
    #expect(session.permission(at: time(3_540_002)) == .none)
    #expect(session.nextDeadline == nil)
  }

  @Test(arguments: ["over_request_rate_limit", "unexpected_failure", "validation_failed"])
  mutating func `is not lost with other codes`(code: String) {
    _ = refresh()
    #expect(session.answered(failed(.refused(code)), at: time(3_540_001)) == [])
    #expect(session.isSignedIn)
    #expect(session.nextDeadline == time(3_541_001))
  }

  @Test mutating func `refreshes tokens of an earlier start before it uses them`() {
    #expect(session.restored(first, at: time(7)) == [.refresh(token: "r1")])
    #expect(session.permission(at: time(8)) == .wait)
    _ = session.answered(failed(.transient(retryAfter: nil)), at: time(9))
    #expect(session.permission(at: time(10)) == .wait)
    _ = session.tick(at: time(1_009))
    #expect(session.answered(.success(second), at: time(1_010)) == [.tokensChanged(second)])
  }

  @Test mutating func `ignores an answer after the user signed out`() {
    _ = refresh()
    session.signedOut()
    #expect(session.answered(.success(second), at: time(3_540_001)) == [])
    #expect(session.permission(at: time(3_540_002)) == .none)
    #expect(session.refused("a1", at: time(3_540_002)) == [])
    #expect(session.tick(at: time(9_999_999)) == [])
  }
}
