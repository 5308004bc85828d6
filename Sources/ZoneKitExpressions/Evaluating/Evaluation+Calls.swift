import ZoneKitRelations
import ZoneKitSchema

/// Functions.
extension Evaluation {
  /// The result of a function.
  func call(
    _ function: TypedFunction, _ arguments: [TypedExpression], _ type: DatumType
  ) throws(SQLFailure) -> Datum {
    switch function {
    case .now, .clockTime, .randomUUID, .random, .currentRole, .userID, .claimedRole, .claimedAddress, .claims,
      .setting:
      return try session(function, arguments)
    case .coalesce:
      for argument in arguments {
        let found = try value(argument)
        if found != .null { return found }
      }
      return .null
    default: break
    }
    let values = try values(arguments)
    switch function {
    case .nullIf:
      return values[1] == .boolean(true) ? .null : values[0]
    case .greatest, .least:
      return try extreme(values, Operation(type, function == .greatest ? .less : .greater, type))
    case .concatenated, .concatenatedWith: return TextFunctions.concatenated(function, values, arguments.map(\.type))
    case .jsonObject, .jsonArray, .plainJSONObject, .plainJSONArray, .rowJSON:
      return try JSONFunctions.built(function, values, arguments.map(\.type))
    case .arrayPosition: return try arrayPosition(values, arguments)
    default: break
    }
    guard !values.contains(.null) else { return .null }
    switch function {
    case .abs, .round, .ceiling, .floor, .mod, .sign, .truncated:
      return try NumberFunctions.value(function, values, type)
    case .arrayLength, .cardinality: return Self.count(function, values)
    case .jsonType, .jsonArrayLength, .toJSON, .toPlainJSON:
      return try JSONFunctions.value(function, values[0], arguments[0].type)
    case .jsonSet: return try JSONMember.set(values)
    case .timeInZone: return try TimeFunctions.inUTC(values)
    case .truncatedTime, .timePart: return try TimeFunctions.value(function, values, arguments[1].type, type)
    default: return try TextFunctions.value(function, values, arguments.first?.type ?? .text)
    }
  }

  private func session(_ function: TypedFunction, _ arguments: [TypedExpression]) throws(SQLFailure) -> Datum {
    switch function {
    case .now: return .timestamp(context.now)
    case .clockTime: return .timestamp(context.clock())
    case .randomUUID: return .uuid(context.randomUUID())
    case .random: return .double(Double(context.randomUUID().low & (1 << 53 - 1)) / Double(1 << 53))
    case .currentRole: return .text(context.role)
    case .userID:
      return try context.claim("sub").map { (text) throws(SQLFailure) in try DatumType.uuid.datum(text, now: 0) }
        ?? .null
    case .claimedRole: return context.claim("role").map { .text($0) } ?? .null
    case .claimedAddress: return context.claim("email").map { .text($0) } ?? .null
    case .claims: return context.claims.map { .jsonb($0) } ?? .null
    default: return try setting(arguments)
    }
  }

  /// A setting of the request: all claims, one of them, or the role.
  private func setting(_ arguments: [TypedExpression]) throws(SQLFailure) -> Datum {
    let values = try values(arguments)
    guard case .text(let name) = values[0], !values.contains(.null) else { return .null }
    let prefix = "request.jwt.claim."
    var found: String?
    if name.isSame("request.jwt.claims") {
      found = context.claims?.text
    } else if name.isSame("role") {
      found = context.role
    } else if name.utf8.starts(with: prefix.utf8) {
      found = context.claim(String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }
    if let found { return .text(found) }
    if values.count > 1, values[1] == .boolean(true) { return .null }
    throw SQLFailure(.unknownObject, "unrecognized configuration parameter \"\(name)\"")
  }

  /// The first value that no other one replaces, as the operator says. Nulls do not count.
  private func extreme(_ values: [Datum], _ isReplaced: Operation) throws(SQLFailure) -> Datum {
    var found = Datum.null
    for value in values where value != .null {
      if found == .null { found = value } else if try isReplaced.value(found, value) == .boolean(true) { found = value }
    }
    return found
  }

  private static func count(_ function: TypedFunction, _ values: [Datum]) -> Datum {
    guard case .array(let elements) = values[0] else { return .null }
    if function == .cardinality { return .integer(Int64(elements.count)) }
    return values[1] == .integer(1) && !elements.isEmpty ? .integer(Int64(elements.count)) : .null
  }

  private func arrayPosition(_ values: [Datum], _ arguments: [TypedExpression]) throws(SQLFailure) -> Datum {
    guard case .array(let elements) = values[0] else { return .null }
    var start = 0
    if values.count > 2 {
      guard case .integer(let place) = values[2] else {
        throw SQLFailure(.nullNotAllowed, "initial position must not be null")
      }
      start = max(0, Int(place) - 1)
    }
    let operation = Operation(arguments[0].type.element ?? .text, .isNotDistinctFrom, arguments[1].type)
    for place in elements.indices.dropFirst(start) {
      if try operation.value(elements[place], values[1]) == .boolean(true) { return .integer(Int64(place) + 1) }
    }
    return .null
  }
}
