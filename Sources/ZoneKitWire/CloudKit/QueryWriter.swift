import ZoneKitRecords

/// Writes queries in the form of the web services (CloudKit Web Services, b.6).
enum QueryWriter {
  /// The body of a request.
  static func json(_ request: QueryRecords) -> JSON {
    JSON(known: [
      "query": json(request.query),
      "zoneID": request.zoneID.map {
        JSON(known: [
          "zoneName": .string($0.zoneName.text),
          "ownerRecordName": $0.owner == .caller ? nil : .string($0.owner.recordName.text),
        ])
      },
      "zoneWide": request.zoneID == nil ? true : nil, "resultsLimit": .integer(Int64(request.limit)),
      "continuationMarker": request.marker.map(JSON.string),
    ])
  }

  /// The dictionary `query`.
  static func json(_ query: CloudQuery) -> JSON {
    [
      "recordType": .string(query.recordType.text), "filterBy": .array(query.filters.map(filter)),
      "sortBy": .array(query.sort.map(sort)),
    ]
  }

  private static func filter(_ filter: CloudQuery.Filter) -> JSON {
    .object(
      (filter.key.map { [key($0)] } ?? [])
        + [
          JSON.Member("comparator", .string(filter.comparator.rawValue)),
          JSON.Member("fieldValue", value(filter.value, isTyped: filter.isTyped)),
        ] + (filter.distance.map { [JSON.Member("distance", .number($0))] } ?? []))
  }

  private static func sort(_ sort: CloudQuery.Sort) -> JSON {
    .object(
      [key(sort.key), JSON.Member("ascending", .bool(sort.isAscending))]
        + (sort.relativeLocation.map {
          [JSON.Member("relativeLocation", value(.location($0), isTyped: true))]
        } ?? []))
  }

  private static func key(_ key: CloudQuery.Key) -> JSON.Member {
    switch key {
    case .field(let name): JSON.Member("fieldName", .string(name.text))
    case .system(let field): JSON.Member("systemFieldName", .string(field.rawValue))
    }
  }

  private static func value(_ value: FieldValue, isTyped: Bool) -> JSON {
    .object(
      [JSON.Member("value", json(of: value))] + (isTyped ? [JSON.Member("type", .string(value.type.rawValue))] : []))
  }

  private static func json(of value: FieldValue) -> JSON {
    var text: [UInt8] = []
    text.append(value)
    do { return try JSON(parsing: text) } catch { preconditionFailure("the text of a field value is JSON: \(error)") }
  }
}
