import ZoneKitWire

/// What a device has asked the cloud since counting began, as its link heard it.
struct DeviceTraffic {
  /// When each request went out, in milliseconds of the world's own clock, oldest first.
  private(set) var times: [Int64] = []
  /// How many zone feed requests were under way at once, at most.
  private(set) var mostZoneFetches = 0
  /// How many requests saved or deleted records.
  private(set) var writes = 0
  private var zoneFetches = 0

  /// The shortest time between two requests, in milliseconds; nil where there were no two.
  var closest: Int64? { zip(times.dropFirst(), times).map { $0 - $1 }.min() }

  /// A request goes out.
  mutating func asked(_ endpoint: Endpoint?, at time: Int64) {
    times.append(time)
    if endpoint == .recordsModify { writes += 1 }
    if endpoint == .changesZone { zoneFetches += 1 }
    mostZoneFetches = max(mostZoneFetches, zoneFetches)
  }

  /// No more is to be expected of a request.
  mutating func ended(_ endpoint: Endpoint?) {
    if endpoint == .changesZone { zoneFetches -= 1 }
  }

  /// Counts from now on.
  mutating func countAnew() {
    times = []
    writes = 0
    mostZoneFetches = zoneFetches
  }
}
