extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// Makes a number. `1.0` is different from the integer `1`.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Makes a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Makes an array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }

  /// Makes an object with its members in the order written.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0, $1) })
  }

  /// Makes an object of the members that have a value, in the order written.
  package init(known elements: KeyValuePairs<String, JSON?>) { self = .object([Member](known: elements)) }
}

extension [JSON.Member] {
  /// Makes the members that have a value, in the order written.
  package init(known elements: KeyValuePairs<String, JSON?>) {
    self = elements.compactMap { key, value in value.map { JSON.Member(key, $0) } }
  }
}
