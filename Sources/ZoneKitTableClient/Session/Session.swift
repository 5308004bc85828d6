import ZoneKitRecords
import ZoneKitTables

/// The right of a device to ask a service: a session, whose access token ends soon and is replaced in time.
///
/// At most one refresh is under way, because a service takes a refresh token that comes twice for a stolen one. Requests
/// wait while it is. Times are those of the monotonic clock: neither the device's wall clock nor the time in a token says
/// when it ends.
package struct Session: Hashable, Sendable {
  /// What a request may do now.
  package enum Permission: Hashable, Sendable {
    /// It is sent with that access token.
    case use(String)
    /// It waits until the tokens change or the session ends.
    case wait
    /// Nobody is signed in.
    case none
  }

  /// An instruction to the driver.
  package enum Effect: Hashable, Sendable {
    /// Continue the session with that refresh token, and pass the result to `answered`.
    case refresh(token: String)
    /// These tokens are the session's now. They are to be stored, and requests that wait are sent.
    case tokensChanged(SessionTokens)
    /// The session is over for that reason. The user has to sign in again; nothing on the device is removed.
    case lost(reason: String)
  }

  private enum State: Hashable, Sendable {
    case signedOut
    /// The access token is good until `end`.
    case valid(SessionTokens, end: MonotonicTime)
    /// A refresh is under way, whose answer is waited for until then.
    case refreshing(SessionTokens, end: MonotonicTime, until: MonotonicTime)
    /// A refresh failed for a while. The next one is due at `retryAt`.
    case waiting(SessionTokens, end: MonotonicTime, retryAt: MonotonicTime)
  }

  /// How long before its end an access token is replaced, in milliseconds.
  package static let margin: Int64 = 60_000
  /// How long the answer to a refresh may take, in milliseconds. A service takes a token that it has just replaced again
  /// for 10 s, so a refresh whose answer was lost has to be repeated before that.
  package static let answerTime: Int64 = 5_000
  /// The pause after the first failure, in milliseconds. It doubles with each further one.
  package static let firstPause: Int64 = 1_000
  /// The longest pause after failures, in milliseconds.
  package static let longestPause: Int64 = 60_000

  private var state = State.signedOut
  /// How often the refresh has failed in a row. Of failures before the first lost answer in a row none counts.
  private var failures = 0
  /// Whether the answer to the last refresh was lost.
  private var isUnanswered = false

  /// No session.
  package init() {}

  /// Whether somebody is signed in.
  package var isSignedIn: Bool { state != .signedOut }

  // MARK: Events

  /// A sign-in arrived.
  package mutating func signedIn(_ tokens: SessionTokens, at now: MonotonicTime) -> [Effect] {
    (failures, isUnanswered) = (0, false)
    state = .valid(tokens, end: now.advanced(byMilliseconds: tokens.life))
    return [.tokensChanged(tokens)]
  }

  /// The tokens were stored before a restart. Nobody knows how long ago, so the access token is replaced before it is
  /// used.
  package mutating func restored(_ tokens: SessionTokens, at now: MonotonicTime) -> [Effect] {
    (failures, isUnanswered) = (0, false)
    return refresh(tokens, at: now, end: now)
  }

  /// The user signed out. An answer to a refresh is ignored then.
  package mutating func signedOut() {
    (failures, isUnanswered) = (0, false)
    state = .signedOut
  }

  /// What a request may do. A token whose replacement fails for a while is used until it ends.
  package func permission(at now: MonotonicTime) -> Permission {
    switch state {
    case .signedOut: .none
    case .refreshing: .wait
    case .valid(let tokens, let end), .waiting(let tokens, let end, _): now < end ? .use(tokens.access) : .wait
    }
  }

  /// The service refused a request because of that access token. If it was replaced since, the request is only sent
  /// again.
  package mutating func refused(_ access: String, at now: MonotonicTime) -> [Effect] {
    switch state {
    case .signedOut, .refreshing: return []
    case .valid(let tokens, _):
      return tokens.access == access ? refresh(tokens, at: now, end: now) : []
    case .waiting(let tokens, let end, let retryAt):
      // The pause goes on. Without it, each request of a device would ask a service that cannot answer.
      guard tokens.access == access else { return [] }
      state = .waiting(tokens, end: min(end, now), retryAt: retryAt)
      return []
    }
  }

  /// The result of a refresh arrived. Tokens that come after the time for the answer are used all the same.
  package mutating func answered(_ result: Result<SessionTokens, SessionError>, at now: MonotonicTime) -> [Effect] {
    switch (state, result) {
    case (.refreshing, .success(let tokens)), (.waiting, .success(let tokens)): return signedIn(tokens, at: now)
    case (.refreshing, .failure(let error)) where error.failure.endsSession:
      signedOut()
      return [.lost(reason: error.reason)]
    case (.refreshing(let tokens, let end, _), .failure(let error)):
      // A service takes a token that it has replaced again for a short time only. The first repeat therefore does not wait
      // for failures that it answered.
      if error.failure == .unanswered, !isUnanswered { failures = 0 }
      isUnanswered = error.failure == .unanswered
      var pause = min(Self.firstPause << Int64(min(failures, 10)), Self.longestPause)
      if case .transient(let asked?) = error.failure { pause = max(pause, asked) }
      failures += 1
      state = .waiting(tokens, end: end, retryAt: now.advanced(byMilliseconds: pause))
      return []
    case (.signedOut, _), (.valid, _), (.waiting, .failure): return []
    }
  }

  /// There is a new link. A refresh that waits is tried at once.
  package mutating func linkRestored(at now: MonotonicTime) -> [Effect] {
    guard case .waiting(let tokens, let end, _) = state else { return [] }
    failures = 0
    return refresh(tokens, at: now, end: end)
  }

  /// A deadline has passed.
  package mutating func tick(at now: MonotonicTime) -> [Effect] {
    guard let nextDeadline, nextDeadline <= now else { return [] }
    switch state {
    case .signedOut: return []
    case .refreshing: return answered(.failure(Self.noAnswer), at: now)
    case .valid(let tokens, let end), .waiting(let tokens, let end, _): return refresh(tokens, at: now, end: end)
    }
  }

  private static let noAnswer = SessionError(.unanswered, "the session's refresh was not answered")

  /// When `tick` has something to do next; nil if only an event can change the state.
  package var nextDeadline: MonotonicTime? {
    switch state {
    case .signedOut: nil
    case .refreshing(_, _, let until): until
    case .valid(let tokens, let end): end.advanced(byMilliseconds: -min(Self.margin, max(tokens.life / 2, 0)))
    case .waiting(_, _, let retryAt): retryAt
    }
  }

  private mutating func refresh(_ tokens: SessionTokens, at now: MonotonicTime, end: MonotonicTime) -> [Effect] {
    state = .refreshing(tokens, end: end, until: now.advanced(byMilliseconds: Self.answerTime))
    return [.refresh(token: tokens.refresh)]
  }
}
