/// What a reset removes, or would remove.
package struct ResetPlan: Hashable, Sendable {
  /// The zones whose records are deleted, ascending.
  package var zones: [ZonePlan]
  /// The devices whose stores are emptied, ascending by name.
  package var devices: [DevicePlan]

  /// A plan of those zones and devices.
  package init(zones: [ZonePlan], devices: [DevicePlan]) {
    self.zones = zones
    self.devices = devices
  }

  /// The number of records that are deleted in the cloud.
  package var cloudRecords: Int { zones.reduce(0) { $0 + $1.records } }
}
