/// A direction of a link.
package enum LinkDirection: String, CaseIterable, Hashable, Sendable {
  /// From the device to the cloud or its push gateway.
  case toServer
  /// From the cloud or its push gateway to the device.
  case toDevice
}
