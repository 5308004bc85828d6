import Records

/// Reads the body of `records/modify` (CloudKit Web Services, a.1 row 2, b.3 and b.7).
struct RecordOperationsReader {
  let json: JSON

  func request() throws(RequestFailure) -> ModifyRecords {
    let elements = try json.requiredArray("operations")
    let operations = try elements.mapNumbered("operations", operation)
    return ModifyRecords(
      zoneID: try zoneID(of: elements), operations: operations, isAtomic: json["atomic"]?.bool ?? true)
  }

  /// The zone stands beside the operations or inside each record; where both do they must agree (CloudKit Web Services,
  /// b.3).
  private func zoneID(of elements: [JSON]) throws(RequestFailure) -> ZoneID {
    var known: ZoneID?
    if let outer = json["zoneID"], outer != .null { known = try json.zoneID() }
    for (index, element) in elements.enumerated() {
      guard let inner = element["record"]?["zoneID"], inner != .null else { continue }
      let place = "operations[\(index)].record.zoneID"
      guard let zoneID = ZoneID(inner) else { throw .badZoneID(place) }
      guard zoneID == known ?? zoneID else {
        throw .badRequest("\(place) differs from the zone of the request; one request changes one zone")
      }
      known = zoneID
    }
    return known ?? .defaultZone
  }

  private func operation(_ json: JSON, at place: String) throws(RequestFailure) -> RecordOperation {
    guard let kind = json["operationType"]?.string.flatMap(RecordOperation.Kind.init(rawValue:)) else {
      let kinds = RecordOperation.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw .badRequest("\(place).operationType must be one of \(kinds)")
    }
    guard let record = json["record"], case .object = record else {
      throw .badRequest("\(place).record must be an object")
    }
    return RecordOperation(
      kind,
      recordName: try name("recordName", of: record, at: place),
      recordType: try name("recordType", of: record, at: place),
      changeTag: try name("recordChangeTag", of: record, at: place).map { ChangeTag($0.text) },
      fields: try fields(of: record, at: place),
      parent: try parent(of: record, at: place))
  }

  private func name(_ key: String, of record: JSON, at place: String) throws(RequestFailure) -> Name? {
    switch record[key] {
    case nil, .null: nil
    case .string(let text): Name(text)
    default: throw .badRequest("\(place).record.\(key) must be a string")
    }
  }

  private func fields(of record: JSON, at place: String) throws(RequestFailure) -> [NamedFieldChange] {
    switch record["fields"] {
    case nil, .null: []
    case .object(let members): members.map { NamedFieldChange(Name($0.key), FieldReader.change($0.value)) }
    default: throw .badRequest("\(place).record.fields must be an object")
    }
  }

  private func parent(of record: JSON, at place: String) throws(RequestFailure) -> RecordOperation.ParentChange {
    guard let member = record["parent"] else { return .keep }
    guard member != .null else { return .clear }
    guard let name = member["recordName"]?.string, !name.isEmpty else {
      throw .badRequest("\(place).record.parent must be an object with a recordName")
    }
    return .set(Name(name))
  }
}
