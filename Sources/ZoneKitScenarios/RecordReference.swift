/// A record as a scenario names it.
package enum RecordReference: Hashable, Sendable {
  /// `A's last action`: the newest record of that kind, in the app's word, that a command on the device made.
  case last(of: String, kind: String)
  /// `A's 2nd action`: the records that commands on the device made, counted from 1.
  case nth(Int, of: String, kind: String)
  /// `record "NAME"`.
  case named(String)

  /// The text from which the parser makes this value.
  package var text: String {
    switch self {
    case .last(let owner, let kind): "\(owner)'s last \(kind)"
    case .nth(let number, let owner, let kind): "\(owner)'s \(Ordinal.text(number)) \(kind)"
    case .named(let name): "record \(ScenarioWord.named(name))"
    }
  }
}

/// Ordinal numbers.
package enum Ordinal {
  /// The ordinal of a number, such as `1st`, `2nd` and `12th`.
  package static func text(_ number: Int) -> String {
    switch (number % 10, number % 100) {
    case (_, 11...13): "\(number)th"
    case (1, _): "\(number)st"
    case (2, _): "\(number)nd"
    case (3, _): "\(number)rd"
    default: "\(number)th"
    }
  }

  /// The number of an ordinal, from 1; nil if the word is none.
  static func number(_ text: String) -> Int? {
    guard let number = Int(text.dropLast(2)), number > 0, Self.text(number) == text else { return nil }
    return number
  }
}
