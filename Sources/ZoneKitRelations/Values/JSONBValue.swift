import ZoneKitRecords

/// A JSON value as PostgreSQL's `jsonb` keeps it: without blanks, each key once with its last value, keys in their order of
/// length and bytes, numbers as decimal numbers.
package indirect enum JSONBValue: Sendable {
  case null
  case string(String)
  case number(Numeric)
  case boolean(Bool)
  case array([JSONBValue])
  case object([Member])

  /// A member of an object.
  package struct Member: Sendable {
    /// Its name.
    package var key: String
    /// Its value.
    package var value: JSONBValue

    /// A member.
    package init(_ key: String, _ value: JSONBValue) {
      self.key = key
      self.value = value
    }
  }

  /// The same value; nil for a number with too many digits.
  package init?(_ json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let bool): self = .boolean(bool)
    case .integer(let number): self = .number(Numeric(number))
    case .number(let number):
      guard let exact = Numeric("\(number)") else { return nil }
      self = .number(exact)
    case .string(let text): self = .string(text)
    case .verbatim(let verbatim):
      if let text = verbatim.string {
        self = .string(text)
      } else {
        guard let number = Numeric(verbatim.text) else { return nil }
        self = .number(number)
      }
    case .array(let elements):
      var values: [JSONBValue] = []
      for element in elements {
        guard let value = JSONBValue(element) else { return nil }
        values.append(value)
      }
      self = .array(values)
    case .object(let members):
      guard let object = Self.object(of: members) else { return nil }
      self = .object(object)
    }
  }

  private static func object(of members: [JSON.Member]) -> [Member]? {
    // Keys are the same only byte by byte.
    var values: [Name: JSONBValue] = [:]
    for member in members {
      guard let value = JSONBValue(member.value) else { return nil }
      values[Name(member.key)] = value
    }
    return values.map { Member($0.key.text, $0.value) }.sorted { isBefore($0.key, $1.key) }
  }

  private static func isBefore(_ first: String, _ second: String) -> Bool {
    let (own, other) = (first.utf8, second.utf8)
    return own.count == other.count ? own.lexicographicallyPrecedes(other) : own.count < other.count
  }

  /// Whether any text in it has the character U+0000, which PostgreSQL keeps in no text.
  var hasZeroCharacter: Bool {
    switch self {
    case .null, .number, .boolean: false
    case .string(let text): text.utf8.contains(0)
    case .array(let elements): elements.contains { $0.hasZeroCharacter }
    case .object(let members): members.contains { $0.key.utf8.contains(0) || $0.value.hasZeroCharacter }
    }
  }

  /// The value as PostgreSQL writes it, with a blank behind each comma and colon.
  package var text: String {
    switch self {
    case .null: "null"
    case .boolean(let bool): bool ? "true" : "false"
    case .number(let number): number.text
    case .string(let text): JSON.string(text).text()
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\(JSON.string($0.key).text()): \($0.value.text)" }.joined(separator: ", ") + "}"
    }
  }
}

extension JSONBValue: Comparable {
  /// Whether both are the same value: numbers by their values, texts byte by byte.
  package static func == (first: JSONBValue, second: JSONBValue) -> Bool { first.order(to: second) == 0 }

  /// PostgreSQL's order: objects after arrays after booleans, numbers, strings and null; the longer array or object after the
  /// shorter one.
  package static func < (first: JSONBValue, second: JSONBValue) -> Bool { first.order(to: second) < 0 }

  private func order(to other: JSONBValue) -> Int {
    switch (self, other) {
    case (.number(let own), .number(let other)): own < other ? -1 : own == other ? 0 : 1
    case (.boolean(let own), .boolean(let other)): (own ? 1 : 0) - (other ? 1 : 0)
    case (.string(let own), .string(let other)):
      own.utf8.lexicographicallyPrecedes(other.utf8) ? -1 : own.utf8.elementsEqual(other.utf8) ? 0 : 1
    case (.array(let own), .array(let other)):
      own.count == other.count ? Self.firstOrder(zip(own, other)) : own.count - other.count
    case (.object(let own), .object(let other)):
      own.count == other.count
        ? Self.firstOrder(
          zip(own.flatMap { [.string($0.key), $0.value] }, other.flatMap { [.string($0.key), $0.value] }))
        : own.count - other.count
    default: rank - other.rank
    }
  }

  private static func firstOrder(_ pairs: some Sequence<(JSONBValue, JSONBValue)>) -> Int {
    for (own, other) in pairs {
      let order = own.order(to: other)
      if order != 0 { return order }
    }
    return 0
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .string: 1
    case .number: 2
    case .boolean: 3
    case .array: 4
    case .object: 5
    }
  }
}
