import ZoneKitRecords

/// A zone that exists, as a request finds it.
struct LiveZone {
  var key: ZoneKey
  /// Nil for a default zone that nobody wrote to yet.
  var header: ZoneHeader?

  /// The zone's header; a default zone gets its first one here.
  func header(at now: WallTime, using generator: inout some RandomNumberGenerator) -> ZoneHeader {
    header
      ?? ZoneHeader(
        zoneName: key.zoneName, incarnation: generator.next(), sequence: 0, databaseSequence: 0, at: now)
  }
}
