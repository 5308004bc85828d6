import ZoneKitRecords

/// Makes the time stamps of a device's edits. An edit that is made after seeing another one always has the later stamp.
///
/// A stamp more than a day ahead of the clock is wrong. An edit of the same record still has to exceed it, because all
/// devices compare the plain stamps. Other edits do not depend on it: they use the device's clock or, if that is more
/// than a day off, the cloud's. So a wrong clock affects only the edits that were made with it.
public struct StampClock: Hashable, Sendable {
  /// The largest plausible distance of a stamp ahead of the clock, in milliseconds: one day.
  public static let tolerance: Int64 = 86_400_000

  /// The latest own stamp that was not far in the future.
  public private(set) var last: WallTime?
  /// The difference of the cloud's clock from the device's, in milliseconds; nil if unknown.
  public var offset: Int64?

  /// A stamp for one edit.
  public struct Stamp: Hashable, Sendable {
    /// The time.
    public var time: WallTime
    /// Whether the edit replaces a version with a stamp far in the future, or the device's own clock is more than a day
    /// off.
    public var isSuspicious: Bool
  }

  /// A clock with that last stamp.
  public init(last: WallTime? = nil, offset: Int64? = nil) {
    self.last = last
    self.offset = offset
  }

  /// The stamp of an edit that replaces a version with the stamp `replaced`: the latest of the clock, `replaced` plus 1
  /// ms, and the last own stamp plus 1 ms.
  public mutating func stamp(replacing replaced: WallTime?, wall: WallTime) -> Stamp {
    let now = trusted(wall)
    let horizon = now.advanced(byMilliseconds: Self.tolerance)
    // A last stamp far in the future was made while the clock was wrong. Continuing from it would repeat the error.
    let own = last.map { $0 > horizon ? now : max(now, $0.advanced(byMilliseconds: 1)) } ?? now
    let time = replaced.map { max(own, $0.advanced(byMilliseconds: 1)) } ?? own
    last = own
    return Stamp(time: time > horizon ? time : remember(time), isSuspicious: time > horizon || now != wall)
  }

  /// Whether a stamp is more than a day ahead of the clock.
  public func isFarFuture(_ stamp: WallTime, wall: WallTime) -> Bool {
    stamp > trusted(wall).advanced(byMilliseconds: Self.tolerance)
  }

  private mutating func remember(_ time: WallTime) -> WallTime {
    last = time
    return time
  }

  /// The device's clock; the cloud's if the two are more than a day apart.
  private func trusted(_ wall: WallTime) -> WallTime {
    guard let offset, offset.magnitude > UInt64(Self.tolerance) else { return wall }
    return wall.advanced(byMilliseconds: offset)
  }
}
