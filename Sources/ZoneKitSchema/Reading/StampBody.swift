/// The body of a trigger function, in plpgsql, that sets one column to the time of the transaction.
enum StampBody {
  /// The column that a body sets; nil if the body does anything else.
  static func column(_ body: String) -> String? {
    var words = words(body)[...]
    guard take(["begin"], from: &words), take(["new", "."], from: &words), let column = words.popFirst(),
      case .name(let name) = column, take(["="], from: &words) || take([":="], from: &words),
      times.contains(where: { take($0, from: &words) }), take([";", "return", "new", ";", "end"], from: &words)
    else { return nil }
    _ = take([";"], from: &words)
    return words.isEmpty ? name : nil
  }

  /// The usual spellings of the time, each followed by nothing that could go on.
  private static let times: [[String]] = [
    ["timezone", "(", "'utc'", ",", "now", "(", ")", ")"],
    ["timezone", "(", "'utc'", ":", ":", "text", ",", "now", "(", ")", ")"],
    ["now", "(", ")", "at", "time", "zone", "'utc'"],
    ["(", "now", "(", ")", "at", "time", "zone", "'utc'", ")"],
    ["now", "(", ")"], ["pg_catalog", ".", "now", "(", ")"], ["transaction_timestamp", "(", ")"],
    ["statement_timestamp", "(", ")"], ["clock_timestamp", "(", ")"], ["current_timestamp"],
  ]

  /// A word or sign of a body.
  private enum Word: Equatable {
    /// A name or keyword; in lower case unless it is in quotes.
    case name(String)
    /// Anything else.
    case sign(String)

    /// Whether it is written like that.
    func isWritten(_ text: String) -> Bool {
      switch self {
      case .name(let name): name == text
      case .sign(let sign): sign == text
      }
    }
  }

  /// Takes those words away, if the others begin with them.
  private static func take(_ expected: [String], from words: inout ArraySlice<Word>) -> Bool {
    guard words.count >= expected.count, zip(words, expected).allSatisfy({ $0.isWritten($1) }) else { return false }
    words = words.dropFirst(expected.count)
    return true
  }

  /// The words and signs of a body, without blank space and comments.
  private static func words(_ body: String) -> [Word] {
    let bytes = body.utf8.span
    var words: [Word] = []
    var place = bytes.firstWord(from: 0)
    while place < bytes.count {
      let start = place
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        while place < bytes.count, bytes[place] != byte { place += 1 }
        place = min(place + 1, bytes.count)
        let text = text(bytes, start, place)
        words.append(byte == UInt8(ascii: "'") ? .sign(text.lowercased()) : .name(String(text.dropFirst().dropLast())))
      } else if byte.isPartOfName {
        while place < bytes.count, bytes[place].isPartOfName { place += 1 }
        words.append(.name(text(bytes, start, place).lowercased()))
      } else {
        let isAssignment = byte == UInt8(ascii: ":") && place < bytes.count && bytes[place] == UInt8(ascii: "=")
        if isAssignment { place += 1 }
        words.append(.sign(text(bytes, start, place)))
      }
      place = bytes.firstWord(from: place)
    }
    return words
  }

  private static func text(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> String {
    String(decoding: (start..<end).map { bytes[$0] }, as: UTF8.self)
  }
}

extension UInt8 {
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
