import ZoneKitRecords

/// The registry as a document.
extension CredentialRegistry {
  /// Reads a document. Throws if a member is missing or of another type.
  package init(_ json: JSON) throws(MemberError) {
    guard let secret = Base64.decode(try json.requiredString("secret")), secret.count >= 32 else {
      throw MemberError("secret", "must be at least 32 bytes in base64")
    }
    self.secret = secret
    tokens = try json.requiredArray("tokens").mapNumbered("tokens") { (json) throws(MemberError) in
      APIToken(
        name: try json.requiredString("name"), hash: try json.requiredString("hash"), reach: try Reach(json),
        callback: try json.optionalString("callback"), origin: try json.optionalString("origin"))
    }
    keys = try json.requiredArray("keys").mapNumbered("keys") { (json) throws(MemberError) in
      guard let key = Base64.decode(try json.requiredString("publicKey")) else {
        throw MemberError("publicKey", "must be base64")
      }
      return ServerKey(
        name: try json.requiredString("name"), keyID: try json.requiredString("keyID"), publicKey: key,
        reach: try Reach(json))
    }
    users = try json.requiredArray("users").mapNumbered("users") { (json) throws(MemberError) in try User(json) }
  }

  /// The document.
  package var json: JSON {
    [
      "secret": .string(Base64.encode(secret)),
      "tokens": .array(
        tokens.map { token in
          .object(
            [JSON.Member("name", .string(token.name)), JSON.Member("hash", .string(token.hash))] + token.reach.members
              + (JSON(known: ["callback": token.callback.map(JSON.string), "origin": token.origin.map(JSON.string)])
                .object ?? []))
        }),
      "keys": .array(
        keys.map { key in
          .object(
            [
              JSON.Member("name", .string(key.name)), JSON.Member("keyID", .string(key.keyID)),
              JSON.Member("publicKey", .string(Base64.encode(key.publicKey))),
            ] + key.reach.members)
        }),
      "users": .array(users.map(\.json)),
    ]
  }
}

extension CredentialRegistry.Reach {
  fileprivate init(_ json: JSON) throws(MemberError) {
    container = try json.optionalString("container").map { Name($0) }
    environment = try json.optionalString("environment").map { (text) throws(MemberError) in
      guard let environment = Environment(rawValue: text) else {
        throw MemberError("environment", "must be \(Environment.allNames)")
      }
      return environment
    }
  }

  /// What limits it, as members of a document.
  package var members: [JSON.Member] {
    JSON(known: [
      "container": container.map { .string($0.text) }, "environment": environment.map { .string($0.rawValue) },
    ]).object ?? []
  }
}

extension CredentialRegistry.User {
  fileprivate init(_ json: JSON) throws(MemberError) {
    self.init(account: Name(try json.requiredString("name")))
    firstName = try json.optionalString("firstName")
    lastName = try json.optionalString("lastName")
    emailAddress = try json.optionalString("emailAddress")
    phoneNumber = try json.optionalString("phoneNumber")
    passwordHash = try json.optionalString("passwordHash")
    passwordSalt = try json.optionalString("passwordSalt")
  }

  /// What others see of the user, as members of a document.
  package var members: [JSON.Member] {
    JSON(known: [
      "name": .string(account.text), "firstName": firstName.map(JSON.string), "lastName": lastName.map(JSON.string),
      "emailAddress": emailAddress.map(JSON.string), "phoneNumber": phoneNumber.map(JSON.string),
    ]).object ?? []
  }

  fileprivate var json: JSON {
    .object(
      members
        + (JSON(known: [
          "passwordHash": passwordHash.map(JSON.string), "passwordSalt": passwordSalt.map(JSON.string),
        ]).object ?? []))
  }
}
