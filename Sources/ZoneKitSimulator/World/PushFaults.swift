import ZoneKitRecords

/// What becomes of the next notifications on their way to one device.
package struct PushFaults: Hashable, Sendable {
  /// What becomes of one notification.
  package enum Fate: Hashable, Sendable {
    case passed
    case dropped
    /// It takes that many milliseconds, whatever the link says.
    case late(Int64)
  }

  /// What is done to a notification.
  package enum Fault: Hashable, Sendable {
    case drop
    case duplicate
    case delay(Int64)
    /// The notification ID is pruned away, as the last of the keys (sync semantics, 2.2).
    case prune
    /// The push service left the notification ID out.
    case withoutID
    /// It names a subscription that nobody knows.
    case misaddress
    /// It waits until the next one has gone.
    case swap
  }

  /// A fault and how many notifications it is for; nil for all that come.
  package struct Rule: Hashable, Sendable {
    /// What is done.
    package var fault: Fault
    /// To how many; nil for all.
    package var count: Int?

    /// A fault for that many notifications.
    package init(_ fault: Fault, count: Int?) {
      self.fault = fault
      self.count = count
    }
  }

  /// The rules; the first one that is not used up is for the next notification.
  package var rules: [Rule] = []
  /// The last notification that came by, to be played again.
  package private(set) var last: PushNotification?
  /// How many notifications something was done to.
  package private(set) var strikes = 0
  private var swapped: PushNotification?

  /// No faults.
  package init() {}

  /// What goes on to the device in place of a notification.
  mutating func pass(_ push: PushNotification) -> [(PushNotification, Fate)] {
    last = push
    var passed = altered(push)
    if let earlier = swapped, !passed.isEmpty {
      swapped = nil
      passed.append((earlier, .passed))
    }
    return passed
  }

  private mutating func altered(_ push: PushNotification) -> [(PushNotification, Fate)] {
    var push = push
    switch takeFault() {
    case nil: return [(push, .passed)]
    case .drop: return [(push, .dropped)]
    case .duplicate: return [(push, .passed), (push, .passed)]
    case .delay(let delay): return [(push, .late(delay))]
    case .prune:
      push.notificationID = nil
      push.isPruned = true
      return [(push, .passed)]
    case .withoutID:
      push.notificationID = nil
      return [(push, .passed)]
    case .misaddress:
      push.subscriptionID = "a-subscription-that-nobody-knows"
      return [(push, .passed)]
    case .swap:
      // A second one to be swapped lets the first go.
      defer { swapped = push }
      return swapped.map { [($0, .passed)] } ?? []
    }
  }

  private mutating func takeFault() -> Fault? {
    guard let rule = rules.first else { return nil }
    strikes += 1
    if let count = rule.count {
      if count <= 1 { rules.removeFirst() } else { rules[0].count = count - 1 }
    }
    return rule.fault
  }
}
