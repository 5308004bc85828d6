import Testing

@testable import ZoneKitRecords

@Suite struct `a search of text by eight bytes at a time` {
  /// Bytes that a search has to tell apart, and their neighbours.
  private static let bytes: [UInt8] = [
    0x00, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7F, 0x80, 0xA2, 0xDC, 0xFF,
  ]

  @Test func `finds the end of plain text where a search byte by byte finds it`() {
    var generator = SplitMix64(seed: 1)
    for count in 0..<40 {
      for _ in 0..<200 {
        var text = [UInt8](repeating: UInt8(ascii: "p"), count: count)
        for index in text.indices where Int.random(in: 0..<12, using: &generator) == 0 {
          text[index] = Self.bytes.randomElement(using: &generator) ?? 0
        }
        let start = Int.random(in: 0...count, using: &generator)
        let expected = (start..<count).first { text[$0] == 0x22 || text[$0] == 0x5C || text[$0] < 0x20 } ?? count
        let found = text.span.endOfPlainText(from: start)
        #expect(found == expected)
      }
    }
  }

  private func common(_ first: [UInt8], _ second: [UInt8]) -> Int { first.span.commonBeginning(with: second.span) }

  @Test func `finds the first difference where a search byte by byte finds it`() {
    for count in 0..<30 {
      let text = (0..<count).map { UInt8($0 * 7) }
      for place in 0..<count {
        var other = text
        other[place] ^= 0x80
        let beginning = Array(text[..<place])
        let (same, shorter) = (common(text, other), common(text, beginning))
        #expect((same, shorter) == (place, place))
      }
      #expect(common(text, text) == count)
    }
  }
}
