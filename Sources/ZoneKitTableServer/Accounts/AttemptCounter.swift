import ZoneKitRecords

/// Counts tries per name over a window of time that begins with the first try.
struct AttemptCounter: Hashable, Sendable {
  private struct Window: Hashable, Sendable {
    let start: MonotonicTime
    var count: Int
  }

  private let limit: Int
  private var windows: [String: Window] = [:]

  /// A counter that allows that many tries of a name per window.
  init(limit: Int) { self.limit = limit }

  /// Counts one try for each of the names, if all of them have one left. Otherwise it counts nothing and returns the
  /// time in seconds after which there is one.
  mutating func take(_ names: [String], at now: MonotonicTime) -> Int? {
    let waits = names.compactMap { wait(of: $0, at: now) }
    if let wait = waits.max() { return wait }
    for name in names {
      if let window = windows[name], !isOver(window, at: now) {
        windows[name]?.count += 1
      } else {
        windows[name] = Window(start: now, count: 1)
      }
    }
    return nil
  }

  private mutating func wait(of name: String, at now: MonotonicTime) -> Int? {
    guard let window = windows[name], !isOver(window, at: now) else { return waitForRoom(at: now) }
    guard window.count >= limit else { return nil }
    return seconds(until: end(of: window), from: now)
  }

  /// Forgets the windows that are over if many names are counted. Returns how long a new name has to wait.
  private mutating func waitForRoom(at now: MonotonicTime) -> Int? {
    guard windows.count >= AccountLimits.countedNames else { return nil }
    windows = windows.filter { !isOver($0.value, at: now) }
    guard windows.count >= AccountLimits.countedNames else { return nil }
    return windows.values.map { end(of: $0) }.min().map { seconds(until: $0, from: now) }
  }

  private func isOver(_ window: Window, at now: MonotonicTime) -> Bool { end(of: window) <= now }

  private func end(of window: Window) -> MonotonicTime {
    window.start.advanced(byMilliseconds: AccountLimits.signInWindow)
  }

  private func seconds(until end: MonotonicTime, from now: MonotonicTime) -> Int {
    Int((end.milliseconds - now.milliseconds + 999) / 1000)
  }
}
