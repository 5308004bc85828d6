/// Walks over the text of an array without decoding it. The text has no white space.
package struct ArrayWalk {
  private var position: Int
  private let end: Int

  /// A walk over the array in that range of a text; nil if there is none.
  package init?(_ range: Range<Int>, in bytes: Span<UInt8>) {
    guard range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "["),
      bytes[range.upperBound - 1] == UInt8(ascii: "]")
    else { return nil }
    position = range.lowerBound + 1
    end = range.upperBound - 1
  }

  /// Whether all elements were passed.
  package var isAtEnd: Bool { position >= end }

  /// The range of the next element; nil at the end, or if there is no value.
  package mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
    guard position < end else { return nil }
    let start = position
    guard let after = bytes.extracting(0..<end).endOfValue(from: start), after > start else { return nil }
    position = after
    if after < end {
      guard bytes[after] == UInt8(ascii: ","), after + 1 < end else { return nil }
      position += 1
    }
    return start..<after
  }
}
