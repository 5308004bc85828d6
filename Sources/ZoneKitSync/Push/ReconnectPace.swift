import ZoneKitRecords

/// The pause before a device reconnects to the push service. It is short at first and grows while connections are
/// closed soon after they were accepted, as when two copies of a device use the same token.
package struct ReconnectPace: Hashable, Sendable {
  /// The first pause, in milliseconds.
  package static let firstWait: Int64 = 100
  /// The longest pause, in milliseconds. A connection that lasts this long resets the pause.
  package static let longestWait: Int64 = 5_000

  private var wait = firstWait
  private var welcomedAt: MonotonicTime?

  /// The initial pace.
  package init() {}

  /// The push service accepted the hello. Returns whether it is the first welcome of the connection; a repeated one
  /// means nothing.
  package mutating func welcomed(at now: MonotonicTime) -> Bool {
    guard welcomedAt == nil else { return false }
    welcomedAt = now
    return true
  }

  /// A new connection is made while the last one was not lost, as for a new token.
  package mutating func connectedAnew() { welcomedAt = nil }

  /// The connection was closed or not made. Returns the pause in milliseconds.
  package mutating func next(at now: MonotonicTime) -> Int64 {
    let lasted = welcomedAt.map { now.milliseconds - $0.milliseconds } ?? 0
    welcomedAt = nil
    if lasted >= Self.longestWait { wait = Self.firstWait }
    defer { wait = min(wait * 2, Self.longestWait) }
    return wait
  }
}
