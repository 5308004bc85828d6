import Records

/// Turns the JSON form of a field into what a save says about it (CloudKit Web Services, b.4).
enum FieldReader {
  /// Older names of types that clients may still send.
  private static let aliases: [String: String] = [
    "NUMBER_INT64": "INT64", "NUMBER_DOUBLE": "DOUBLE", "NUMBER_INT64_LIST": "INT64_LIST",
    "NUMBER_DOUBLE_LIST": "DOUBLE_LIST", "EMPTY_LIST": "UNKNOWN_LIST",
  ]

  /// The change that one member of `fields` asks for: `{"value":…,"type":…}`; null, `{}` and a null value clear the field.
  static func change(_ json: JSON) -> FieldChange {
    guard case .object = json else {
      return json == .null ? .clear : .malformed("a field is an object with a value, such as {\"value\":3}")
    }
    guard let value = json["value"], value != .null else { return .clear }
    let isEncrypted = json["isEncrypted"]?.bool ?? false
    guard let typeName = json["type"]?.string, typeName != "LIST" else {
      guard let guess = guess(value) else { return .malformed(unguessable(value)) }
      return .set(guess, isTyped: false, isEncrypted: isEncrypted)
    }
    guard let type = FieldType(rawValue: aliases[typeName] ?? typeName) else {
      return .malformed(
        typeName.hasPrefix("ASSET") ? "assets are not served by this version" : "\(typeName) is not a field type")
    }
    guard let typed = FieldValue(value, as: type) else {
      return .malformed("Invalid value, expected type \(type.rawValue).")
    }
    return .set(typed, isTyped: true, isEncrypted: isEncrypted)
  }

  /// The type that a value without one most likely has; the zone's schema may correct it.
  static func guess(_ json: JSON) -> FieldValue? {
    switch json {
    case .null: nil
    case .bool(let bool): .int64(bool ? 1 : 0)
    case .integer(let integer): .int64(integer)
    case .number(let number): .double(number)
    case .string(let string): .string(string)
    case .object: guessObject(json)
    case .array(let elements): guessList(elements)
    }
  }

  private static func guessObject(_ json: JSON) -> FieldValue? {
    if json["latitude"] != nil, json["longitude"] != nil { return FieldValue(json, as: .location) }
    return json["recordName"] == nil ? nil : FieldValue(json, as: .reference)
  }

  /// A list is of the type of its first element; a number list with a fraction anywhere is of DOUBLE.
  private static func guessList(_ elements: [JSON]) -> FieldValue? {
    guard let first = elements.first else { return .unknownList }
    guard let guess = guess(first) else { return nil }
    let list = JSON.array(elements)
    switch guess.type {
    case .int64: return FieldValue(list, as: .int64List) ?? FieldValue(list, as: .doubleList)
    case .double: return FieldValue(list, as: .doubleList)
    case .string: return FieldValue(list, as: .stringList)
    case .reference: return FieldValue(list, as: .referenceList)
    case .location: return FieldValue(list, as: .locationList)
    default: return nil
    }
  }

  private static func unguessable(_ json: JSON) -> String {
    if json["receipt"] != nil || json["fileChecksum"] != nil { return "assets are not served by this version" }
    return "the value has no type and does not show one; name it in \"type\""
  }
}
