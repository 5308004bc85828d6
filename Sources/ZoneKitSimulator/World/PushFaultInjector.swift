import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitTables

/// A message that wakes a device.
enum WakeMessage: Equatable, Sendable {
  /// A notification of the push service.
  case push(PushNotification)
  /// A change event of the device's channel.
  case event(ChannelFrame)

  /// The message after a fault.
  func altered(by fault: PushFault) -> WakeMessage {
    switch self {
    case .push(let push): .push(fault.altered(push))
    // An event has neither of what these faults change.
    case .event: self
    }
  }
}

/// Does to the next notifications on their way to one device what the faults say.
package struct PushFaultInjector: Sendable {
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
  private var swapped: WakeMessage?

  /// No faults.
  package init() {}

  /// What goes on to the device in place of a message.
  mutating func pass(_ message: WakeMessage) -> [(WakeMessage, Passage)] {
    if case .push(let push) = message { last = push }
    var passed = applyFault(to: message)
    if let earlier = swapped, !passed.isEmpty {
      swapped = nil
      passed.append((earlier, .passed))
    }
    return passed
  }

  private mutating func applyFault(to message: WakeMessage) -> [(WakeMessage, Passage)] {
    guard let fault = faults.next() else { return [(message, .passed)] }
    strikes += 1
    switch fault {
    case .drop: return [(message, .dropped)]
    case .duplicate: return [(message, .passed), (message, .passed)]
    case .delay(let span): return [(message, .late(span.milliseconds))]
    case .prune, .withoutID, .misaddress: return [(message.altered(by: fault), .passed)]
    case .swap:
      // A second one to be swapped lets the first go.
      let earlier = swapped
      swapped = message
      return earlier.map { [($0, .passed)] } ?? []
    }
  }
}
