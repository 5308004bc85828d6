/// Estimates the width of text, from the widest of the common sans-serif fonts, DejaVu Sans, so that it fits in any of
/// them. Widths of characters are in thousandths of the font size.
enum TextMeasure {
  /// The width of a text at that font size, in pixels, rounded up.
  static func width(_ text: String, size: Int) -> Int {
    (text.reduce(0) { $0 + thousandths($1) } * size + 999) / 1000
  }

  /// The text, cut with an ellipsis if it is wider than `width` pixels.
  static func fitted(_ text: String, size: Int, width: Int) -> String {
    guard self.width(text, size: size) > width else { return text }
    return String(head(of: text[...], size: size, width: width - self.width("…", size: size))) + "…"
  }

  /// The text in at most `lines` lines of at most `width` pixels, broken at spaces where possible. The last line is cut
  /// with an ellipsis if the rest does not fit.
  static func wrapped(_ text: String, size: Int, width: Int, lines: Int) -> [String] {
    var result: [String] = []
    var rest = text[...]
    while !rest.isEmpty, result.count < lines - 1, self.width(String(rest), size: size) > width {
      var line = head(of: rest, size: size, width: width)
      if line.isEmpty { line = rest.prefix(1) }
      if rest[line.endIndex...].first != " ", let space = line.lastIndex(of: " "), space > line.startIndex {
        line = line[..<space]
      }
      result.append(String(line))
      rest = rest[line.endIndex...].drop { $0 == " " }
    }
    if !rest.isEmpty || result.isEmpty { result.append(fitted(String(rest), size: size, width: width)) }
    return result
  }

  private static func head(of text: Substring, size: Int, width: Int) -> Substring {
    var used = 0
    var end = text.startIndex
    while end < text.endIndex {
      used += thousandths(text[end]) * size
      guard used <= width * 1000 else { break }
      end = text.index(after: end)
    }
    return text[..<end]
  }

  private static func thousandths(_ character: Character) -> Int {
    guard let value = character.unicodeScalars.first?.value else { return 0 }
    switch character {
    case "i", "j", "l", "I", "'": return 300
    case ".", ",", ":", ";", "|", " ", "f", "/", "\\", "-", "·": return 370
    case "t", "r", "(", ")", "[", "]", "!", "*": return 420
    case "c", "k", "s", "v", "x", "y", "z": return 595
    case "m", "M", "W", "w", "@", "%", "…": return 1000
    case "+", "<", ">", "=", "×", "→", "#", "~", "&": return 840
    default: break
    }
    switch value {
    case 0x41...0x5a: return 790
    case 0..<0x500: return 645
    default: return 1400
    }
  }
}
