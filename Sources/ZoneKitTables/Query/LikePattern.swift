/// A pattern of `like` and `ilike`: `%` stands for any characters, `_` for one, and a backslash before a character for the
/// character itself.
package struct LikePattern: Hashable, Sendable {
  /// A part of a pattern.
  private enum Part: Hashable {
    case anyCharacters
    case oneCharacter
    case character(Unicode.Scalar)
  }

  private let parts: [Part]
  /// Whether upper and lower case are the same.
  package let ignoresCase: Bool

  /// The pattern of that text.
  package init(_ text: String, ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    var parts: [Part] = []
    var isLiteral = false
    for scalar in (ignoresCase ? text.lowercased() : text).unicodeScalars {
      switch scalar {
      case "\\" where !isLiteral:
        isLiteral = true
        continue
      case "%" where !isLiteral: if parts.last != .anyCharacters { parts.append(.anyCharacters) }
      case "_" where !isLiteral: parts.append(.oneCharacter)
      default: parts.append(.character(scalar))
      }
      isLiteral = false
    }
    if isLiteral { parts.append(.character("\\")) }
    self.parts = parts
  }

  /// A text of the pattern.
  package var text: String {
    parts.map { part in
      switch part {
      case .anyCharacters: "%"
      case .oneCharacter: "_"
      case .character(let scalar): ["%", "_", "\\"].contains(scalar) ? "\\\(scalar)" : "\(scalar)"
      }
    }.joined()
  }

  /// The characters with which a text has to begin to fit, byte for byte; nil if any beginning may fit.
  package var beginning: String? {
    guard !ignoresCase else { return nil }
    var beginning = String.UnicodeScalarView()
    for part in parts {
      guard case .character(let scalar) = part else { break }
      beginning.append(scalar)
    }
    return beginning.isEmpty ? nil : String(beginning)
  }

  /// Texts of ASCII characters that every text has that fits, one after another, in any case. All texts may fit that have
  /// them: they help to find rows, which are tested then.
  package var necessaryTexts: [String] {
    var texts: [String] = []
    var text = ""
    for part in parts {
      if case .character(let scalar) = part, scalar.isASCII, scalar != "\0",
        !ignoresCase || !Self.shared.contains(scalar)
      {
        text.unicodeScalars.append(scalar)
      } else if !text.isEmpty {
        texts.append(text)
        text = ""
      }
    }
    if !text.isEmpty { texts.append(text) }
    // A few are enough, and a store limits the length of a pattern.
    return texts.prefix(8).map { String($0.prefix(64)) }
  }

  /// The small letters that are also those of capital letters outside of ASCII: of U+0130 and of the sign for kelvin.
  private static let shared: [Unicode.Scalar] = ["i", "k"]

  /// Whether the whole text fits the pattern. The number of steps is at most the product of both lengths.
  package func fits(_ text: String) -> Bool {
    let scalars = Array((ignoresCase ? text.lowercased() : text).unicodeScalars)
    var (part, position) = (0, 0)
    /// Where to go on after a mismatch: the last `%`, and the first character that it does not take yet.
    var retry: (part: Int, position: Int)?
    while position < scalars.count {
      if part < parts.count, parts[part] == .anyCharacters {
        retry = (part, position)
        part += 1
      } else if part < parts.count, takes(parts[part], scalars[position]) {
        part += 1
        position += 1
      } else if let last = retry {
        retry = (last.part, last.position + 1)
        (part, position) = (last.part + 1, last.position + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anyCharacters }
  }

  private func takes(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
    switch part {
    case .anyCharacters: false
    case .oneCharacter: true
    case .character(let expected): expected == scalar
    }
  }
}
