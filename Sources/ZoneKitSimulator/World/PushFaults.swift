import ZoneKitRecords

/// The faults of the next notifications on their way to a device.
package struct PushFaults: Hashable, Sendable {
  /// What happens to one notification.
  package enum Fate: Hashable, Sendable {
    case passed
    case dropped
    /// It takes that many milliseconds, independent of the link's conditions.
    case late(Int64)
  }

  /// A fault of a notification.
  package enum Fault: Hashable, Sendable {
    case drop
    case duplicate
    case delay(Int64)
    /// The notification ID is pruned, as the last of the keys (sync semantics, 2.2).
    case prune
    /// The notification ID is missing.
    case withoutID
    /// The subscription ID is one that no device knows.
    case misaddress
    /// The notification waits until the next one has passed.
    case swap
  }

  /// A fault, and the number of notifications to which it applies.
  package struct Rule: Hashable, Sendable {
    /// The fault.
    package var fault: Fault
    /// The number of notifications; nil for all following ones.
    package var count: Int?

    /// A fault for that number of notifications.
    package init(_ fault: Fault, count: Int?) {
      self.fault = fault
      self.count = count
    }
  }

  /// The rules. The first one that is not used up applies to the next notification.
  package var rules: [Rule] = []
  /// The last notification that passed, to be repeated.
  package private(set) var last: PushNotification?
  /// The number of notifications that were affected.
  package private(set) var strikes = 0
  private var swapped: PushNotification?

  /// No faults.
  package init() {}

  /// The notifications that the device gets instead of one.
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
      // Of two notifications to be swapped, the second lets the first pass.
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
