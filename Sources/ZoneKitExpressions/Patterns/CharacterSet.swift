/// The characters that a place of a pattern stands for.
struct CharacterSet {
  /// A group of characters with a name.
  enum Group: String {
    case alpha, digit, alnum, upper, lower, space, punct, xdigit, blank, cntrl, graph, print, word
  }

  /// The characters, from one to another.
  var ranges: [ClosedRange<UInt32>] = []
  /// The groups, and whether the characters outside of a group are meant.
  var groups: [(group: Group, isNegated: Bool)] = []
  /// Whether all other characters are meant.
  var isNegated = false

  /// Every character.
  static let any = CharacterSet(isNegated: true)

  /// The set of one character.
  static func one(_ character: Unicode.Scalar) -> CharacterSet {
    CharacterSet(ranges: [character.value...character.value])
  }

  /// Whether the character is in it, or the same one in the other case if cases do not count.
  func contains(_ character: Unicode.Scalar, isAnyCase: Bool) -> Bool {
    var isIn = has(character)
    if isAnyCase, !isIn {
      for mapping in [character.properties.lowercaseMapping, character.properties.uppercaseMapping] {
        if mapping.unicodeScalars.count == 1, let other = mapping.unicodeScalars.first, has(other) { isIn = true }
      }
    }
    return isIn != isNegated
  }

  private func has(_ character: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(character.value) }
      || groups.contains { Self.has($0.group, character) != $0.isNegated }
  }

  /// Whether the character belongs to a word.
  static func isWord(_ character: Unicode.Scalar) -> Bool { has(.word, character) }

  private static func has(_ group: Group, _ character: Unicode.Scalar) -> Bool {
    let properties = character.properties
    switch group {
    case .alpha: return properties.isAlphabetic
    case .digit: return isDigit(character)
    case .alnum: return properties.isAlphabetic || isDigit(character)
    case .word: return properties.isAlphabetic || isDigit(character) || character == "_"
    case .upper: return properties.isUppercase
    case .lower: return properties.isLowercase
    case .space: return properties.isWhitespace
    case .blank: return character == " " || character == "\t"
    case .cntrl: return properties.generalCategory == .control
    case .xdigit: return properties.isASCIIHexDigit
    case .graph: return isVisible(character) && !properties.isWhitespace
    case .print: return isVisible(character)
    case .punct:
      return isVisible(character) && !properties.isWhitespace && !properties.isAlphabetic && !isDigit(character)
    }
  }

  private static func isDigit(_ character: Unicode.Scalar) -> Bool { ("0"..."9").contains(character) }

  private static func isVisible(_ character: Unicode.Scalar) -> Bool {
    switch character.properties.generalCategory {
    case .control, .unassigned, .surrogate, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
