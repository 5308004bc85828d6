import ZoneKitCloud

/// A zone whose records go, or would.
package struct ZonePlan: Hashable, Sendable {
  /// The zone.
  package var zone: ZoneKey
  /// How many records it holds; each becomes a tombstone.
  package var records: Int

  /// A zone of so many records.
  package init(zone: ZoneKey, records: Int) {
    self.zone = zone
    self.records = records
  }
}
