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

  /// A whole number of the smallest unit in that style, with that many decimals.
  func text(_ number: Int64, decimals: Int) -> String {
    guard decimals > 0 else { return String(number) }
    let digits = String(number.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return "\(number < 0 ? "-" : "")\(padded.dropLast(decimals))\(decimal)\(padded.suffix(decimals))"
  }

  /// A number in that style.
  func text(_ number: Double) -> String { String("\(number)".map { $0 == "." ? decimal : $0 }) }
}
