import ZoneKitRelations
import ZoneKitSchema

/// A function as it can be called.
struct FunctionSignature {
  /// The function; nil if PostgreSQL has it, but it is not supported.
  var function: TypedFunction?
  /// What it takes. The last one may be given any number of times if it is variadic.
  var parameters: [SlotType]
  /// The type of its result.
  var result: DatumType
  /// Whether the last parameter may be given any number of times.
  var isVariadic = false

  /// The parameters for that many values; nil if it does not take so many.
  func parameters(for count: Int) -> [SlotType]? {
    guard isVariadic, let last = parameters.last, count >= parameters.count else {
      return count == parameters.count ? parameters : nil
    }
    return parameters + Array(repeating: last, count: count - parameters.count)
  }
}

/// The functions that can be called, by their names.
package enum FunctionTable {
  /// Whether there is a function of that name.
  package static func isKnown(_ name: SQLName) -> Bool { !signatures(of: name).isEmpty }

  /// The functions of a name; none if there is none.
  static func signatures(of name: SQLName) -> [FunctionSignature] {
    switch name.schema {
    case nil, "pg_catalog"?: builtIn[name.name] ?? []
    case let schema?: outside["\(schema).\(name.name)"] ?? []
    }
  }

  private static let outside: [String: [FunctionSignature]] = [
    "auth.uid": [of(.userID, [], .uuid)], "auth.role": [of(.claimedRole, [], .text)],
    "auth.email": [of(.claimedAddress, [], .text)], "auth.jwt": [of(.claims, [], .jsonb)],
    "extensions.uuid_generate_v4": [of(.randomUUID, [], .uuid)],
    "extensions.gen_random_uuid": [of(.randomUUID, [], .uuid)],
    "storage.foldername": [of(.folderNames, [.text], .array(.text))],
    "storage.filename": [of(.fileName, [.text], .text)],
    "storage.extension": [of(.fileExtension, [.text], .text)],
  ]

  private static let builtIn = session.merging(texts) { $1 }.merging(numbers) { $1 }.merging(others) { $1 }

  private static let session: [String: [FunctionSignature]] = [
    "now": [of(.now, [], .timestamptz(nil))], "transaction_timestamp": [of(.now, [], .timestamptz(nil))],
    "statement_timestamp": [of(.now, [], .timestamptz(nil))],
    "clock_timestamp": [of(.clockTime, [], .timestamptz(nil))],
    "random": [of(.random, [], .doublePrecision)],
    "gen_random_uuid": [of(.randomUUID, [], .uuid)], "uuid_generate_v4": [of(.randomUUID, [], .uuid)],
    "current_setting": [of(.setting, [.text], .text), of(.setting, [.text, .boolean], .text)],
  ]

  private static let texts: [String: [FunctionSignature]] = [
    "lower": [of(.lower, [.text], .text)], "upper": [of(.upper, [.text], .text)],
    "length": [of(.length, [.text], .integer), of(.length, [.char(0)], .integer), of(.byteLength, [.bytea], .integer)],
    "char_length": [of(.length, [.text], .integer), of(.length, [.char(0)], .integer)],
    "character_length": [of(.length, [.text], .integer), of(.length, [.char(0)], .integer)],
    "octet_length": [.text, .char(0), .bytea].map { of(.byteLength, [$0], .integer) },
    "btrim": trims(.trimmed), "ltrim": trims(.leftTrimmed), "rtrim": trims(.rightTrimmed),
    "substring": substrings
      + [of(nil, [.text, .text], .text), of(nil, [.text, .text, .text], .text)], "substr": substrings,
    "left": [of(.left, [.text, .integer], .text)], "right": [of(.right, [.text, .integer], .text)],
    "position": [of(.position, [.text, .text], .integer), of(nil, [.bytea, .bytea], .integer)],
    "strpos": [of(.position, [.text, .text], .integer)], "replace": [of(.replace, [.text, .text, .text], .text)],
    "concat": [FunctionSignature(function: .concatenated, parameters: [.any], result: .text, isVariadic: true)],
    "concat_ws": [
      FunctionSignature(
        function: .concatenatedWith, parameters: [.value(.text), .any], result: .text, isVariadic: true)
    ],
    "lpad": pads(.leftPadded), "rpad": pads(.rightPadded), "repeat": [of(.repeated, [.text, .integer], .text)],
    "reverse": [of(.reversed, [.text], .text)], "md5": [of(.hash, [.text], .text), of(nil, [.bytea], .text)],
    "split_part": [of(.splitPart, [.text, .text, .integer], .text)],
  ]

  private static let numbers: [String: [FunctionSignature]] = [
    "abs": [.smallint, .integer, .bigint, .numeric(nil), .real, .doublePrecision].map { of(.abs, [$0], $0) },
    "round": roundings(.round) + [of(.round, [.numeric(nil), .integer], .numeric(nil))],
    "trunc": roundings(.truncated) + [
      // That of an address.
      special(nil, [.foreign], .text),
      of(.truncated, [.numeric(nil), .integer], .numeric(nil)),
    ],
    "ceil": roundings(.ceiling), "ceiling": roundings(.ceiling), "floor": roundings(.floor), "sign": roundings(.sign),
    "mod": [.smallint, .integer, .bigint, .numeric(nil)].map { of(.mod, [$0, $0], $0) },
  ]

  private static let others: [String: [FunctionSignature]] = [
    "array_length": [special(.arrayLength, [.anyArray, .value(.integer)], .integer)],
    "cardinality": [special(.cardinality, [.anyArray], .integer)],
    "array_position": [
      special(.arrayPosition, [.anyCompatibleArray, .anyCompatible], .integer),
      special(.arrayPosition, [.anyCompatibleArray, .anyCompatible, .value(.integer)], .integer),
    ],
    "jsonb_typeof": [of(.jsonType, [.jsonb], .text)], "json_typeof": [of(.jsonType, [.json], .text)],
    "jsonb_set": [
      of(.jsonSet, [.jsonb, .array(.text), .jsonb], .jsonb),
      of(.jsonSet, [.jsonb, .array(.text), .jsonb, .boolean], .jsonb),
    ],
    "jsonb_array_length": [of(.jsonArrayLength, [.jsonb], .integer)],
    "json_array_length": [of(.jsonArrayLength, [.json], .integer)],
    "jsonb_build_object": builders(.jsonObject, .jsonb), "jsonb_build_array": builders(.jsonArray, .jsonb),
    "json_build_object": builders(.plainJSONObject, .json), "json_build_array": builders(.plainJSONArray, .json),
    "to_jsonb": [special(.toJSON, [.anyElement], .jsonb)], "to_json": [special(.toPlainJSON, [.anyElement], .json)],
    "row_to_json": [of(.toPlainJSON, [.json], .json)],
    "date_trunc": [
      of(.truncatedTime, [.text, .timestamptz(nil)], .timestamptz(nil)),
      of(.truncatedTime, [.text, .timestamp(nil)], .timestamp(nil)),
      special(nil, [.value(.text), .interval], .text),
    ],
    "timezone": [
      of(.timeInZone, [.text, .timestamptz(nil)], .timestamp(nil)),
      of(.timeInZone, [.text, .timestamp(nil)], .timestamptz(nil)),
    ],
    "extract": parts(.numeric(nil)), "date_part": parts(.doublePrecision),
  ]

  private static let substrings = [
    of(.substring, [.text, .integer], .text), of(.substring, [.text, .integer, .integer], .text),
    of(nil, [.bytea, .integer], .bytea), of(nil, [.bytea, .integer, .integer], .bytea),
  ]

  private static func pads(_ function: TypedFunction) -> [FunctionSignature] {
    [of(function, [.text, .integer], .text), of(function, [.text, .integer, .text], .text)]
  }

  private static func trims(_ function: TypedFunction) -> [FunctionSignature] {
    [of(function, [.text], .text), of(function, [.text, .text], .text), of(nil, [.bytea, .bytea], .bytea)]
  }

  private static func roundings(_ function: TypedFunction) -> [FunctionSignature] {
    [.numeric(nil), .doublePrecision].map { of(function, [$0], $0) }
  }

  private static func parts(_ result: DatumType) -> [FunctionSignature] {
    [DatumType.date, .time(nil), .timestamp(nil), .timestamptz(nil)].map { of(.timePart, [.text, $0], result) }
      + [.interval, .zonedTime].map { special(nil, [.value(.text), $0], result) }
  }

  private static func builders(_ function: TypedFunction, _ result: DatumType) -> [FunctionSignature] {
    [
      of(function, [], result),
      FunctionSignature(function: function, parameters: [.any], result: result, isVariadic: true),
    ]
  }

  private static func of(_ function: TypedFunction?, _ types: [DatumType], _ result: DatumType) -> FunctionSignature {
    FunctionSignature(function: function, parameters: types.map { .value($0) }, result: result)
  }

  private static func special(
    _ function: TypedFunction?, _ parameters: [SlotType], _ result: DatumType
  ) -> FunctionSignature {
    FunctionSignature(function: function, parameters: parameters, result: result)
  }
}
