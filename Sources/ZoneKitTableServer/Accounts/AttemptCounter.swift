import ZoneKitRecords

/// Counts tries to sign in or up over a window of time that begins with the first try: those for an account from a place,
/// those for an account from anywhere, and those from a place for any account.
///
/// An account that has signed in from a place is counted on its own there. So nobody who guesses passwords of other
/// accounts, or of this one from another place, keeps its owner out.
struct AttemptCounter: Hashable, Sendable {
  private struct Window: Hashable, Sendable {
    let start: MonotonicTime
    var count: Int
  }

  private let limits: AccountLimits
  private var windows: [Name: Window] = [:]
  /// The accounts with the places from which they signed in; those before the last `AccountLimits.countedNames / 2` are
  /// in `olderProven`.
  private var proven: Set<Name> = []
  private var olderProven: Set<Name> = []

  /// A counter with those limits.
  init(_ limits: AccountLimits) { self.limits = limits }

  /// An account has signed in from a place.
  mutating func succeeded(_ email: String, from place: String) {
    let name = Self.pair(email, place)
    guard !isProven(name) else { return }
    if proven.count >= AccountLimits.countedNames / 2 { (olderProven, proven) = (proven, []) }
    proven.insert(name)
  }

  private func isProven(_ name: Name) -> Bool { proven.contains(name) || olderProven.contains(name) }

  // An e-mail address has no space, so the three kinds of names differ.
  private static func pair(_ email: String, _ place: String) -> Name { Name("\(email) from \(place)") }

  /// Counts a try, if all that it counts for have one left. Otherwise it counts nothing and returns the time in seconds
  /// after which there is one.
  mutating func take(_ email: String, from place: String, at now: MonotonicTime) -> Int? {
    let name = Self.pair(email, place)
    var counted = [(name: name, limit: limits.signIns)]
    if !isProven(name) {
      counted += [(Name(email), limits.signInsOfMany), (Name("from \(place)"), limits.signInsOfMany)]
    }
    if let wait = counted.compactMap({ wait(of: $0.name, limit: $0.limit, at: now) }).max() { return wait }
    makeRoom(at: now)
    for (name, _) in counted {
      if let window = windows[name], !isOver(window, at: now) {
        windows[name]?.count += 1
      } else {
        windows[name] = Window(start: now, count: 1)
      }
    }
    return nil
  }

  private func wait(of name: Name, limit: Int, at now: MonotonicTime) -> Int? {
    guard let window = windows[name], !isOver(window, at: now), window.count >= limit else { return nil }
    return Int((end(of: window).milliseconds - now.milliseconds + 999) / 1000)
  }

  /// Forgets the windows that are over if many names are counted, and then those with the fewest tries: they are the
  /// farthest from their limits.
  private mutating func makeRoom(at now: MonotonicTime) {
    guard windows.count >= AccountLimits.countedNames else { return }
    windows = windows.filter { !isOver($0.value, at: now) }
    guard windows.count >= AccountLimits.countedNames else { return }
    let most = windows.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }
    windows = Dictionary(
      most.prefix(AccountLimits.countedNames / 2).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private func isOver(_ window: Window, at now: MonotonicTime) -> Bool { end(of: window) <= now }

  private func end(of window: Window) -> MonotonicTime {
    window.start.advanced(byMilliseconds: AccountLimits.signInWindow)
  }
}
