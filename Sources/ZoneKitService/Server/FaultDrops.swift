import ZoneKitRecords

/// The pushes to a receiver, or the events to a channel, that faults dropped.
struct FaultDrops {
  /// The number of times that are kept.
  static let limit = 20

  /// How many were dropped.
  private(set) var count = 0
  /// When the newest of them were dropped, the oldest first.
  private(set) var times: [WallTime] = []

  /// One was dropped at that time.
  mutating func add(_ time: WallTime) {
    count += 1
    times.append(time)
    if times.count > Self.limit { times.removeFirst() }
  }

  /// The times for the status report.
  var json: JSON { .array(times.map { .string($0.iso8601) }) }
}
