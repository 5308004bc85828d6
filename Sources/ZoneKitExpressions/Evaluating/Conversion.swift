import ZoneKitRecords
import ZoneKitRelations

/// Conversions of values between types.
enum Conversion {
  /// A value of one type as one of another. Throws where it is no value of that type.
  static func value(
    _ datum: Datum, from own: DatumType, to type: DatumType, isExplicit: Bool, now: Int64
  ) throws(SQLFailure) -> Datum {
    if datum == .null { return .null }
    if case .array(let elements) = datum, let own = own.element, let element = type.element {
      var converted: [Datum] = []
      for part in elements {
        converted.append(try value(part, from: own, to: element, isExplicit: isExplicit, now: now))
      }
      return .array(converted)
    }
    let plain = own.unlimited == type.unlimited ? datum : try unlimited(datum, own, type, now)
    return try limited(plain, to: type, isExplicit: isExplicit)
  }

  /// A value within the limits of its type: rounded, padded, or cut where a cast is written. Throws where it does not fit.
  static func limited(_ datum: Datum, to type: DatumType, isExplicit: Bool) throws(SQLFailure) -> Datum {
    switch (datum, type) {
    case (.text(let text), .varchar(let length?)), (.text(let text), .char(let length)):
      if length == 0 { return datum }
      return .text(try type.fitted(isExplicit ? text.firstScalars(length) : text))
    case (.numeric(let number), .numeric(let limit)): return .numeric(try DatumType.fitted(number, limit))
    case (.time(let time), .time(let digits?)): return .time(Calendar.rounded(time, digits))
    case (.timestamp(let time), .timestamp(let digits?)), (.timestamp(let time), .timestamptz(let digits?)):
      if time == .max || time == .min { return datum }
      // PostgreSQL counts from 2000.
      return .timestamp(Calendar.rounded(time - Calendar.year2000, digits) + Calendar.year2000)
    case (.array(let elements), .array(let element)):
      var fitted: [Datum] = []
      for part in elements { fitted.append(try limited(part, to: element, isExplicit: isExplicit)) }
      return .array(fitted)
    default: return datum
    }
  }

  private static func unlimited(
    _ datum: Datum, _ own: DatumType, _ type: DatumType, _ now: Int64
  ) throws(SQLFailure) -> Datum {
    if own.numberRank != nil, type.numberRank != nil { return try NumberConversion.number(datum, own, type) }
    switch (datum, type) {
    case (.boolean(let value), .integer): return .integer(value ? 1 : 0)
    case (.integer(let number), .boolean): return .boolean(number != 0)
    case (.json(let text), .jsonb): return try DatumType.jsonb.datum(text, now: now)
    case (.jsonb(let value), .json): return .json(value.text)
    case (.jsonb(let value), .boolean):
      guard case .boolean(let truth) = value else { throw jsonFailure(value, type) }
      return .boolean(truth)
    case (.jsonb(let value), _) where type.numberRank != nil:
      guard case .number(let number) = value else { throw jsonFailure(value, type) }
      return try NumberConversion.number(.numeric(number), .numeric(nil), type)
    case (.date(let days), .timestamp), (.date(let days), .timestamptz):
      return .timestamp(try Calendar.time(ofDay: days))
    case (.timestamp, .timestamp), (.timestamp, .timestamptz): return datum
    case (.timestamp(let time), .date): return .date(Calendar.day(of: time))
    case (.timestamp(let time), .time): return Calendar.isFinite(time) ? .time(Calendar.timeOfDay(time)) : .null
    case (.text(let text), _) where type.isText: return .text(own.isPadded ? text.withoutBlanksAtEnd : text)
    case (.text(let text), _): return try type.unlimited.datum(text, now: now)
    case (.boolean(let value), _): return .text(value ? "true" : "false")
    default: return .text(own.text(of: datum))
    }
  }

  private static func jsonFailure(_ value: JSONBValue, _ type: DatumType) -> SQLFailure {
    SQLFailure(.invalidParameter, "cannot cast jsonb \(value.kindName) to type \(type.name)")
  }
}

extension JSONBValue {
  /// What kind of value it is, as messages state it.
  var kindName: String {
    switch self {
    case .null: "null"
    case .string: "string"
    case .number: "numeric"
    case .boolean: "boolean"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension DatumType {
  /// Whether its texts are padded with blanks that do not count.
  var isPadded: Bool { if case .char = self { true } else { false } }
}

extension String {
  /// The text without blanks at its end.
  var withoutBlanksAtEnd: String {
    String(decoding: utf8.dropLast(utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count), as: UTF8.self)
  }

  /// The first characters, as PostgreSQL counts them.
  func firstScalars(_ count: Int) -> String {
    utf8.count <= count ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}
