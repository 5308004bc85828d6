import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitWire

/// A client that knows the protocol of documents and nothing else. It reads documents as JSON, changes members of them,
/// and pushes what it has, based on the version that it read.
package struct PlainClient: Sendable {
  /// A document as the client has it.
  private struct Copy {
    /// The members, also those that a client need not send.
    var data: JSON
    /// The version that it read.
    let version: JSON
    /// When it changed the document last.
    var editedAt: WallTime
  }

  private static let deviceID = "plain-client"
  private var copies: [RecordKey: Copy] = [:]
  /// The outcome of the last push: `applied`, `unchanged`, the resolution of a conflict, or `error`; nil for none.
  package private(set) var outcome: String?

  /// A client that has read nothing.
  package init() {}

  /// Whether the client has read that document.
  func has(_ key: RecordKey) -> Bool { copies[key] != nil }

  // MARK: Reading

  /// The request for a document.
  func lookup(_ name: DocumentName, of user: Name) -> ClientRequest {
    Self.post("full", .object([JSON.Member("documents", .array([.object(Self.members(of: name))]))]), of: user)
  }

  /// Takes in the answer to `lookup`. Returns false if there is no such document.
  mutating func read(_ answer: HTTPResponse, about key: RecordKey, _ name: DocumentName, at now: WallTime) -> Bool {
    guard let found = try? JSON(parsing: answer.body)["data"]?[name.collection.text]?.array?.first,
      let version = found["version"]
    else { return false }
    copies[key] = Copy(data: found, version: version, editedAt: now)
    return true
  }

  // MARK: Changing

  /// Changes a member of a document that the client has.
  mutating func set(_ member: String, _ value: JSON, of key: RecordKey, at now: WallTime) {
    guard let members = copies[key]?.data.object else { return }
    copies[key]?.data = .object(members.filter { $0.key != member } + [JSON.Member(member, value)])
    copies[key]?.editedAt = now
  }

  // MARK: Pushing

  /// The request that sends a document; nil if the client does not have it.
  func push(_ key: RecordKey, _ name: DocumentName, of user: Name) -> ClientRequest? {
    copies[key].map { copy in
      let isDeleted = copy.data["deletedAt"].map { !$0.isNull } ?? false
      let change: [JSON.Member] =
        Self.members(of: name) + [
          JSON.Member("operation", .string(isDeleted ? "delete" : "update")), JSON.Member("version", copy.version),
          JSON.Member("timestamp", .string(copy.editedAt.iso8601)), JSON.Member("data", copy.data),
        ]
      let body = [
        JSON.Member("deviceId", .string(Self.deviceID)), JSON.Member("changes", .array([.object(change)])),
      ]
      return Self.post("push", .object(body), of: user)
    }
  }

  /// Takes in the answer to `push`. After a conflict the client has the server's document.
  mutating func pushed(_ answer: HTTPResponse) {
    let json = (try? JSON(parsing: answer.body)) ?? .null
    let result = json["results"]?.array?.first
    switch result?["outcome"]?.string {
    case "applied"?: outcome = result?["changed"]?.bool == false ? "unchanged" : "applied"
    case "conflict"?: outcome = json["conflicts"]?.array?.first?["resolution"]?.string
    default: outcome = "error"
    }
  }

  // MARK: Messages

  private static func members(of name: DocumentName) -> [JSON.Member] {
    [
      JSON.Member("collection", .string(name.collection.text)), JSON.Member("documentId", .string(name.id)),
    ]
  }

  private static func post(_ call: String, _ body: JSON, of user: Name) -> ClientRequest {
    let access = HTTPField("Authorization", "Bearer user:\(HTTPPercent.encode(user.text))")
    return ClientRequest("POST", "/sync/\(call)?device=\(deviceID)", fields: [access], body: body.bytes())
  }
}
