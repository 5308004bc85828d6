/// The bytes of a message for the client of a realtime socket, in three parts. Sockets that get the same middle part share
/// its memory.
package struct ChannelMessage: Equatable, Sendable {
  /// Whether the bytes are those of a binary message, and not a text.
  package let isBinary: Bool
  private let head: [UInt8]
  private let middle: [UInt8]
  private let tail: [UInt8]

  /// A text of three parts.
  package init(_ head: [UInt8], _ middle: [UInt8] = [], _ tail: [UInt8] = []) {
    isBinary = false
    self.head = head
    self.middle = middle
    self.tail = tail
  }

  /// A binary message.
  package init(binary bytes: [UInt8]) {
    isBinary = true
    head = bytes
    (middle, tail) = ([], [])
  }

  /// The number of bytes.
  package var count: Int { head.count + middle.count + tail.count }

  /// All bytes.
  package var bytes: [UInt8] {
    if middle.isEmpty, tail.isEmpty { return head }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    bytes += head
    bytes += middle
    bytes += tail
    return bytes
  }
}
