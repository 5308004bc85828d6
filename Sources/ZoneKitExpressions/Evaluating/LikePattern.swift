import ZoneKitRelations

/// A pattern of `LIKE`, in which `%` stands for any text, `_` for any character, and a backslash makes the next one plain.
struct LikePattern {
  private enum Part: Equatable {
    case anyText
    case anyCharacter
    case character(Unicode.Scalar)
    case brokenEnd
  }

  private let parts: [Part]

  /// Reads a pattern.
  init(_ pattern: String) {
    var parts: [Part] = []
    var isEscaped = false
    for character in pattern.unicodeScalars {
      switch character {
      case "\\" where !isEscaped: isEscaped = true
      case "%" where !isEscaped: if parts.last != .anyText { parts.append(.anyText) }
      case "_" where !isEscaped: parts.append(.anyCharacter)
      default:
        parts.append(.character(character))
        isEscaped = false
      }
    }
    self.parts = parts + (isEscaped ? [.brokenEnd] : [])
  }

  /// Whether the whole text fits. Only the last `%` is ever tried again, so that the work is bounded by the product of both
  /// lengths. Throws where the text reaches a backslash at the end of the pattern.
  func matches(_ text: String) throws(SQLFailure) -> Bool {
    let characters = Array(text.unicodeScalars)
    var (place, part) = (0, 0)
    var retry: (place: Int, part: Int)?
    while place < characters.count {
      if part < parts.count, parts[part] == .brokenEnd {
        throw SQLFailure(.invalidEscape, "LIKE pattern must not end with escape character")
      }
      if part < parts.count, parts[part] == .anyText {
        retry = (place, part + 1)
        part += 1
      } else if part < parts.count, parts[part] == .anyCharacter || parts[part] == .character(characters[place]) {
        (place, part) = (place + 1, part + 1)
      } else if let last = retry {
        (place, part) = (last.place + 1, last.part)
        retry = (last.place + 1, last.part)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anyText }
  }
}

extension String {
  /// The text in lower case, character by character.
  var simpleLowercase: String { mapped { $0.properties.lowercaseMapping } }

  /// The text in upper case, character by character.
  var simpleUppercase: String { mapped { $0.properties.uppercaseMapping } }

  /// PostgreSQL keeps a character that several ones would stand for.
  private func mapped(_ mapping: (Unicode.Scalar) -> String) -> String {
    var mapped = String.UnicodeScalarView()
    for character in unicodeScalars {
      let scalars = mapping(character).unicodeScalars
      mapped.append(scalars.count == 1 ? scalars.first ?? character : character)
    }
    return String(mapped)
  }
}
