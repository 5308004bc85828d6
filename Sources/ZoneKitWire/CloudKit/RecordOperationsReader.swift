import ZoneKitRecords

/// Reads the body of `records/modify` (CloudKit Web Services, a.1 row 2, b.3 and b.7).
struct RecordOperationsReader {
  let json: JSON

  func request() throws(MemberError) -> ModifyRecords {
    let elements = try json.requiredArray("operations")
    let operations = try elements.mapNumbered("operations", Self.operation)
    return ModifyRecords(
      zoneID: try zoneID(of: elements), operations: operations, isAtomic: try json.optionalBool("atomic") ?? true)
  }

  /// The zone of the operations. It is given beside them or in each record; if both are given, they must agree
  /// (CloudKit Web Services, b.3). A record without a zone is in the zone of the others.
  private func zoneID(of elements: [JSON]) throws(MemberError) -> ZoneID {
    var known = try json.optionalZoneID("zoneID")
    _ = try elements.mapNumbered("operations") { (element) throws(MemberError) in
      guard let inner = element["record"]?.member("zoneID") else { return }
      guard let zoneID = ZoneID(inner) else { throw .notZoneID("record.zoneID") }
      guard let agreed = zoneID.agreed(with: known ?? zoneID) else {
        throw MemberError("record.zoneID", "differs from the zone of the request; one request changes one zone")
      }
      known = agreed
    }
    return known ?? .defaultZone
  }

  private static func operation(_ json: JSON) throws(MemberError) -> RecordOperation {
    guard let kind = json["operationType"]?.string.flatMap(RecordOperation.Kind.init(rawValue:)) else {
      let kinds = RecordOperation.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw MemberError("operationType", "must be one of \(kinds)")
    }
    guard let record = json["record"], case .object = record else {
      throw MemberError("record", "must be an object")
    }
    do throws(MemberError) {
      return try operation(kind, on: record)
    } catch {
      throw error.within("record")
    }
  }

  private static func operation(_ kind: RecordOperation.Kind, on record: JSON) throws(MemberError) -> RecordOperation {
    RecordOperation(
      kind,
      recordName: try record.optionalString("recordName").map { Name($0) },
      recordType: try record.optionalString("recordType").map { Name($0) },
      changeTag: try record.optionalString("recordChangeTag").map { ChangeTag($0) },
      fields: try fields(of: record),
      parent: try parent(of: record), share: try ShareCodec.change(record))
  }

  private static func fields(of record: JSON) throws(MemberError) -> [NamedFieldChange] {
    guard let fields = record.member("fields") else { return [] }
    guard let members = fields.object else { throw MemberError("fields", "must be an object") }
    return members.map { NamedFieldChange(Name($0.key), FieldReader.change($0.value)) }
  }

  /// For a parent, null has a meaning: the parent is removed.
  private static func parent(of record: JSON) throws(MemberError) -> RecordOperation.ParentChange {
    guard let parent = record["parent"] else { return .keep }
    if case .null = parent { return .clear }
    guard let name = parent["recordName"]?.string, !name.isEmpty else {
      throw MemberError("parent", "must be an object with a recordName")
    }
    return .set(Name(name))
  }
}

extension ZoneID {
  /// The zone that both IDs mean; nil if they differ. One may omit the owner, which then is the caller. It is not known
  /// here whether the other names the caller, so the more complete ID is returned.
  fileprivate func agreed(with other: ZoneID) -> ZoneID? {
    guard zoneName == other.zoneName else { return nil }
    if owner == other.owner || other.owner == .caller { return self }
    return owner == .caller ? other : nil
  }
}
