import ZoneKitRecords

/// A file of SQL statements, of which a schema is read.
package struct SchemaText: Equatable, Sendable {
  /// The file's name, for problems.
  package let name: String
  /// What is in the file.
  package let text: String

  /// A file of that name.
  package init(name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  /// The place of a part.
  package func place(of offset: SourceOffset) -> TextPlace { TextPlace(offset.bytes, in: text.utf8.span) }

  /// The text between two places in bytes; nil stands for the end.
  func part(from start: Int, to end: Int?) -> String {
    let bytes = text.utf8
    let first = bytes.index(bytes.startIndex, offsetBy: start, limitedBy: bytes.endIndex) ?? bytes.endIndex
    let last = end.flatMap { bytes.index(bytes.startIndex, offsetBy: $0, limitedBy: bytes.endIndex) } ?? bytes.endIndex
    return first < last ? String(text[first..<last]) : ""
  }

  /// The problems with those messages at those places, in bytes, in the order of the text.
  package func problems(_ found: [(offset: Int, message: String)]) -> [SchemaProblem] {
    var place = TextPlace()
    return found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map { _, problem in
        place.advance(to: problem.offset, in: text.utf8.span)
        return SchemaProblem(file: name, at: place, problem.message)
      }
  }
}

extension Span<UInt8> {
  /// The first byte from a place on that belongs neither to blank space nor to a comment; the count if there is none.
  func firstWord(from start: Int) -> Int {
    var place = Swift.max(0, start)
    while place < count {
      switch self[place] {
      case 0x09...0x0D, 0x20: place += 1
      case UInt8(ascii: "-") where isPair("-", "-", at: place):
        while place < count, self[place] != 0x0A { place += 1 }
      case UInt8(ascii: "/") where isPair("/", "*", at: place): place = endOfComment(from: place)
      default: return place
      }
    }
    return place
  }

  /// The place behind the comment, which may contain others, that begins at a place.
  private func endOfComment(from start: Int) -> Int {
    var place = start
    var depth = 0
    repeat {
      if isPair("/", "*", at: place) {
        depth += 1
        place += 2
      } else if isPair("*", "/", at: place) {
        depth -= 1
        place += 2
      } else {
        place += 1
      }
    } while depth > 0 && place < count
    return Swift.min(place, count)
  }

  private func isPair(_ first: Unicode.Scalar, _ second: Unicode.Scalar, at place: Int) -> Bool {
    place + 1 < count && self[place] == UInt8(ascii: first) && self[place + 1] == UInt8(ascii: second)
  }
}
