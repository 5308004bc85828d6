import ZoneKitRecords
import ZoneKitRelations

/// Functions of JSON values.
enum JSONFunctions {
  /// The result for a value that is not null.
  static func value(_ function: TypedFunction, _ datum: Datum, _ type: DatumType) throws(SQLFailure) -> Datum {
    if function == .toPlainJSON { return .json(json(datum, type)) }
    if function == .toJSON { return try DatumType.jsonb.datum(json(datum, type), now: 0) }
    let value: JSONBValue
    switch datum {
    case .jsonb(let own): value = own
    case .json(let text):
      guard case .jsonb(let read) = try DatumType.jsonb.datum(text, now: 0) else { return .null }
      value = read
    default: return .null
    }
    if function == .jsonType { return .text(value.typeName) }
    switch value {
    case .array(let elements): return .integer(Int64(elements.count))
    case .object: throw SQLFailure(.invalidParameter, "cannot get array length of a non-array")
    default: throw SQLFailure(.invalidParameter, "cannot get array length of a scalar")
    }
  }

  /// An object of keys and values, or an array of values.
  static func built(_ function: TypedFunction, _ values: [Datum], _ types: [DatumType]) throws(SQLFailure) -> Datum {
    let isObject = function != .jsonArray && function != .plainJSONArray
    var parts: [String] = []
    for (place, (datum, type)) in zip(values, types).enumerated() {
      guard isObject, place.isMultiple(of: 2) else {
        parts.append(json(datum, type))
        continue
      }
      parts.append(try key(datum, type, place, function))
    }
    if isObject {
      let sign = function == .rowJSON ? ":" : " : "
      parts = stride(from: 0, to: parts.count, by: 2).map { "\(parts[$0])\(sign)\(parts[$0 + 1])" }
    }
    let list = parts.joined(separator: function == .rowJSON ? "," : ", ")
    let text = (isObject ? "{" : "[") + list + (isObject ? "}" : "]")
    let isBinary = function == .jsonObject || function == .jsonArray
    return !isBinary ? .json(text) : try DatumType.jsonb.datum(text, now: 0)
  }

  /// The value as JSON writes it.
  static func json(_ datum: Datum, _ type: DatumType) -> String {
    var bytes: [UInt8] = []
    type.append(datum, toJSON: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value as the key of an object.
  static func key(
    _ datum: Datum, _ type: DatumType, _ place: Int, _ function: TypedFunction
  ) throws(SQLFailure) -> String {
    switch datum {
    case .null where function == .plainJSONObject:
      throw SQLFailure(
        .invalidParameter, "argument \(place + 1) cannot be null", hint: "Object keys should be text.")
    case .null: throw SQLFailure(.invalidParameter, "argument \(place + 1): key must not be null")
    case .json, .jsonb, .array:
      throw SQLFailure(.invalidParameter, "key value must be scalar, not array, composite, or json")
    case .boolean(let value): return value ? "\"true\"" : "\"false\""
    case .timestamp: return json(datum, type)
    default: return JSON.string(type.text(of: datum)).text()
    }
  }
}

extension JSONBValue {
  /// What kind of value it is, as `jsonb_typeof` says.
  fileprivate var typeName: String {
    if case .number = self { "number" } else { kindName }
  }
}
