import ZoneKitRecords

/// Bytes as a socket passes them on: in pieces that end at any byte.
///
/// Where the pieces end follows from the bytes, so that a story stays the same.
struct BytePieces {
  private let pieces: [ArraySlice<UInt8>]
  /// The number of copies of the message in the pieces.
  private let copies: Int

  /// The pieces of a message. Now and then it comes twice, so that a piece holds the end of one message and the beginning
  /// of the next.
  init(of message: [UInt8]) {
    var generator = SplitMix64(seed: UInt64(hashing: message, from: 0xcbf2_9ce4_8422_2325))
    copies = generator.next() % 4 == 0 ? 2 : 1
    let bytes = copies == 2 ? message + message : message
    let longest = [1, 7, 100, 4_096][Int(generator.next() % 4)]
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 1 + Int(generator.next() % UInt64(longest)))
      pieces.append(bytes[start..<end])
      start = end
    }
    self.pieces = pieces
  }

  /// What a reader makes of the message; it gets one piece after the other. Traps if it finds another number of messages than
  /// there are.
  func read<Read, Failure>(_ reader: (ArraySlice<UInt8>) throws(Failure) -> [Read]) throws(Failure) -> Read {
    var messages: [Read] = []
    for piece in pieces { messages += try reader(piece) }
    guard messages.count == copies, let last = messages.last else {
      preconditionFailure("a message that comes \(copies.counted("time")) is read as \(messages)")
    }
    return last
  }
}

extension UInt64 {
  /// The FNV-1a hash of the bytes, from that state on.
  init(hashing bytes: some Sequence<UInt8>, from state: UInt64) {
    self = bytes.reduce(state) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
