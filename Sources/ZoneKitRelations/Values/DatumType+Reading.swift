import ZoneKitRecords

extension DatumType {
  /// Reads a value from its text, as PostgreSQL's input of the type does. `now` is the time of the statement in microseconds from
  /// 1970, which words like `today` stand for.
  package func datum(_ text: String, now: Int64) throws(SQLFailure) -> Datum {
    switch self {
    case .boolean: .boolean(try Self.boolean(text))
    case .smallint, .integer, .bigint: .integer(try integer(text))
    case .numeric(let limit): .numeric(try Self.numeric(text, limit))
    case .real: .double(try FloatingPointText.number(text, isSingle: true))
    case .doublePrecision: .double(try FloatingPointText.number(text, isSingle: false))
    case .text, .varchar, .char: .text(try fitted(text))
    case .uuid: .uuid(try uuid(text))
    case .date: .date(try time(text, .date, nil, usesZone: false, now))
    case .time(let digits): .time(try time(text, .time, digits, usesZone: false, now))
    case .timestamp(let digits): .timestamp(try time(text, .timestamp, digits, usesZone: false, now))
    case .timestamptz(let digits): .timestamp(try time(text, .timestamp, digits, usesZone: true, now))
    case .json: .json(try Self.checked(text))
    case .jsonb: .jsonb(try Self.jsonb(text))
    case .bytea: .bytes(try ByteaText.bytes(text))
    case .enumeration(let type): try Self.label(text, of: type)
    case .array(let element): .array(try ArrayText.elements(text, of: element, now: now))
    }
  }

  /// Fits a text into the limit of the type. Blanks beyond the limit are cut.
  package func fitted(_ text: String) throws(SQLFailure) -> String {
    let limit: Int
    switch self {
    case .varchar(let length?): limit = length
    case .char(let length): limit = length
    default: return text
    }
    let count = text.unicodeScalars.count
    guard count > limit else {
      return self == .char(limit) ? text + String(repeating: " ", count: limit - count) : text
    }
    guard text.unicodeScalars.dropFirst(limit).allSatisfy({ $0 == " " }) else {
      throw SQLFailure(.textTooLong, "value too long for type \(fullName)")
    }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
  }

  private func invalid(_ text: String) -> SQLFailure {
    SQLFailure(.invalidText, "invalid input syntax for type \(name): \"\(text)\"")
  }

  private static func boolean(_ text: String) throws(SQLFailure) -> Bool {
    let word = text.trimmed.lowercased()
    let isTrue = word == "1" || word == "on" || isBeginning(word, of: "true") || isBeginning(word, of: "yes")
    let isFalse =
      word == "0" || (word.utf8.count > 1 && isBeginning(word, of: "off")) || isBeginning(word, of: "false")
      || isBeginning(word, of: "no")
    guard isTrue || isFalse else {
      throw SQLFailure(.invalidText, "invalid input syntax for type boolean: \"\(text)\"")
    }
    return isTrue
  }

  private static func isBeginning(_ word: String, of whole: String) -> Bool { !word.isEmpty && whole.hasPrefix(word) }

  private func integer(_ text: String) throws(SQLFailure) -> Int64 {
    let word = text.utf8.trimmed()
    let digits = word.dropFirst(word.first == UInt8(ascii: "-") || word.first == UInt8(ascii: "+") ? 1 : 0)
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { throw invalid(text) }
    guard let number = Int64(String(decoding: word, as: UTF8.self)), integers.contains(number) else {
      throw SQLFailure(.numberOutOfRange, "value \"\(text)\" is out of range for type \(name)")
    }
    return number
  }

  /// The range of an integer type.
  var integers: ClosedRange<Int64> {
    switch self {
    case .smallint: Int64(Int16.min)...Int64(Int16.max)
    case .integer: Int64(Int32.min)...Int64(Int32.max)
    default: .min ... .max
    }
  }

  private static func numeric(_ text: String, _ limit: NumericLimit?) throws(SQLFailure) -> Numeric {
    guard let number = Numeric(text) else {
      throw SQLFailure(.invalidText, "invalid input syntax for type numeric: \"\(text)\"")
    }
    return try fitted(number, limit)
  }

  /// Rounds a number to the limit of its type. Throws where it has too many digits before the point.
  package static func fitted(_ number: Numeric, _ limit: NumericLimit?) throws(SQLFailure) -> Numeric {
    guard let limit, number.kind != .nan else { return number }
    let detail = "A field with precision \(limit.precision), scale \(limit.scale) "
    guard number.isFinite else {
      throw SQLFailure(.numberOutOfRange, "numeric field overflow", detail: detail + "cannot hold an infinite value.")
    }
    let rounded = number.rounded(toScale: limit.scale)
    let whole = limit.precision - limit.scale
    guard rounded.digits.count - rounded.scale <= whole else {
      let bound = whole == 0 ? "1" : "10^\(whole)"
      throw SQLFailure(
        .numberOutOfRange, "numeric field overflow",
        detail: detail + "must round to an absolute value less than \(bound).")
    }
    return rounded
  }

  private func uuid(_ text: String) throws(SQLFailure) -> UUID {
    guard let id = UUID(text) else { throw invalid(text) }
    return id
  }

  private func time(
    _ text: String, _ target: CalendarReader.Target, _ precision: Int?, usesZone: Bool, _ now: Int64
  ) throws(SQLFailure) -> Int64 {
    // Messages about texts call the types without a zone by their short names.
    let word = usesZone ? name : name.replacing(" without time zone", with: "")
    var reader = CalendarReader(text, for: target, typeName: word, now: now)
    return try reader.value(usesZone: usesZone, precision: precision)
  }

  private static func checked(_ text: String) throws(SQLFailure) -> String {
    _ = try json(text)
    return text
  }

  private static func jsonb(_ text: String) throws(SQLFailure) -> JSONBValue {
    try jsonb(try json(text))
  }

  /// The value as `jsonb` keeps it. Throws for numbers and texts that it cannot keep.
  static func jsonb(_ json: JSON) throws(SQLFailure) -> JSONBValue {
    guard let value = JSONBValue(json) else {
      throw SQLFailure(.numberOutOfRange, "value overflows numeric format")
    }
    guard !value.hasZeroCharacter else {
      throw SQLFailure(
        .unsupportedCharacter, "unsupported Unicode escape sequence", detail: "\\u0000 cannot be converted to text.")
    }
    return value
  }

  private static func json(_ text: String) throws(SQLFailure) -> JSON {
    do throws(JSONError) {
      return try JSON(exactly: text)
    } catch {
      throw SQLFailure(.invalidText, "invalid input syntax for type json", detail: "\(error)")
    }
  }

  private static func label(_ text: String, of type: EnumType) throws(SQLFailure) -> Datum {
    guard let place = type.labels.firstIndex(where: { $0.utf8.elementsEqual(text.utf8) }) else {
      throw SQLFailure(.invalidText, "invalid input value for enum \(type.name): \"\(text)\"")
    }
    return .label(text, place: place)
  }
}
