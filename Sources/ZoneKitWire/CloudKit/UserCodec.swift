import ZoneKitRecords

/// Writes and reads users (CloudKit Web Services, b.9).
enum UserCodec {
  private static let userRecordName = "userRecordName", emailAddress = "emailAddress", phoneNumber = "phoneNumber"

  // MARK: Answers

  /// The answer about the caller. The documented form is a list of one identity, and clients read the members of the user
  /// beside it (CloudKit Web Services, i.8).
  static func caller(_ user: UserIdentity, _ lookup: UserLookup) -> JSON {
    let listed = identity(user, lookup)
    let more = (listed.object ?? []).filter { $0.key != userRecordName }
    return .object((current(user).object ?? []) + more + [JSON.Member("users", [listed])])
  }

  /// The answer about the caller in the form of the deprecated endpoint.
  static func current(_ user: UserIdentity) -> JSON {
    JSON(known: [
      userRecordName: .string(user.userRecordName.text), "firstName": user.firstName.map(JSON.string),
      "lastName": user.lastName.map(JSON.string),
    ])
  }

  /// Appends a user with names and address.
  static func appendUser(_ result: UserResult, to output: inout [UInt8]) {
    switch result {
    case .user(let user, _):
      let address = user.emailAddress.map { [JSON.Member(emailAddress, .string($0))] } ?? []
      output.appendJSON(.object((current(user).object ?? []) + address))
    case .failed(let lookup, let error): append(error, of: lookup, to: &output)
    }
  }

  /// Appends a user with the components of the name and what found it.
  static func appendIdentity(_ result: UserResult, to output: inout [UInt8]) {
    switch result {
    case .user(let user, let lookup): output.appendJSON(identity(user, lookup))
    case .failed(let lookup, let error): append(error, of: lookup, to: &output)
    }
  }

  private static func identity(_ user: UserIdentity, _ lookup: UserLookup) -> JSON {
    [
      userRecordName: .string(user.userRecordName.text),
      "nameComponents": JSON(known: [
        "givenName": user.firstName.map(JSON.string), "familyName": user.lastName.map(JSON.string),
      ]),
      "lookupInfo": lookup.json,
    ]
  }

  /// What is too long for a name or an address is in an error only.
  private static func append(_ error: CloudError, of lookup: UserLookup, to output: inout [UInt8]) {
    let (key, text) = member(of: lookup)
    output.append(literal: "{\"\(key)\":")
    output.appendJSONString(text.errorText)
    output.append(UInt8(ascii: ","))
    ErrorCodec.appendMembers(error, to: &output)
    output.append(UInt8(ascii: "}"))
  }

  // MARK: Lookups

  private static func member(of lookup: UserLookup) -> (key: String, text: String) {
    switch lookup {
    case .userRecordName(let name): (userRecordName, name.text)
    case .emailAddress(let address): (emailAddress, address)
    case .phoneNumber(let number): (phoneNumber, number)
    }
  }

  /// Reads what an object knows of a user: the record name counts before the address, and that before the number.
  static func lookup(_ json: JSON) throws(MemberError) -> UserLookup {
    if let name = try json.optionalString(userRecordName) { return .userRecordName(Name(name)) }
    if let address = try json.optionalString(emailAddress) { return .emailAddress(address) }
    if let number = try json.optionalString(phoneNumber) { return .phoneNumber(number) }
    throw MemberError("", "must have userRecordName, emailAddress or phoneNumber")
  }

  // MARK: Reading answers

  /// Reads a user of an answer to that lookup, in any of the forms.
  static func result(_ json: JSON, to lookup: UserLookup?) -> UserResult? {
    let name = json[userRecordName]?.string.map { Name($0) }
    if let error = ErrorCodec.read(json) {
      return (lookup ?? name.map { .userRecordName($0) }).map { .failed($0, error) }
    }
    guard let name else { return nil }
    let names = json["nameComponents"]
    let user = UserIdentity(
      userRecordName: name, firstName: json["firstName"]?.string ?? names?["givenName"]?.string,
      lastName: json["lastName"]?.string ?? names?["familyName"]?.string,
      emailAddress: json[emailAddress]?.string)
    return .user(user, json["lookupInfo"].flatMap(found) ?? lookup ?? .userRecordName(name))
  }

  private static func found(_ json: JSON) -> UserLookup? {
    do throws(MemberError) { return try lookup(json) } catch { return nil }
  }
}
