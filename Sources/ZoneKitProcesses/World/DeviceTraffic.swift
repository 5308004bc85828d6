import ZoneKitWire

/// The requests of a device since counting began, as its link observed them.
struct DeviceTraffic {
  /// When each request was sent, in milliseconds of the monotonic clock, oldest first.
  private(set) var times: [Int64] = []
  /// The largest number of zone feed requests in progress at the same time.
  private(set) var mostZoneFetches = 0
  /// The number of requests that saved or deleted records.
  private(set) var writes = 0
  private var zoneFetches = 0

  /// The shortest time between two requests, in milliseconds; nil if there were fewer than two.
  var closest: Int64? { zip(times.dropFirst(), times).map { $0 - $1 }.min() }

  /// Counts a request that is sent.
  mutating func asked(_ endpoint: Endpoint?, isWrite: Bool, at time: Int64) {
    times.append(time)
    if isWrite { writes += 1 }
    if endpoint == .changesZone { zoneFetches += 1 }
    mostZoneFetches = max(mostZoneFetches, zoneFetches)
  }

  /// A request was answered or lost.
  mutating func ended(_ endpoint: Endpoint?) {
    if endpoint == .changesZone { zoneFetches -= 1 }
  }

  /// Resets all counts.
  mutating func countAnew() {
    times = []
    writes = 0
    mostZoneFetches = zoneFetches
  }
}
