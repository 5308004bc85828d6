import ZoneKitCloud

/// A zone whose records are deleted, or would be.
package struct ZonePlan: Hashable, Sendable {
  /// The zone.
  package var zone: ZoneKey
  /// The number of its records; each becomes a tombstone.
  package var records: Int

  /// A zone with that number of records.
  package init(zone: ZoneKey, records: Int) {
    self.zone = zone
    self.records = records
  }
}
