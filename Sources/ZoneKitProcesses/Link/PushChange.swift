import ZoneKitRecords
import ZoneKitWire

/// What a link can write otherwise in a push that it carries.
package enum PushChange: Hashable, Sendable {
  /// The notification ID is left out.
  case withoutID
  /// The notification ID is pruned away, as the last of the keys (sync semantics, 2.2).
  case prune
  /// It names a subscription that nobody knows.
  case misaddress

  /// A line of the push socket with that change; one that is no notification stays as it is.
  package func applied(to line: [UInt8]) -> [UInt8] {
    guard case .notification(var push)? = try? PushLine(line: line.dropLast()) else { return line }
    switch self {
    case .withoutID: push.notificationID = nil
    case .prune:
      push.notificationID = nil
      push.isPruned = true
    case .misaddress: push.subscriptionID = "a-subscription-that-nobody-knows"
    }
    return PushLine.notification(push).line
  }
}
