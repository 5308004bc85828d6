/// What can happen to a push on its way to a device: a notification of the push service, or the event of a channel.
package enum PushFault: Hashable, Sendable {
  /// It never arrives.
  case drop
  /// It arrives twice.
  case duplicate
  /// It arrives right after the push to the same receiver that follows it.
  case swap
  /// It arrives so much later, and may be overtaken meanwhile.
  case delay(milliseconds: Int64)
  /// It arrives as a push does that was too large: a notification without its ID, which is pruned last (sync semantics,
  /// 2.2), an event without the large values of its row.
  case prune
  /// A notification arrives without its ID, because the push service left it out.
  case withoutID
  /// A notification names a subscription that does not exist.
  case misaddress

  /// What a notification says when it arrives.
  package func altered(_ push: PushNotification) -> PushNotification {
    var push = push
    switch self {
    case .drop, .duplicate, .swap, .delay: return push
    case .prune:
      push.notificationID = nil
      push.isPruned = true
    case .withoutID: push.notificationID = nil
    case .misaddress: push.subscriptionID = "a-subscription-that-nobody-knows"
    }
    push.payload = nil
    return push
  }

  /// What happens to a push, in a few words.
  package var summary: String {
    switch self {
    case .drop: "lost"
    case .duplicate: "sent twice"
    case .swap: "sent behind the next one"
    case .delay(let milliseconds): "sent \(milliseconds) ms late"
    case .prune: "cut as a too large one"
    case .withoutID: "sent without its ID"
    case .misaddress: "sent for another subscription"
    }
  }

  /// Whether the fault can change an event of a channel, which has neither an ID nor a subscription.
  package var fitsEvents: Bool {
    switch self {
    case .drop, .duplicate, .swap, .delay, .prune: true
    case .withoutID, .misaddress: false
    }
  }
}
