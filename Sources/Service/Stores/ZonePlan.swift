import ZoneServer

/// A zone whose records go, or would.
package struct ZonePlan: Hashable, Sendable {
  /// The zone.
  package var zone: ZoneKey
  /// How many records it holds; each becomes a tombstone.
  package var records: Int
}
