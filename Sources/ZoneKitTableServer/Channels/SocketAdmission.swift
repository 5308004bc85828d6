import ZoneKitRecords

/// Limits how fast sockets are opened per key and address: a client that is refused waits before it tries again, and one
/// whose socket is closed after it was opened does not (Tables over the wire, 6.1).
package struct SocketAdmission: Sendable {
  private struct Bucket: Sendable {
    /// The sockets that may be opened now, in thousandths.
    var rest: Int64
    var filled: MonotonicTime
  }

  /// The most names that are counted at once.
  private static let countedNames = 10_000
  private let limits: ChannelLimits
  private var buckets: [String: Bucket] = [:]

  /// An admission with those limits.
  package init(_ limits: ChannelLimits = ChannelLimits()) { self.limits = limits }

  /// Takes in that a socket is asked for under that name. Returns nil if it may be opened, else the time in seconds after
  /// which one may.
  package mutating func take(_ name: String, at now: MonotonicTime) -> Int? {
    let full = Int64(limits.sockets) * 1_000
    if buckets[name] == nil, buckets.count >= Self.countedNames {
      buckets = buckets.filter { rest(of: $0.value, at: now) < full }
      guard buckets.count < Self.countedNames else { return 1 }
    }
    let left = buckets[name].map { rest(of: $0, at: now) } ?? full
    let isGranted = left >= 1_000
    buckets[name] = Bucket(rest: isGranted ? left - 1_000 : left, filled: now)
    return isGranted ? nil : 1
  }

  private func rest(of bucket: Bucket, at now: MonotonicTime) -> Int64 {
    let elapsed = max(0, now.milliseconds - bucket.filled.milliseconds)
    let (added, overflow) = elapsed.multipliedReportingOverflow(by: Int64(limits.socketsPerSecond))
    let full = Int64(limits.sockets) * 1_000
    return overflow ? full : min(full, bucket.rest + min(added, full))
  }
}
