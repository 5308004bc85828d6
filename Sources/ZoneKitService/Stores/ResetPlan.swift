/// What a reset takes away, or would.
package struct ResetPlan: Hashable, Sendable {
  /// Zones whose records go, ascending.
  package var zones: [ZonePlan]
  /// Devices whose stores are emptied, ascending by name.
  package var devices: [DevicePlan]

  /// A plan of those zones and devices.
  package init(zones: [ZonePlan], devices: [DevicePlan]) {
    self.zones = zones
    self.devices = devices
  }

  /// How many records of the cloud go.
  package var cloudRecords: Int { zones.reduce(0) { $0 + $1.records } }
}
