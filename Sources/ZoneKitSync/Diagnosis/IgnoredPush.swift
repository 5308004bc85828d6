/// Why a device ignored a push.
package enum IgnoredPush: String, CaseIterable, Hashable, Sendable {
  /// It names another account than the device's.
  case otherAccount
  /// It names a subscription that is not the device's.
  case unknownSubscription
  /// The device has already received a push of that ID.
  case duplicate

  /// The reason in words, which follow "because".
  package var text: String {
    switch self {
    case .otherAccount: "it names another account than the device's"
    case .unknownSubscription: "it names a subscription that is not the device's"
    case .duplicate: "the device had received it before"
    }
  }
}
