import ZoneKitRecords

/// Makes the stamps of a device's own edits: an edit made after seeing another always has the later stamp.
///
/// A stamp more than a day ahead of the clock lies. It still must be beaten where it stands, because every device compares
/// the plain stamps; but it is not passed on: the device's other edits keep to its clock, and a device that finds its own
/// clock a day off goes by the cloud's. So a lying clock wins no more than the edits it made itself.
public struct StampClock: Hashable, Sendable {
  /// A stamp further ahead of the clock than this, in milliseconds, is called far-future: one day.
  public static let tolerance: Int64 = 86_400_000

  /// The latest stamp given that was not far in the future.
  public private(set) var last: WallTime?
  /// The cloud's clock minus the device's in milliseconds; nil as long as nobody knows.
  public var offset: Int64?

  /// A stamp for one edit.
  public struct Stamp: Hashable, Sendable {
    /// The stamp.
    public var time: WallTime
    /// Whether the edit replaces a stamp from the far future, or the device's own clock is a day off.
    public var isSuspicious: Bool
  }

  /// A clock that gave that stamp last.
  public init(last: WallTime? = nil, offset: Int64? = nil) {
    self.last = last
    self.offset = offset
  }

  /// The stamp of an edit that replaces one of stamp `replaced`: the latest of the clock, `replaced` and the last own
  /// stamp, a millisecond after the latter two.
  public mutating func stamp(replacing replaced: WallTime?, wall: WallTime) -> Stamp {
    let now = trusted(wall)
    let horizon = now.advanced(byMilliseconds: Self.tolerance)
    // A last stamp from the far future was given while the clock was wrong; going on from it would keep it wrong.
    let own = last.map { $0 > horizon ? now : max(now, $0.advanced(byMilliseconds: 1)) } ?? now
    let time = replaced.map { max(own, $0.advanced(byMilliseconds: 1)) } ?? own
    last = own
    return Stamp(time: time > horizon ? time : remember(time), isSuspicious: time > horizon || now != wall)
  }

  /// Whether a stamp lies more than a day ahead of the clock.
  public func isFarFuture(_ stamp: WallTime, wall: WallTime) -> Bool {
    stamp > trusted(wall).advanced(byMilliseconds: Self.tolerance)
  }

  private mutating func remember(_ time: WallTime) -> WallTime {
    last = time
    return time
  }

  /// The device's clock, or the cloud's where the two are more than a day apart.
  private func trusted(_ wall: WallTime) -> WallTime {
    guard let offset, offset.magnitude > UInt64(Self.tolerance) else { return wall }
    return wall.advanced(byMilliseconds: offset)
  }
}
