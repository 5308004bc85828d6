import ZoneKitRecords

/// Bytes as a socket passes them on: in pieces that end at any byte.
///
/// Where the pieces end follows from the bytes, so that a story stays the same.
struct BytePieces {
  /// The pieces, in order.
  let pieces: [ArraySlice<UInt8>]
  /// The number of copies of the message in them.
  let copies: Int

  /// The pieces of a message. Now and then it comes twice, so that a piece holds the end of one message and the beginning
  /// of the next.
  init(of message: [UInt8]) {
    let hash = message.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    var generator = SplitMix64(seed: hash)
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
}
