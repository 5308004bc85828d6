import ZoneKitRecords

/// A zone that exists.
struct LiveZone {
  var key: ZoneKey
  /// The header; nil for a default zone to which nothing was ever written.
  var header: ZoneHeader?

  /// The zone's header. A default zone without one gets its first header.
  func header(at now: WallTime, using generator: inout some RandomNumberGenerator) -> ZoneHeader {
    header
      ?? ZoneHeader(
        zoneName: key.zoneName, incarnation: generator.next(), sequence: 0, databaseSequence: 0, at: now)
  }
}
