extension Share {
  /// The share in the fields of a share record; nil if they have none.
  public init?(_ fields: Fields) {
    guard case .string(let text)? = fields[Self.field], let json = try? JSON(parsing: Array(text.utf8)) else {
      return nil
    }
    self.init(json)
  }

  /// The value of `field`, in the cloud's own form.
  package var fieldValue: FieldValue {
    .string(String(decoding: JSON.object(members(isOfCloud: true)).bytes(), as: UTF8.self))
  }

  /// Reads the members of a share record (CloudKit Web Services, b.10).
  package init?(_ json: JSON) {
    guard let guid = json["shortGUID"]?.string, let participants = json["participants"]?.array else { return nil }
    self.init(
      shortGUID: guid, root: json["forRecord"]?["recordName"]?.string.map { Name($0) },
      publicPermission: json["publicPermission"]?.string.flatMap(SharePermission.init) ?? .unknown,
      participants: participants.compactMap(ShareParticipant.init))
  }

  /// The members of a share record. What only the cloud knows is among them for its own files.
  package func members(isOfCloud: Bool) -> [JSON.Member] {
    let root = root.map { [JSON.Member("forRecord", ["recordName": .string($0.text)])] } ?? []
    return [JSON.Member("shortGUID", .string(shortGUID))] + root + [
      JSON.Member("publicPermission", .string(publicPermission.rawValue)),
      JSON.Member("participants", .array(participants.map { $0.json(isOfCloud: isOfCloud) })),
    ]
  }
}

extension ShareParticipant {
  init?(_ json: JSON) {
    guard let id = json["participantId"]?.string else { return nil }
    let identity = json["userIdentity"]
    self.init(
      id: id, user: identity?["userRecordName"]?.string.map { Name($0) },
      contact: identity?["lookupInfo"].flatMap { UserLookup($0) },
      role: json["type"]?.string.flatMap(Role.init) ?? .unknown,
      permission: json["permission"]?.string.flatMap(SharePermission.init) ?? .unknown,
      status: json["acceptanceStatus"]?.string.flatMap(Status.init) ?? .unknown)
    account = json["account"]?.string.map { Name($0) }
    since = json["since"]?.integer ?? 0
  }

  /// The participant as a member of a share record.
  package func json(isOfCloud: Bool = false) -> JSON {
    JSON(known: [
      "participantId": .string(id),
      "userIdentity": JSON(known: [
        "userRecordName": user.map { .string($0.text) }, "nameComponents": user.map { _ in [:] },
        "lookupInfo": contact?.json,
      ]),
      "type": .string(role.rawValue), "permission": .string(permission.rawValue),
      "acceptanceStatus": .string(status.rawValue),
      "account": isOfCloud ? account.map { .string($0.text) } : nil,
      "since": isOfCloud && since > 0 ? .integer(since) : nil,
    ])
  }
}

extension UserLookup {
  /// Reads what an object knows of a user; nil if it knows nothing.
  package init?(_ json: JSON) {
    if let name = json["userRecordName"]?.string {
      self = .userRecordName(Name(name))
    } else if let address = json["emailAddress"]?.string {
      self = .emailAddress(address)
    } else if let number = json["phoneNumber"]?.string {
      self = .phoneNumber(number)
    } else {
      return nil
    }
  }

  /// What is known of a user, as an object.
  package var json: JSON {
    switch self {
    case .userRecordName(let name): ["userRecordName": .string(name.text)]
    case .emailAddress(let address): ["emailAddress": .string(address)]
    case .phoneNumber(let number): ["phoneNumber": .string(number)]
    }
  }
}
