/// Legal words of commands that users rarely type, for random commands. Few of them, so that a command often sets the value
/// that is there already.
package enum UnusualWords {
  /// A text in quotes, at most that many characters long: empty, blank, in several scripts, or as long as allowed.
  package static func text(upTo limit: Int, _ draw: () -> UInt64) -> String {
    switch draw() % 9 {
    case 0: "\"\""
    case 1: "\"  \""
    case 2: "\"none\""
    case 3: "\"\(String(repeating: "x", count: limit))\""
    case 4: "\"\(String(repeating: "ü", count: limit))\""
    // The same text, composed and decomposed.
    case 5: "\"caf\u{E9}\""
    case 6: "\"cafe\u{301}\""
    case 7: "\"日本語 \u{5D0}\u{5D1} 👩‍👩‍👧 \\\" , : # %\""
    default: "\"0\""
    }
  }

  /// A text in quotes with at least one character that is not blank.
  package static func name(upTo limit: Int, _ draw: () -> UInt64) -> String {
    let text = text(upTo: limit, draw)
    return text.contains { $0 != "\"" && $0 != " " } ? text : "\" a \""
  }

  /// A time: the present one, a limit of the day, or a time years ago or ahead.
  package static func time(_ draw: () -> UInt64) -> String {
    let words = [
      "now", "-0m", "-1s", "00:00", "23:59", "12:00", "12:00", "-3650d", "1970-01-01", "1999-12-31T23:59",
      "2100-02-28T23:59:59Z",
    ]
    return words[Int(draw() % UInt64(words.count))]
  }

  /// A day: a present one, the first and the last of a month or a year, or one years ago or ahead.
  package static func day(_ draw: () -> UInt64) -> String {
    let words = ["2026-11-21", "2026-11-30", "2026-12-31", "2028-02-29", "1970-01-01", "2199-12-31"]
    return words[Int(draw() % UInt64(words.count))]
  }
}
