/// A place in a text: its byte offset, and the line and column that an editor shows for it.
package struct TextPlace: Hashable, Sendable, CustomStringConvertible {
  /// The number of bytes before it.
  package private(set) var offset = 0
  /// The line, from 1.
  package private(set) var line = 1
  /// The column in Unicode scalars, from 1.
  package private(set) var column = 1

  /// The beginning of a text.
  package init() {}

  /// The place of a byte of a text; the end of the text for an offset beyond it.
  package init(_ offset: Int, in text: Span<UInt8>) {
    advance(to: offset, in: text)
  }

  /// Goes on to a byte behind this place, and not beyond the end of the text. An earlier byte changes nothing.
  package mutating func advance(to offset: Int, in text: Span<UInt8>) {
    while self.offset < min(offset, text.count) {
      let byte = text[self.offset]
      self.offset += 1
      if byte == 0x0A {
        line += 1
        column = 1
      } else if self.offset == text.count || text[self.offset] & 0xC0 != 0x80 {
        column += 1
      }
    }
  }

  /// The line and the column, as compilers write them.
  package var description: String { "\(line):\(column)" }
}
