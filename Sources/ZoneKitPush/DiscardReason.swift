extension PushGateway {
  /// The reason for discarding a notification, in APNs' own words (sync semantics, 2.3).
  package enum DiscardReason: String, CaseIterable, Hashable, Comparable, Sendable {
    /// The device is not connected, and the policy allows no storing.
    case deviceOffline = "device offline"
    /// It waited longer than its time to live.
    case expired
    /// A newer notification replaced it in the single slot of the device.
    case overwritten = "overwritten by a newer notification"
    /// The payload is too long even after pruning.
    case payloadTooLarge = "PayloadTooLarge"
    /// The token was unregistered, or registered by another user.
    case tokenNotActive = "token not active"

    /// Orders reasons by their raw values.
    package static func < (first: DiscardReason, second: DiscardReason) -> Bool {
      first.rawValue.utf8.lexicographicallyPrecedes(second.rawValue.utf8)
    }
  }
}
