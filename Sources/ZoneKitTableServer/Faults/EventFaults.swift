import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// The faults of events between a server of channels and the sockets. Each event passes through it and comes out not at
/// all, once or twice, now or later.
package struct EventFaults: Sendable {
  /// An event on its way.
  package struct Event: Equatable, Sendable {
    /// The change.
    package var change: RowChange
    /// The channels that get it.
    package var deliveries: [ChannelDelivery]
    /// How much later it is sent, in milliseconds.
    package var delay: Int64 = 0

    /// An event that is sent now.
    package init(_ change: RowChange, _ deliveries: [ChannelDelivery]) {
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
  }

  /// The events that come behind the next one.
  private var held: [Event] = []
  /// The channels that get no events before a time.
  private var deaf: [ChannelPlace: MonotonicTime] = [:]

  /// No faults so far.
  package init() {}

  /// Makes a channel deaf until that time.
  package mutating func deafen(_ socket: SocketID, topic: String, until time: MonotonicTime) {
    deaf[ChannelPlace(socket, topic)] = time
  }

  /// Takes in that a socket is closed.
  package mutating func closed(_ socket: SocketID) {
    guard !deaf.isEmpty else { return }
    deaf = deaf.filter { $0.key.socket != socket }
  }

  /// Passes an event that those faults hit; nil if none do.
  package mutating func pass(_ event: Event, _ faults: RequestFaults?, at now: MonotonicTime) -> Passage {
    var passage = Passage()
    guard faults != nil || !held.isEmpty || !deaf.isEmpty else {
      passage.events = [event]
      return passage
    }
    var event = event
    let isDeaf = { [deaf] (delivery: ChannelDelivery) in
      deaf[ChannelPlace(delivery.socket, delivery.topic)].map { $0 > now } ?? false
    }
    passage.dropped = event.deliveries.filter(isDeaf)
    event.deliveries.removeAll(where: isDeaf)
    var (copies, isHeld) = (1, false)
    for part in faults?.parts ?? [] {
      switch part.action {
      case .dropEvent: copies = 0
      case .doubleEvent: copies *= 2
      case .delayEvent(let milliseconds): event.delay += milliseconds
      case .swapEvents: isHeld = true
      case .cutEvent: for index in event.deliveries.indices { event.deliveries[index].isCut = true }
      case .cutSocket(let code): for delivery in event.deliveries { passage.cuts[delivery.socket] = .some(code) }
      case .reject, .rejectItems, .staleRows, .omitRows, .doubleRows, .silentJoin, .refuseJoin, .deafJoin,
        .muteHeartbeat, .expireTokens, .endSession, .skewTokens, .restamp:
        break
      }
    }
    if copies == 0 { passage.dropped += event.deliveries }
    let events = event.deliveries.isEmpty ? [] : Array(repeating: event, count: copies)
    if isHeld {
      held += events
    } else {
      passage.events = events + held
      held = []
    }
    return passage
  }
}
