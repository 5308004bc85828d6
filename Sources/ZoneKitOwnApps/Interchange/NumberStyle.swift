/// How a foreign file writes numbers.
struct NumberStyle: Hashable, Sendable {
  /// The mark before the decimals.
  var decimal: Character = "."
  /// The mark between groups of digits; nil for none.
  var thousands: Character?

  /// A number in that style, for errors.
  var example: String { "1\(thousands.map { "\($0)" } ?? "")234\(decimal)50" }

  /// The number of a text as digits with a point before the decimals, such as `-1234.50`; nil if it is none.
  func plain(_ text: String) -> String? {
    var rest = text[...]
    var plain = ""
    if rest.first == "-" || rest.first == "+" || rest.first == "\u{2212}" {
      if rest.removeFirst() != "+" { plain = "-" }
    }
    var (whole, decimals) = (0, 0)
    var hasMark = false
    for character in rest {
      if character.isASCII, character.isNumber {
        if hasMark { decimals += 1 } else { whole += 1 }
        plain.append(character)
      } else if character == decimal, !hasMark, whole > 0 {
        hasMark = true
        plain.append(".")
      } else if character == thousands, !hasMark, whole > 0 {
        continue
      } else {
        return nil
      }
    }
    return whole > 0 && (!hasMark || decimals > 0) ? plain : nil
  }
}
