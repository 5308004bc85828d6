import ZoneKitRecords

/// Reads and writes shares outside of records (CloudKit Web Services, b.10).
enum ShareCodec {
  // MARK: Requests

  /// Reads a short GUID. Some clients give its text without an object.
  static func request(_ json: JSON) throws(MemberError) -> ShareRequest {
    guard let value = (json["value"] ?? json).string else { throw MemberError("value", "must be a string") }
    return ShareRequest(
      value, fetchesRoot: try json.optionalBool("shouldFetchRootRecord") ?? false,
      rootFields: try json.optionalStrings("rootRecordDesiredKeys")?.map { Name($0) })
  }

  static func json(_ request: ShareRequest) -> JSON {
    JSON(known: [
      "value": .string(request.shortGUID), "shouldFetchRootRecord": .bool(request.fetchesRoot),
      "rootRecordDesiredKeys": request.rootFields.map { .array($0.map { .string($0.text) }) },
    ])
  }

  /// Reads what a record in a request says of a share; nil if it is no share.
  static func change(_ record: JSON) throws(MemberError) -> ShareChange? {
    let isShare = Share.isType(try record.optionalString("recordType").map { Name($0) })
    guard isShare || record["participants"] != nil || record["publicPermission"] != nil else { return nil }
    let root = record.member("forRecord")
    let name = root?["recordName"]?.string
    guard root == nil || name?.isEmpty == false else {
      throw MemberError("forRecord", "must be an object with a recordName")
    }
    return ShareChange(
      root: name.map { Name($0) }, rootTag: root?["recordChangeTag"]?.string.map { ChangeTag($0) },
      publicPermission: try permission("publicPermission", in: record), participants: try participants(of: record))
  }

  private static func participants(of record: JSON) throws(MemberError) -> [ShareChange.Participant]? {
    guard let list = record.member("participants") else { return nil }
    guard let elements = list.array else { throw MemberError("participants", "must be an array") }
    return try elements.mapNumbered("participants") { (json) throws(MemberError) in
      let identity = json["userIdentity"] ?? json
      let name = try identity.optionalString("userRecordName")
      let role = try json.optionalString("type")
      return ShareChange.Participant(
        id: try json.optionalString("participantId"),
        lookup: name.map { .userRecordName(Name($0)) } ?? UserLookup(identity["lookupInfo"] ?? identity),
        role: role.flatMap(ShareParticipant.Role.init), permission: try permission("permission", in: json))
    }
  }

  private static func permission(_ key: String, in json: JSON) throws(MemberError) -> SharePermission? {
    guard let text = try json.optionalString(key) else { return nil }
    guard let permission = SharePermission(rawValue: text) else {
      throw MemberError(key, "must be \(SharePermission.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return permission
  }

  /// The members of a record in a request.
  static func members(_ change: ShareChange) -> [JSON.Member] {
    let root = change.root.map { root -> JSON in
      JSON(known: ["recordName": .string(root.text), "recordChangeTag": change.rootTag.map { .string($0.text) }])
    }
    let participants = change.participants?.map { participant -> JSON in
      JSON(known: [
        "participantId": participant.id.map { .string($0) },
        "userIdentity": participant.lookup.map { ["lookupInfo": $0.json] },
        "type": participant.role.map { .string($0.rawValue) },
        "permission": participant.permission.map { .string($0.rawValue) },
      ])
    }
    let json = JSON(known: [
      "forRecord": root, "publicPermission": change.publicPermission.map { .string($0.rawValue) },
      "participants": participants.map { .array($0) },
    ])
    return json.object ?? []
  }

  // MARK: Answers

  /// Reads what a short GUID leads to.
  static func result(_ json: JSON, to request: ShareRequest, ownName: Name) -> ShareResult {
    if let error = ErrorCodec.read(json) { return .failed(request, error) }
    guard let container = json["containerIdentifier"]?.string,
      let environment = json["environment"]?.string.flatMap(Environment.init),
      let scope = json["databaseScope"]?.string.flatMap({ DatabaseScope(rawValue: $0.lowercased()) }),
      let zoneID = json["zoneID"].flatMap({ ZoneID($0) }),
      let owner = json["ownerIdentity"]?["userRecordName"]?.string
    else { return .failed(request, CloudError(.internalError, "the server's share lacks members")) }
    let part = ShareParticipant(
      id: json["participantId"]?.string ?? "", user: ownName,
      role: json["participantType"]?.string.flatMap(ShareParticipant.Role.init) ?? .unknown,
      permission: json["participantPermission"]?.string.flatMap(SharePermission.init) ?? .unknown,
      status: json["participantStatus"]?.string.flatMap(ShareParticipant.Status.init) ?? .unknown)
    return .share(
      ResolvedShare(
        request: request,
        database: DatabaseID(
          container: Name(container), environment: environment, user: "", scope: scope),
        zoneID: zoneID.resolved(for: ownName), rootName: json["rootRecordName"]?.string.map { Name($0) },
        record: record(json["share"]), root: record(json["rootRecord"]), owner: Name(owner), participant: part))
  }

  private static func record(_ json: JSON?) -> Record? {
    guard let json, case .record(let record) = RecordReader.result(json) else { return nil }
    return record
  }
}
