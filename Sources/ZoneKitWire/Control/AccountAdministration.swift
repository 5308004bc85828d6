import ZoneKitRecords

/// An operation of an administrator on an account, as a body of a request to `/zonekit/administration`.
package enum AccountAdministration: Hashable, Sendable {
  /// Makes an account with any password; with that identifier, as the rows of another server name it, or with a new one.
  case add(email: String, password: String, id: UUID? = nil)
  /// Removes the account of that e-mail address or identifier, with its sessions.
  case remove(String)
  /// Ends all sessions of the account of that e-mail address or identifier.
  case endSessions(String)

  private static let addWord = "addAccount"
  private static let removeWord = "removeAccount"
  private static let endWord = "endSessions"

  /// Parses a body, as in `{"do":"endSessions","user":"mara@example.test"}`. Nil if the operation is none on accounts.
  package init?(parsing body: [UInt8]) throws(MemberError) {
    let json = try JSON(controlling: body)
    guard let word = json["do"]?.string, [Self.addWord, Self.removeWord, Self.endWord].contains(word) else {
      return nil
    }
    let members = try JSONMembers(
      json, at: "administration", known: ["do", "user"] + (word == Self.addWord ? ["password", "id"] : []))
    let user = try members.required("user", "the e-mail address or the identifier of an account")
    switch word {
    case Self.removeWord: self = .remove(user)
    case Self.endWord: self = .endSessions(user)
    default:
      let id = try members.text("id")
      guard id == nil || id.flatMap({ UUID($0) }) != nil else { throw members.wrong("id", "must be a UUID") }
      self = .add(email: user, password: try members.required("password", "a password"), id: id.flatMap { UUID($0) })
    }
  }

  /// The body from which `init(parsing:)` makes the same operation.
  package var json: JSON {
    switch self {
    case .add(let email, let password, let id):
      JSON(known: [
        "do": .string(Self.addWord), "user": .string(email), "password": .string(password),
        "id": id.map { .string($0.text) },
      ])
    case .remove(let user): ["do": .string(Self.removeWord), "user": .string(user)]
    case .endSessions(let user): ["do": .string(Self.endWord), "user": .string(user)]
    }
  }
}
