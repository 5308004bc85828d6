import ZoneKitRecords

/// What can happen to a push on its way to a device.
package enum PushFault: Hashable, Sendable {
  /// It never arrives.
  case drop
  /// It arrives twice.
  case duplicate
  /// It arrives right after the push that follows it.
  case swap
  /// It arrives so much later, and may be overtaken meanwhile.
  case delay(TimeSpan)
  /// It arrives as a push does that was too large: the notification ID is pruned away, as the last of the keys (sync
  /// semantics, 2.2).
  case prune
  /// It arrives without a notification ID, because the push service left it out.
  case withoutID
  /// It names a subscription that does not exist.
  case misaddress

  /// What the push says when it arrives.
  package func altered(_ push: PushNotification) -> PushNotification {
    var push = push
    switch self {
    case .drop, .duplicate, .swap, .delay: break
    case .prune:
      push.notificationID = nil
      push.isPruned = true
    case .withoutID: push.notificationID = nil
    case .misaddress: push.subscriptionID = "a-subscription-that-nobody-knows"
    }
    return push
  }
}
