import ZoneKitRecords

/// How long a device waits before it comes back to the push service: at once nearly, and ever longer while connections are
/// cut soon after they were taken, as where two copies of a device take them from each other.
package struct ReconnectPace: Hashable, Sendable {
  /// The first wait, in milliseconds.
  package static let firstWait: Int64 = 100
  /// The longest wait, in milliseconds, and how long a connection has to last to count as good.
  package static let longestWait: Int64 = 5_000

  private var wait = firstWait
  private var welcomedAt: MonotonicTime?

  /// A pace that begins.
  package init() {}

  /// The push service has taken the hello.
  package mutating func welcomed(at now: MonotonicTime) { welcomedAt = now }

  /// The connection has ended, or was not made: how long to wait now, in milliseconds.
  package mutating func next(at now: MonotonicTime) -> Int64 {
    let lasted = welcomedAt.map { now.milliseconds - $0.milliseconds } ?? 0
    welcomedAt = nil
    if lasted >= Self.longestWait { wait = Self.firstWait }
    defer { wait = min(wait * 2, Self.longestWait) }
    return wait
  }
}
