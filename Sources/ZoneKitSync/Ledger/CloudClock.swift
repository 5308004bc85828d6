import ZoneKitRecords

/// The cloud's clock as a device knows it: the last time that the cloud named, and when the device heard it.
struct CloudClock: Hashable, Sendable {
  private struct Reading: Hashable, Sendable {
    var cloud: WallTime
    var heardAt: MonotonicTime
  }

  private var last: Reading?

  /// The cloud has just named the time at which it committed what this device wrote.
  mutating func heard(_ cloud: WallTime?, at now: Moment) {
    if let cloud { last = Reading(cloud: cloud, heardAt: now.monotonic) }
  }

  /// The time on the cloud's clock, rather too early than too late. `offset` is the cloud's clock minus the device's as it
  /// was found once; it is wrong after somebody sets the device's clock, but time passes alike on both.
  func time(at now: Moment, offset: Int64?) -> WallTime {
    let byWall = now.wall.advanced(byMilliseconds: offset ?? 0)
    guard let last else { return byWall }
    let passed = now.monotonic.milliseconds - last.heardAt.milliseconds
    return min(byWall, last.cloud.advanced(byMilliseconds: passed))
  }
}
