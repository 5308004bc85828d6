import ZoneKitRecords

/// Reads the change of a field from its JSON form (CloudKit Web Services, b.4).
enum FieldReader {
  /// Other names of types that clients may send.
  private static let aliases: [String: FieldType] = [
    "NUMBER_INT64": .int64, "NUMBER_DOUBLE": .double, "NUMBER_INT64_LIST": .int64List,
    "NUMBER_DOUBLE_LIST": .doubleList, "EMPTY_LIST": .unknownList, "ASSET": .asset, "ASSET_LIST": .assetList,
  ]

  /// The change in a member of `fields`: `{"value":…,"type":…}`. Null, `{}` and a null value remove the field.
  static func change(_ json: JSON) -> FieldChange {
    guard case .object = json else {
      return json == .null ? .clear : .malformed("a field must be an object with a value, such as {\"value\":3}")
    }
    guard let value = json.member("value") else { return .clear }
    do throws(MemberError) {
      let isEncrypted = try json.optionalBool("isEncrypted") ?? false
      return change(value, type: try json.optionalString("type"), isEncrypted: isEncrypted)
    } catch {
      return .malformed(error.description)
    }
  }

  private static func change(_ value: JSON, type name: String?, isEncrypted: Bool) -> FieldChange {
    guard let name, name != "LIST" else {
      if name != nil, value.array == nil { return .malformed(expected("LIST")) }
      return guess(value).map { .set($0, isTyped: false, isEncrypted: isEncrypted) } ?? .malformed(unguessable)
    }
    guard let type = FieldType(rawValue: name) ?? aliases[name] else {
      return .malformed("\(name) is not a field type")
    }
    return FieldValue(value, as: type).map { .set($0, isTyped: true, isEncrypted: isEncrypted) }
      ?? .malformed(expected(type.rawValue))
  }

  /// The value with the most likely type, if the type is missing. The zone's schema may correct it.
  private static func guess(_ json: JSON) -> FieldValue? {
    switch json {
    case .null: nil
    case .bool(let bool): .int64(bool ? 1 : 0)
    case .integer(let integer): .int64(integer)
    case .number(let number): .double(number)
    case .string(let string): .string(string)
    case .verbatim(let value): guess(value.interpreted)
    case .object: guessObject(json)
    case .array(let elements): guessList(elements)
    }
  }

  private static func guessObject(_ json: JSON) -> FieldValue? {
    if json["latitude"] != nil, json["longitude"] != nil { return FieldValue(json, as: .location) }
    if json["receipt"] != nil || json["fileChecksum"] != nil { return FieldValue(json, as: .asset) }
    return json["recordName"] == nil ? nil : FieldValue(json, as: .reference)
  }

  /// A list has the type of its first element. A list of numbers with a fraction anywhere is of type DOUBLE.
  private static func guessList(_ elements: [JSON]) -> FieldValue? {
    guard let first = elements.first else { return .unknownList }
    let list = JSON.array(elements)
    return switch guess(first) {
    case .int64: FieldValue(list, as: .int64List) ?? FieldValue(list, as: .doubleList)
    case .double: FieldValue(list, as: .doubleList)
    case .string: FieldValue(list, as: .stringList)
    case .reference: FieldValue(list, as: .referenceList)
    case .location: FieldValue(list, as: .locationList)
    case .asset: FieldValue(list, as: .assetList)
    default: nil
    }
  }

  /// The error text of the live service (CloudKit Web Services, b.4).
  private static func expected(_ type: String) -> String { "Invalid value, expected type \(type)." }

  private static var unguessable: String { "the value has no type and does not show one; name it in \"type\"" }
}
