/// How a scenario speaks of a record.
package enum RecordReference: Hashable, Sendable {
  /// `A's last action`: the newest that a device's own commands made, by the app's word for its kind.
  case last(of: String, kind: String)
  /// `A's 2nd action`, from 1 in the order in which the device made them.
  case nth(Int, of: String, kind: String)
  /// `record "NAME"`.
  case named(String)

  /// The words that read as this.
  package var text: String {
    switch self {
    case .last(let owner, let kind): "\(owner)'s last \(kind)"
    case .nth(let number, let owner, let kind): "\(owner)'s \(Ordinal.text(number)) \(kind)"
    case .named(let name): "record \(ScenarioWord.named(name))"
    }
  }
}

/// Numbers that say a place in a row.
package enum Ordinal {
  /// Such as `1st`, `2nd`, `12th`.
  package static func text(_ number: Int) -> String {
    switch (number % 10, number % 100) {
    case (_, 11...13): "\(number)th"
    case (1, _): "\(number)st"
    case (2, _): "\(number)nd"
    case (3, _): "\(number)rd"
    default: "\(number)th"
    }
  }

  /// The number of such a word, from 1.
  static func number(_ text: String) -> Int? {
    guard let number = Int(text.dropLast(2)), number > 0, Self.text(number) == text else { return nil }
    return number
  }
}
