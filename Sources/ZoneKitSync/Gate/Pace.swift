/// When a sync starts after requests for it. Times are in milliseconds.
public struct Pace: Hashable, Sendable {
  /// The time without further requests after which the sync starts.
  public var quiet: Int64
  /// The longest time from the first request to the start.
  public var limit: Int64
  /// Whether a request starts a sync without waiting if the last one began at least `quiet` before.
  public var firstAtOnce: Bool
  /// Whether for that the last request counts, and not the last sync: a steady stream of requests has one first, and a launch
  /// delays none.
  public var countsRequests: Bool

  /// A pace with those times.
  public init(quiet: Int64, limit: Int64, firstAtOnce: Bool = false, countsRequests: Bool = false) {
    self.quiet = max(quiet, 0)
    self.limit = max(limit, 0)
    self.firstAtOnce = firstAtOnce
    self.countsRequests = countsRequests
  }

  /// The pace of a sync that starts without waiting for further requests.
  public static let atOnce = Pace(quiet: 0, limit: 0)

  /// Whether requests of this pace and of another one are joined: they wait for the same time without requests.
  func isJoined(with other: Pace) -> Bool { quiet == other.quiet && limit == other.limit }
}
