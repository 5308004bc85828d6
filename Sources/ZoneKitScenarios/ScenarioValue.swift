/// The value of a field in a scenario.
package enum ScenarioValue: Hashable, Sendable {
  /// `"text"`.
  case text(String)
  /// A whole number.
  case integer(Int64)
  /// `none`: the field is removed, or absent.
  case none

  /// The text from which the parser makes this value.
  package var text: String {
    switch self {
    case .text(let text): ScenarioWord.quoted(text)
    case .integer(let number): String(number)
    case .none: "none"
    }
  }

  init(_ word: ScenarioWord) {
    if word.isQuoted {
      self = .text(word.text)
    } else if word.text == "none" {
      self = .none
    } else {
      self = Int64(word.text).map(Self.integer) ?? .text(word.text)
    }
  }
}

/// A field and its value.
package struct ScenarioField: Hashable, Sendable {
  /// The field's name.
  package var name: String
  /// Its value.
  package var value: ScenarioValue

  /// A field with that value.
  package init(_ name: String, _ value: ScenarioValue) {
    self.name = name
    self.value = value
  }

  var text: String { "field \(ScenarioWord.named(name)) \(value.text)" }
}
