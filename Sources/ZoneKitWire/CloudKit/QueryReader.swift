import ZoneKitRecords

/// Reads queries (CloudKit Web Services, a.1 row 1 and b.6).
enum QueryReader {
  /// The query of `records/query`, or of an element of a batch.
  static func request(_ json: JSON) throws(MemberError) -> QueryRecords {
    guard let query = json["query"], case .object = query else { throw MemberError("query", "must be an object") }
    let zoneID = try json.optionalZoneID("zoneID")
    let isWide = try json.optionalBool("zoneWide") ?? false
    return QueryRecords(
      try Self.query(query), in: zoneID ?? (isWide ? nil : .defaultZone),
      limit: try json.resultsLimit() ?? QueryRecords.pageLimit, marker: try json.optionalString("continuationMarker"))
  }

  /// The dictionary `query`.
  static func query(_ json: JSON) throws(MemberError) -> CloudQuery {
    do throws(MemberError) {
      guard let type = json["recordType"]?.string, !type.isEmpty else {
        throw MemberError("recordType", "must be a string, not empty")
      }
      return CloudQuery(
        Name(type), where: try json.optionalArray("filterBy").mapNumbered("filterBy", filter),
        sortedBy: try json.optionalArray("sortBy").mapNumbered("sortBy", sort))
    } catch {
      throw error.within("query")
    }
  }

  private static func filter(_ json: JSON) throws(MemberError) -> CloudQuery.Filter {
    let comparator = try comparator(json)
    var key: CloudQuery.Key?
    if json.member("fieldName") != nil || json.member("systemFieldName") != nil { key = try self.key(json) }
    guard let field = json.member("fieldValue") else {
      throw MemberError("fieldValue", "must be an object with a value, such as {\"value\":3}")
    }
    let distance = json.member("distance")
    guard distance.map({ $0.number?.isFinite ?? false }) ?? true else {
      throw MemberError("distance", "must be a number of metres")
    }
    switch FieldReader.change(field) {
    case .set(let value, let isTyped, _):
      return CloudQuery.Filter(comparator, key, value, isTyped: isTyped, distance: distance?.number)
    case .clear: throw MemberError("fieldValue", "must have a value")
    case .malformed(let why): throw MemberError("fieldValue", "is not valid: \(why)")
    }
  }

  private static func comparator(_ json: JSON) throws(MemberError) -> CloudQuery.Comparator {
    let name = json["comparator"]?.string ?? ""
    if let comparator = CloudQuery.Comparator(rawValue: aliases[name] ?? name) { return comparator }
    let names = CloudQuery.Comparator.allCases.map(\.rawValue).joined(separator: ", ")
    throw MemberError("comparator", "must be one of \(names)")
  }

  /// A comparator of one client (CloudKit Web Services, i.24).
  private static let aliases = ["CONTAINS_ANY": "LIST_CONTAINS_ANY"]

  private static func sort(_ json: JSON) throws(MemberError) -> CloudQuery.Sort {
    var sort = CloudQuery.Sort(try key(json), isAscending: try json.optionalBool("ascending") ?? true)
    guard let field = json.member("relativeLocation") else { return sort }
    // Some clients send the location itself and not a field with it.
    let location = field.member("value") ?? field
    guard case .location(let place) = FieldValue(location, as: .location) else {
      throw MemberError("relativeLocation", "must be a field of type LOCATION with latitude and longitude")
    }
    sort.relativeLocation = place
    return sort
  }

  /// The key of a filter or an order, under either name (CloudKit Web Services, b.6).
  private static func key(_ json: JSON) throws(MemberError) -> CloudQuery.Key {
    if let name = try json.optionalString("systemFieldName") {
      guard let field = CloudQuery.SystemField(rawValue: name) ?? SystemFieldName.fields[name] else {
        let names = CloudQuery.SystemField.allCases.map(\.rawValue).joined(separator: ", ")
        throw MemberError("systemFieldName", "must be one of \(names)")
      }
      return .system(field)
    }
    guard let name = try json.optionalString("fieldName"), !name.isEmpty else {
      throw MemberError("fieldName", "must be a string, not empty")
    }
    if let field = CloudQuery.SystemField(rawValue: name) ?? SystemFieldName.fields[name] { return .system(field) }
    return .field(Name(name))
  }
}

/// The names that system fields have as a `fieldName` (CloudKit Web Services, b.6).
enum SystemFieldName {
  static let fields: [String: CloudQuery.SystemField] = [
    "___recordID": .recordName, "___recordId": .recordName, "___createTime": .createdTimestamp,
    "___modTime": .modifiedTimestamp, "___createdBy": .createdUserRecordName,
    "___modifiedBy": .modifiedUserRecordName, "___parent": .parent, "___share": .share,
  ]
}

extension JSON {
  /// The array of that key; empty if it is absent.
  fileprivate func optionalArray(_ key: String) throws(MemberError) -> [JSON] {
    guard let value = member(key) else { return [] }
    guard let array = value.array else { throw MemberError(key, "must be an array") }
    return array
  }
}
