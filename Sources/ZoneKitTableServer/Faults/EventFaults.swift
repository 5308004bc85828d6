import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// A change of a row on its way to one channel.
package struct ChannelEvent: Equatable, Sendable, PushedMessage {
  /// The change.
  package var change: ChannelChange
  /// The channel that gets it.
  package var delivery: ChannelDelivery

  /// An event.
  package init(_ change: ChannelChange, _ delivery: ChannelDelivery) {
    self.change = change
    self.delivery = delivery
  }

  /// The event after a fault. Faults of identifiers change nothing, because an event has none.
  package func altered(by fault: PushFault) -> ChannelEvent {
    var event = self
    if fault == .prune { event.delivery.isCut = true }
    return event
  }
}

/// The faults of events between a server of channels and the sockets. Each event passes through it, to each channel on its
/// own.
package struct EventFaults: Sendable {
  /// An event on its way.
  package struct Event: Equatable, Sendable {
    /// The change.
    package var change: ChannelChange
    /// The channels that get it.
    package var deliveries: [ChannelDelivery]
    /// How much later it is sent, in milliseconds.
    package var delay: Int64 = 0

    /// An event that is sent now.
    package init(_ change: ChannelChange, _ deliveries: [ChannelDelivery]) {
      self.change = change
      self.deliveries = deliveries
    }
  }

  /// What comes out.
  package struct Passage: Equatable, Sendable {
    /// The events to send, in order.
    package var events: [Event] = []
    /// The deliveries that are lost.
    package var dropped: [ChannelDelivery] = []
    /// The sockets that end, with the code.
    package var cuts: [SocketID: Int?] = [:]

    /// Nothing.
    package init() {}

    /// Adds an event behind the others. Channels that get the same event at the same time share it.
    fileprivate mutating func add(_ event: ChannelEvent, delay: Int64) {
      if let last = events.last, last.change == event.change, last.delay == delay,
        !last.deliveries.contains(where: { $0.socket == event.delivery.socket && $0.topic == event.delivery.topic })
      {
        events[events.count - 1].deliveries.append(event.delivery)
      } else {
        events.append(Event(event.change, [event.delivery]))
        events[events.count - 1].delay = delay
      }
    }
  }

  private var pushes = PushFaults<SocketID, ChannelEvent>()
  /// The channels that get no events before a time.
  private var deaf: [ChannelPlace: MonotonicTime] = [:]

  /// No faults so far.
  package init() {}

  /// Makes a channel deaf until that time.
  package mutating func deafen(_ socket: SocketID, topic: String, until time: MonotonicTime) {
    deaf[ChannelPlace(socket, topic)] = time
  }

  /// A socket is closed.
  package mutating func closed(_ socket: SocketID) {
    _ = pushes.gone(socket)
    guard !deaf.isEmpty else { return }
    deaf = deaf.filter { $0.key.socket != socket }
  }

  /// The changes whose events to a socket faults hold back at that time.
  package func held(for socket: SocketID, at now: MonotonicTime) -> [ChannelEvent] { pushes.held(for: socket, at: now) }

  /// Whether every event passes that no new fault hits.
  package var isIdle: Bool { pushes.isEmpty && deaf.isEmpty }

  /// Whether an event waits for the next one.
  package var holdsEvents: Bool { !pushes.isEmpty }

  /// Lets the events that wait go, because no fault holds them any more.
  package mutating func release() -> Passage {
    var passage = Passage()
    for (_, event) in pushes.release() { passage.add(event, delay: 0) }
    return passage
  }

  /// Passes an event that those faults of its socket hit; nil if none do. A socket that is cut does not get it. `fault` is asked for the fault of each delivery.
  package mutating func pass(
    _ event: Event, _ faults: RequestFaults?, at now: MonotonicTime,
    _ fault: (ChannelDelivery) -> PushFault? = { _ in nil }
  ) -> Passage {
    var passage = Passage()
    for part in faults?.parts ?? [] {
      guard case .cutSocket(let code) = part.action else { continue }
      for delivery in event.deliveries { passage.cuts[delivery.socket] = .some(code) }
    }
    for delivery in event.deliveries {
      let isDeaf = deaf[ChannelPlace(delivery.socket, delivery.topic)].map { $0 > now } ?? false
      guard !isDeaf, passage.cuts[delivery.socket] == nil else {
        passage.dropped.append(delivery)
        continue
      }
      let passed = pushes.pass(ChannelEvent(event.change, delivery), to: delivery.socket, fault(delivery), at: now)
      for (message, way) in passed {
        switch way {
        case .passed: passage.add(message, delay: event.delay)
        case .dropped: passage.dropped.append(message.delivery)
        case .late(let milliseconds): passage.add(message, delay: event.delay + milliseconds)
        }
      }
    }
    return passage
  }
}
