extension PushGateway {
  /// Why a notification was dropped, in APNs's own words (sync semantics, 2.3).
  package enum DiscardReason: String, CaseIterable, Hashable, Comparable, Sendable {
    /// The device is away and nothing may be stored for it.
    case deviceOffline = "device offline"
    /// It waited longer than its time to live.
    case expired
    /// Another one took its place.
    case overwritten = "overwritten by a newer notification"
    /// It is too long even when pruned.
    case payloadTooLarge = "PayloadTooLarge"
    /// The token came to its end, or went to another user.
    case tokenNotActive = "token not active"

    /// Orders reasons by their bytes.
    package static func < (first: DiscardReason, second: DiscardReason) -> Bool {
      first.rawValue.utf8.lexicographicallyPrecedes(second.rawValue.utf8)
    }
  }
}
