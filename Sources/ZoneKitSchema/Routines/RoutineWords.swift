/// The words of a PL/pgSQL body, without blank space and comments.
struct RoutineWords {
  /// A word or sign.
  struct Word {
    /// What it is.
    enum Kind {
      /// A name or keyword.
      case name
      /// A name in quotes.
      case quotedName
      /// A text in quotes.
      case text
      /// Anything else, such as a sign.
      case sign
    }

    /// What it is.
    var kind: Kind
    /// How it is written; a name without quotes in lower case, and one in quotes without them.
    var text: String
    /// Where it is, in bytes.
    var place: Range<Int>

    /// A text without its quotes.
    var quoted: String {
      text.dropFirst().dropLast().split(separator: "\'\'", omittingEmptySubsequences: false).joined(separator: "'")
    }
  }

  /// The body.
  let body: String
  /// The words, in their order.
  private(set) var words: [Word] = []

  /// The words of that body.
  init(_ body: String) {
    self.body = body
    let bytes = body.utf8.span
    var place = bytes.firstWord(from: 0)
    while place < bytes.count {
      let (kind, end) = Self.word(bytes, at: place)
      words.append(Word(kind: kind, text: Self.text(bytes, place..<end, kind), place: place..<end))
      place = bytes.firstWord(from: end)
    }
  }

  /// The text between the first byte of a word and the last one of another.
  func source(_ range: Range<Int>) -> String {
    guard let first = words[range].first, let last = words[range].last else { return "" }
    return Self.text(body.utf8.span, first.place.lowerBound..<last.place.upperBound, .sign)
  }

  private static func word(_ bytes: Span<UInt8>, at start: Int) -> (Word.Kind, end: Int) {
    let byte = bytes[start]
    var place = start + 1
    if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
      while place < bytes.count {
        defer { place += 1 }
        guard bytes[place] == byte else { continue }
        // A quote that is written twice belongs to the text.
        if place + 1 < bytes.count, bytes[place + 1] == byte { place += 1 } else { break }
      }
      return (byte == UInt8(ascii: "'") ? .text : .quotedName, min(place, bytes.count))
    }
    if byte.isPartOfName {
      while place < bytes.count, bytes[place].isPartOfName { place += 1 }
      return (byte.isDigit ? .sign : .name, place)
    }
    let isAssignment = byte == UInt8(ascii: ":") && place < bytes.count && bytes[place] == UInt8(ascii: "=")
    return (.sign, isAssignment ? place + 1 : place)
  }

  private static func text(_ bytes: Span<UInt8>, _ range: Range<Int>, _ kind: Word.Kind) -> String {
    let text = String(decoding: range.map { bytes[$0] }, as: UTF8.self)
    switch kind {
    case .name: return text.lowercased()
    case .quotedName:
      return text.dropFirst().dropLast().split(separator: "\"\"", omittingEmptySubsequences: false)
        .joined(separator: "\"")
    case .text, .sign: return text
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether a name can have this byte without quotes.
  fileprivate var isPartOfName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
