import ZoneKitRecords

/// Who sends a message to the cloud.
package struct CloudSender: Hashable, Sendable {
  /// The account and the device.
  package var caller: Caller
  /// The names by which faults know the device, beside its ID.
  package var names: [String]

  /// The sender of that account and device.
  package init(_ caller: Caller, called names: [String] = []) {
    self.caller = caller
    self.names = names
  }
}
