import ZoneKitRecords

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  /// A text.
  public init(stringLiteral text: String) { self = .string(text) }

  /// A whole number.
  public init(integerLiteral number: Int64) { self = .int64(number) }

  /// A number.
  public init(floatLiteral number: Double) { self = .double(number) }

  /// 1 for true and 0 for false: CloudKit has no other way to keep a truth.
  public init(booleanLiteral isTrue: Bool) { self = .int64(isTrue ? 1 : 0) }
}

extension Fields: ExpressibleByDictionaryLiteral {
  /// The given fields; where a name comes twice the later one counts.
  public init(dictionaryLiteral fields: (Name, FieldValue)...) {
    self.init(fields.map { Field(name: $0.0, value: $0.1) })
  }
}

extension ZoneID: ExpressibleByStringLiteral {
  /// The caller's own zone of that name.
  public init(stringLiteral name: String) { self.init(zoneName: Name(name)) }
}
