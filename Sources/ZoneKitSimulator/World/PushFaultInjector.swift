import ZoneKitCloud
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitTableServer

/// A message that wakes a device.
enum WakeMessage: Equatable, Sendable, PushedMessage {
  /// A notification of the push service.
  case push(PushNotification)
  /// A change event of one of the device's channels.
  case event(ChannelEvent)

  func altered(by fault: PushFault) -> WakeMessage {
    switch self {
    case .push(let push): .push(push.altered(by: fault))
    case .event(let event): .event(event.altered(by: fault))
    }
  }
}

/// Does to the next pushes on their way to one device what the faults say, as a server's fault plan does.
package struct PushFaultInjector: Sendable {
  /// The faults of the next pushes.
  package private(set) var plan = FaultPlan()
  /// The last notification that came by, to be played again.
  package private(set) var last: PushNotification?
  /// How many pushes had a fault.
  package private(set) var strikes = 0
  private var pushes = PushFaults<Int, WakeMessage>()

  /// No faults.
  package init() {}

  /// Adds a fault for so many pushes, behind the pushes that have one already.
  package mutating func add(_ fault: PushFault, _ count: FaultCount) {
    plan.add(Fault(telling: .push(fault), times: count.limit))
  }

  /// Adds a fault.
  mutating func add(_ fault: Fault) { plan.add(fault) }

  /// Lets all further pushes pass.
  package mutating func removeAll() { plan.removeAll() }

  /// What goes on to the device in place of a message.
  mutating func pass(
    _ message: WakeMessage, about subject: @autoclosure () -> FaultSubject, at now: MonotonicTime,
    using generator: inout SplitMix64
  ) -> [(message: WakeMessage, passage: PushFaults<Int, WakeMessage>.Passage)] {
    if case .push(let push) = message { last = push }
    let fault = plan.isEmpty ? nil : plan.pushFault(on: subject(), using: &generator)
    if fault != nil { strikes += 1 }
    return pushes.pass(message, to: 0, fault, at: now)
  }

  /// When the changes were committed whose messages faults hold back at that time.
  func held(at now: MonotonicTime) -> [WallTime] {
    pushes.held(for: 0, at: now).compactMap { message in
      switch message {
      case .push(let push): push.committedAt
      case .event(let event): event.change.stamp
      }
    }
  }
}
