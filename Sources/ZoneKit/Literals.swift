import ZoneKitRecords

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  /// A text.
  public init(stringLiteral text: String) { self = .string(text) }

  /// An integer.
  public init(integerLiteral number: Int64) { self = .int64(number) }

  /// A number.
  public init(floatLiteral number: Double) { self = .double(number) }

  /// 1 for true and 0 for false, because CloudKit has no Boolean fields.
  public init(booleanLiteral isTrue: Bool) { self = .int64(isTrue ? 1 : 0) }
}

extension Fields: ExpressibleByDictionaryLiteral {
  /// Fields from a literal. Of several with one name, the last one counts.
  public init(dictionaryLiteral fields: (Name, FieldValue)...) {
    self.init(fields.map { Field(name: $0.0, value: $0.1) })
  }
}

extension ZoneID: ExpressibleByStringLiteral {
  /// The user's own zone of that name.
  public init(stringLiteral name: String) { self.init(zoneName: Name(name)) }
}
