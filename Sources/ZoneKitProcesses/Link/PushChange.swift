import ZoneKitRecords
import ZoneKitWire

/// A change that a link makes to a push notification.
package enum PushChange: Hashable, Sendable {
  /// The notification ID is missing.
  case withoutID
  /// The notification ID is removed together with all other keys that the push service may prune; it is the last to go
  /// (sync semantics, 2.2).
  case prune
  /// The subscription ID is one that no device knows.
  case misaddress

  /// Returns a line of the push socket with the change. A line that is no notification is returned unchanged.
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
