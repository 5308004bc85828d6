import ZoneKitRecords

/// The cloud's clock as the device knows it: the last time that the cloud reported, and when the device received it.
struct CloudClock: Hashable, Sendable {
  private struct Reading: Hashable, Sendable {
    var cloud: WallTime
    var heardAt: MonotonicTime
  }

  private var last: Reading?

  /// The cloud committed at that time what this device sent.
  mutating func heard(_ cloud: WallTime?, at now: Moment) {
    if let cloud { last = Reading(cloud: cloud, heardAt: now.monotonic) }
  }

  /// The present time of the cloud's clock; if it is not known exactly, rather too early than too late. `offset` is the
  /// stored difference between the cloud's clock and the device's. It is wrong after the device's clock was set, but
  /// time passes at the same rate on both.
  func time(at now: Moment, offset: Int64?) -> WallTime {
    let byWall = now.wall.advanced(byMilliseconds: offset ?? 0)
    guard let last else { return byWall }
    let passed = now.monotonic.milliseconds - last.heardAt.milliseconds
    return min(byWall, last.cloud.advanced(byMilliseconds: passed))
  }
}
