import ZoneKitRecords

/// Limits how fast sockets are opened per address, and per key and address: a client that is refused waits before it tries
/// again, and one whose socket is closed after it was opened does not (Tables over the wire, 6.1).
package struct SocketAdmission: Sendable {
  /// What is counted.
  private struct Source: Hashable {
    let address: String
    /// The key; nil for all keys of the address.
    let key: String?
  }

  private struct Bucket: Sendable {
    /// The sockets that may be opened now, in thousandths.
    var rest: Int64
    var filled: MonotonicTime
  }

  /// The most sources that are counted at once.
  private static let countedSources = 10_000
  private let limits: ChannelLimits
  private var buckets: [Source: Bucket] = [:]

  /// An admission with those limits.
  package init(_ limits: ChannelLimits = ChannelLimits()) { self.limits = limits }

  /// A socket is asked for with that key from that address. A word that is no key of the server is the same key as
  /// every other such word, and nil. Returns nil if it may be opened, else the time in seconds after which one may.
  package mutating func take(key: String?, from address: String, at now: MonotonicTime) -> Int? {
    let sources = [Source(address: address, key: nil), Source(address: address, key: key ?? "")]
    if buckets.count + sources.count > Self.countedSources {
      buckets = buckets.filter { rest(of: $0.value, at: now, of: $0.key) < full($0.key) }
      guard buckets.count + sources.count <= Self.countedSources else { return 1 }
    }
    let rests = sources.map { source in buckets[source].map { rest(of: $0, at: now, of: source) } ?? full(source) }
    let isGranted = rests.allSatisfy { $0 >= 1_000 }
    for (source, left) in zip(sources, rests) {
      buckets[source] = Bucket(rest: isGranted ? left - 1_000 : left, filled: now)
    }
    return isGranted ? nil : 1
  }

  private func full(_ source: Source) -> Int64 {
    Int64(source.key == nil ? limits.addressSockets : limits.sockets) * 1_000
  }

  private func rest(of bucket: Bucket, at now: MonotonicTime, of source: Source) -> Int64 {
    let perSecond = Int64(source.key == nil ? limits.addressSocketsPerSecond : limits.socketsPerSecond)
    let elapsed = max(0, now.milliseconds - bucket.filled.milliseconds)
    let (added, overflow) = elapsed.multipliedReportingOverflow(by: perSecond)
    return overflow ? full(source) : min(full(source), bucket.rest + min(added, full(source)))
  }
}
