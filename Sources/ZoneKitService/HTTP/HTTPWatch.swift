/// Watches how long a connection has been waiting for its client. It looks at the connection from time to time, so that
/// requests need no timers.
struct HTTPWatch {
  /// What a connection waits for.
  enum Wait: Hashable {
    /// Nothing that the client has to do.
    case nothing
    /// The next request, after that number of requests.
    case request(after: Int)
    /// The rest of the head of a request, after that number of requests.
    case head(after: Int)
    /// The rest of the body of the request with that number. `received` is the number of bytes that arrived so far.
    case body(of: Int, received: Int)
    /// That the client takes bytes. `unsent` is the number of bytes that wait.
    case reading(unsent: Int)
  }

  private var wait = Wait.nothing
  private var since: Int64 = 0

  /// Notes what the connection waits for now. Returns whether it has waited too long for the same thing. `isShort`
  /// tells whether the answers of all connections take much memory.
  mutating func isOver(_ present: Wait, at now: Int64, isShort: Bool) -> Bool {
    guard present.isSame(as: wait) else {
      wait = present
      since = now
      return false
    }
    guard let limit = present.limit(isShort: isShort) else { return false }
    return now - since >= limit
  }
}

extension HTTPWatch.Wait {
  fileprivate func isSame(as earlier: HTTPWatch.Wait) -> Bool {
    if case .body(let number, _) = self, case .body(number, _) = earlier { return true }
    return self == earlier
  }

  /// The limit in milliseconds; nil for none.
  fileprivate func limit(isShort: Bool) -> Int64? {
    switch self {
    case .nothing: nil
    case .request(after: 0): HTTPTimeLimits.first
    case .request: HTTPTimeLimits.idle
    case .head: HTTPTimeLimits.head
    case .body(_, let received): HTTPTimeLimits.body + Int64(received) * 1_000 / HTTPTimeLimits.bodyRate
    case .reading: isShort ? HTTPTimeLimits.unreadWhenShort : HTTPTimeLimits.unread
    }
  }
}
