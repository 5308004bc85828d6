import ZoneKitRecords

/// The part of the app's data that a sync fetches.
package struct FetchScope: Hashable, Sendable {
  /// The zones; nil for all.
  package var zones: Set<ZoneID>?
  /// The types of records; nil for all.
  package var types: Set<Name>?

  /// Everything.
  package static let everything = FetchScope()

  /// A scope of those zones and types.
  package init(zones: Set<ZoneID>? = nil, types: Set<Name>? = nil) {
    self.zones = zones
    self.types = types
  }

  /// The scope that covers this one and another one.
  func union(_ other: FetchScope) -> FetchScope {
    FetchScope(
      zones: zones.flatMap { zones in other.zones.map(zones.union) },
      types: types.flatMap { types in other.types.map(types.union) })
  }

  /// Whether the scope has that zone.
  func contains(_ zoneID: ZoneID) -> Bool { zones?.contains(zoneID) ?? true }

  /// The types to which the query for a zone is limited, in ascending order; nil for all. A full fetch has to show
  /// everything.
  func types(for zone: ZoneState) -> [Name]? { zone.token == nil || zone.isInFullFetch ? nil : types?.sorted() }
}
