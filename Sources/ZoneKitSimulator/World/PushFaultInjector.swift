import ZoneKitRecords
import ZoneKitScenarios

/// Does to the next notifications on their way to one device what the faults say.
package struct PushFaultInjector: Hashable, Sendable {
  /// What happens to one notification on the link.
  enum Passage: Hashable, Sendable {
    /// The link carries it.
    case passed
    /// It is lost.
    case dropped
    /// It takes that many milliseconds, in place of what the link takes.
    case late(Int64)
  }

  /// The faults of the next notifications.
  package var faults = PushFaultQueue()
  /// The last notification that came by, to be played again.
  package private(set) var last: PushNotification?
  /// How many notifications had a fault.
  package private(set) var strikes = 0
  private var swapped: PushNotification?

  /// No faults.
  package init() {}

  /// What goes on to the device in place of a notification.
  mutating func pass(_ push: PushNotification) -> [(PushNotification, Passage)] {
    last = push
    var passed = applyFault(to: push)
    if let earlier = swapped, !passed.isEmpty {
      swapped = nil
      passed.append((earlier, .passed))
    }
    return passed
  }

  private mutating func applyFault(to push: PushNotification) -> [(PushNotification, Passage)] {
    guard let fault = faults.next() else { return [(push, .passed)] }
    strikes += 1
    switch fault {
    case .drop: return [(push, .dropped)]
    case .duplicate: return [(push, .passed), (push, .passed)]
    case .delay(let span): return [(push, .late(span.milliseconds))]
    case .prune, .withoutID, .misaddress: return [(fault.altered(push), .passed)]
    case .swap:
      // A second one to be swapped lets the first go.
      let earlier = swapped
      swapped = push
      return earlier.map { [($0, .passed)] } ?? []
    }
  }
}
