import ZoneKitRecords

/// The part of the app's data that a sync fetches.
package struct FetchScope: Hashable, Sendable {
  /// The zones; nil for all.
  package var zones: Set<ZoneID>?

  /// Everything.
  package static let everything = FetchScope(zones: nil)

  /// The scope that covers this one and another one.
  func union(_ other: FetchScope) -> FetchScope {
    FetchScope(zones: zones.flatMap { zones in other.zones.map(zones.union) })
  }

  /// Whether the scope has that zone.
  func contains(_ zoneID: ZoneID) -> Bool { zones?.contains(zoneID) ?? true }
}
