import ZoneKitRecords
import ZoneKitTables

/// The messages that wait for the client of a realtime socket, and whether the client reads too slowly.
///
/// One write of a client can make thousands of events, which no client has read at once. So messages beyond the bound
/// wait here, and a client is slow only if it takes nothing for some time while more than the bound wait, or if very
/// many wait. The time is counted in looks at the client: while the server itself is busy, a client can take nothing. Only
/// messages of which nothing was handed to the system are here, so a socket can be closed between two frames.
package struct OutgoingMessages: Sendable {
  private let limits: ChannelLimits
  private var messages: [ChannelMessage] = []
  /// The index of the first message that waits.
  private var first = 0
  /// The bytes of the messages that wait.
  private var bytes = 0
  /// The bytes that were handed over and that the system has not taken.
  private var unsent = 0
  /// The pings since the last pong that was handed over. Only the newest is answered.
  private var pings = 0
  /// How often the client was looked at since it took something, while more than the bound waited.
  private var looks = 0

  /// No messages.
  package init(_ limits: ChannelLimits = ChannelLimits()) { self.limits = limits }

  /// The number of messages that wait.
  package var count: Int { messages.count - first + pings }

  /// The number of bytes that wait, with those that were handed over.
  package var waitingBytes: Int { bytes + unsent }

  /// Whether nothing waits.
  package var isEmpty: Bool { count == 0 && unsent == 0 }

  /// Whether more than the bound waits. Then nothing more is read from the client.
  package var isBehind: Bool { count > limits.waitingMessages || waitingBytes > limits.waitingBytes }

  /// Whether so much waits that the client is closed at once.
  package var isTooMuch: Bool { count > limits.mostMessages || waitingBytes > limits.mostBytes }

  /// Adds a message.
  package mutating func append(_ message: ChannelMessage) {
    messages.append(message)
    bytes += message.count
  }

  /// Pings came whose answer was not handed over.
  package mutating func add(pings: Int) { self.pings += pings }

  /// Removes and returns the next message, to hand it over; nil if none waits.
  package mutating func next() -> ChannelMessage? {
    guard first < messages.count else { return nil }
    let message = messages[first]
    messages[first] = ChannelMessage([])
    first += 1
    bytes -= message.count
    if first == messages.count {
      (messages, first) = ([], 0)
    } else if first >= 256, first * 2 >= messages.count {
      // The list does not grow while it never becomes empty.
      messages.removeFirst(first)
      first = 0
    }
    return message
  }

  /// Bytes were handed over, with the answer to the newest ping.
  package mutating func handedOver(_ bytes: Int) {
    unsent += bytes
    pings = 0
  }

  /// The system has not taken that many of the bytes that were handed over.
  package mutating func remain(_ bytes: Int) {
    if bytes < unsent { looks = 0 }
    unsent = bytes
  }

  /// The client is looked at, which is done after each `ChannelLimits.lookStep`. Returns whether the client reads too
  /// slowly and is closed. `isShort` tells whether the messages of all sockets take much memory.
  package mutating func look(isShort: Bool = false) -> Bool {
    let isWaitedFor = isBehind || isShort && waitingBytes > limits.fewBytes
    looks = isWaitedFor ? looks + 1 : 0
    return looks > limits.looks
  }
}
