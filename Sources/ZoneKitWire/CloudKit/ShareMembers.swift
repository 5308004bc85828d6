import ZoneKitRecords

/// Appends the members that only share records and shared records have (CloudKit Web Services, b.3 and b.10).
struct ShareMembers {
  private let zoneID: ZoneID
  private let zones: ZoneWriter

  init(zoneID: ZoneID, zones: ZoneWriter) {
    self.zoneID = zoneID
    self.zones = zones
  }

  /// The share in canonical field text, and the other fields; nil for a record that is no share. The field of a share comes
  /// first, because names of other fields begin with a letter.
  func content(of text: Span<UInt8>) -> (content: Share, fields: EncodedFields)? {
    guard text.count > 2, text[2] == UInt8(ascii: "$") else { return nil }
    var bytes: [UInt8] = []
    bytes.append(copying: text)
    guard var fields = try? EncodedFields(canonical: bytes).decoded(), let share = Share(fields) else { return nil }
    fields.remove(Share.field)
    return (share, EncodedFields(fields))
  }

  /// Appends a comma and the member `share`.
  func append(reference name: Span<UInt8>, to output: inout [UInt8]) {
    output.append(literal: ",\"share\":{\"recordName\":")
    output.appendJSONString(utf8: name)
    output.append(literal: ",\"zoneID\":")
    zones.append(zoneID, withType: false, to: &output)
    output.append(UInt8(ascii: "}"))
  }

  /// Appends a comma and the members of a share record.
  func append(_ share: Share, named name: Name, to output: inout [UInt8]) {
    append(reference: name.text.utf8.span, to: &output)
    var members = share.members(isOfCloud: false)
    if let owner = share.participants.first(where: { $0.role == .owner }) {
      members.append(JSON.Member("owner", owner.json()))
    }
    if let current = share.participant(zones.userRecordName) {
      members.append(JSON.Member("currentUserParticipant", current.json()))
    }
    output.append(members)
  }
}

extension [UInt8] {
  /// Appends members of a JSON object that has some before.
  fileprivate mutating func append(_ members: [JSON.Member]) {
    for member in members {
      append(UInt8(ascii: ","))
      appendJSONString(member.key)
      append(UInt8(ascii: ":"))
      appendJSON(member.value)
    }
  }
}

/// Appends what short GUIDs lead to.
struct ShareWriter {
  let zones: ZoneWriter

  func append(_ result: ShareResult, to output: inout [UInt8]) {
    switch result {
    case .share(let share): append(share, to: &output)
    case .failed(let request, let error):
      output.append(literal: "{\"shortGUID\":")
      output.appendJSON(ShareCodec.json(request))
      output.append(UInt8(ascii: ","))
      ErrorCodec.appendMembers(error, to: &output)
      output.append(UInt8(ascii: "}"))
    }
  }

  private func append(_ share: ResolvedShare, to output: inout [UInt8]) {
    let candidates = share.candidates.map { candidate -> JSON in
      ["participantId": .string(candidate.id), "contactInformation": candidate.contact?.json ?? [:]]
    }
    let json = JSON(known: [
      "shortGUID": ShareCodec.json(share.request), "containerIdentifier": .string(share.database.container.text),
      "environment": .string(share.database.environment.rawValue),
      "databaseScope": .string(share.database.scope.rawValue.uppercased()),
      "rootRecordName": share.rootName.map { .string($0.text) },
      "ownerIdentity": ["userRecordName": .string(share.owner.text), "nameComponents": [:]],
      "participantId": share.participant.id.isEmpty ? nil : .string(share.participant.id),
      "participantType": .string(share.participant.role.rawValue),
      "participantStatus": .string(share.participant.status.rawValue),
      "participantPermission": .string(share.participant.permission.rawValue),
      "potentialMatchList": .array(candidates),
    ])
    output.append(literal: "{\"zoneID\":")
    zones.append(share.zoneID, withType: false, to: &output)
    let writer = RecordWriter(zoneID: share.zoneID, zones: zones)
    if let record = share.record {
      output.append(literal: ",\"share\":")
      writer.append(record, as: .whole, to: &output)
    }
    if let root = share.root {
      output.append(literal: ",\"rootRecord\":")
      let keys = share.request.rootFields.map { Set($0) }
      writer.append(root, as: ItemShape(desiredKeys: keys), to: &output)
    }
    output.append(json.object ?? [])
    output.append(UInt8(ascii: "}"))
  }
}
