import ZoneKitStorage

/// What a reset removes, or would remove.
package struct ResetPlan: Hashable, Sendable {
  /// The zones whose records are deleted, in ascending order.
  package var zones: [ZonePlan]
  /// The tables of a user's own whose rows are removed, in the order of their names.
  package var tables: [RelationCounts.Table] = []
  /// The devices whose stores are emptied, in ascending order of their names.
  package var devices: [DevicePlan]

  /// A plan of those zones and devices.
  package init(zones: [ZonePlan], devices: [DevicePlan]) {
    self.zones = zones
    self.devices = devices
  }

  /// The number of records that are deleted in the cloud.
  package var cloudRecords: Int { zones.reduce(0) { $0 + $1.records } }
}
