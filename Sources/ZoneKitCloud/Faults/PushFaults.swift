import ZoneKitRecords

/// A push that faults can change: a notification or the event of a channel.
package protocol PushedMessage: Sendable {
  /// What the push says after a fault.
  func altered(by fault: PushFault) -> Self
}

/// What faults do to pushes on their way to their receivers, over any protocol. A server and a simulation let each push pass
/// through it: it comes out not at all, once or twice, now or later.
package struct PushFaults<Receiver: Hashable & Comparable & Sendable, Message: PushedMessage>: Sendable {
  /// What happens to one push.
  package enum Passage: Hashable, Sendable {
    /// It goes on.
    case passed
    /// It is lost.
    case dropped
    /// It goes on that many milliseconds later.
    case late(Int64)
  }

  /// The push of each receiver that waits for the next one.
  private var swapped: [Receiver: Message] = [:]
  /// The pushes of each receiver that go on later, with the time.
  private var late: [Receiver: [(message: Message, due: MonotonicTime)]] = [:]

  /// No push waits.
  package init() {}

  /// Whether no push waits for the next one.
  package var isEmpty: Bool { swapped.isEmpty }

  /// The pushes to a receiver that faults hold back at that time: those that go on later, and the one that waits for the
  /// next.
  package func held(for receiver: Receiver, at now: MonotonicTime) -> [Message] {
    (late[receiver] ?? []).filter { $0.due > now }.map(\.message) + [swapped[receiver]].compactMap(\.self)
  }

  /// What goes on to a receiver in place of a push that this fault hits; nil if none does.
  package mutating func pass(
    _ message: Message, to receiver: Receiver, _ fault: PushFault?, at now: MonotonicTime
  ) -> [(message: Message, passage: Passage)] {
    var passed: [(message: Message, passage: Passage)]
    switch fault {
    case nil: passed = [(message, .passed)]
    case .drop?: passed = [(message, .dropped)]
    case .duplicate?: passed = [(message, .passed), (message, .passed)]
    case .delay(let milliseconds)?:
      passed = [(message, .late(milliseconds))]
      late[receiver] = (late[receiver] ?? []).filter { $0.due > now }
      late[receiver, default: []].append((message, now.advanced(byMilliseconds: milliseconds)))
    case .prune?, .withoutID?, .misaddress?:
      passed = [(fault.map { message.altered(by: $0) } ?? message, .passed)]
    case .swap?:
      // A second one to be swapped lets the first go.
      let earlier = swapped.updateValue(message, forKey: receiver)
      return earlier.map { [($0, .passed)] } ?? []
    }
    if let earlier = swapped.removeValue(forKey: receiver) { passed.append((earlier, .passed)) }
    return passed
  }

  /// A receiver is gone. Returns its push that waited, which is lost.
  package mutating func gone(_ receiver: Receiver) -> Message? {
    late[receiver] = nil
    return swapped.removeValue(forKey: receiver)
  }

  /// Lets the pushes that wait go, because no fault holds them any more. Returns them in the order of their receivers.
  package mutating func release() -> [(receiver: Receiver, message: Message)] {
    let waiting = swapped.sorted { $0.key < $1.key }.map { (receiver: $0.key, message: $0.value) }
    swapped = [:]
    return waiting
  }
}
