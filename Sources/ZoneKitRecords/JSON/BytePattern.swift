/// Bytes to be searched for (Horspool, 1980). A search looks at one byte in as many as the pattern has, unless they are like
/// those of the pattern.
package struct BytePattern: Sendable {
  /// The bytes.
  package let bytes: [UInt8]
  /// How far the search moves on if a byte is under the pattern's last one.
  private let steps: [Int]

  /// A pattern of at least one byte.
  package init(_ bytes: [UInt8]) {
    precondition(!bytes.isEmpty, "a pattern has bytes")
    self.bytes = bytes
    var steps = [Int](repeating: bytes.count, count: 256)
    for (index, byte) in bytes.dropLast().enumerated() { steps[Int(byte)] = bytes.count - 1 - index }
    self.steps = steps
  }

  /// The first place of the pattern in a text from `start` on; nil if there is none.
  package func first(in text: Span<UInt8>, from start: Int = 0) -> Int? {
    let (bytes, steps) = (bytes, steps)
    let last = bytes.count - 1
    var end = start + last
    while end < text.count {
      let byte = text[end]
      if byte == bytes[last], matches(text, at: end - last) { return end - last }
      end += steps[Int(byte)]
    }
    return nil
  }

  private func matches(_ text: Span<UInt8>, at place: Int) -> Bool {
    for index in bytes.indices where text[place + index] != bytes[index] { return false }
    return true
  }
}
