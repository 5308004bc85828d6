import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitWire

/// A client that knows the protocol of documents and nothing else. It reads documents as JSON, changes members of them,
/// and pushes what it has, based on the version that it read.
package struct PlainClient: Sendable {
  /// A document of a user.
  package struct Target: Hashable, Sendable {
    let user: Name
    let name: DocumentName

    /// The document in that record of a user's zone of documents; nil if the record is none.
    package init?(recordName: Name, of user: Name) {
      guard let name = DocumentName(recordName: recordName, in: .documents) else { return nil }
      self.name = name
      self.user = user
    }
  }

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
  private var copies: [Target: Copy] = [:]
  /// The outcome of the last push: `applied`, `unchanged`, the resolution of a conflict, or `error`; nil for none.
  package private(set) var outcome: String?

  /// A client that has read nothing.
  package init() {}

  /// Whether the client reads the document before that step: if the step says so, or if it never did.
  package func reads(before step: DocumentStep, _ target: Target) -> Bool {
    if case .read = step { true } else { copies[target] == nil }
  }

  // MARK: Reading

  /// The request for a document.
  package func lookup(_ target: Target) -> ClientRequest {
    let named = JSON.object(Self.members(of: target.name))
    return Self.post("full", .object([JSON.Member("documents", .array([named]))]), of: target.user)
  }

  /// Takes in the answer to `lookup`. Returns false if there is no such document.
  package mutating func read(_ answer: HTTPResponse, about target: Target, at now: WallTime) -> Bool {
    guard let found = try? JSON(parsing: answer.body)["data"]?[target.name.collection.text]?.array?.first,
      let version = found["version"]
    else { return false }
    copies[target] = Copy(data: found, version: version, editedAt: now)
    return true
  }

  // MARK: Changing

  /// Performs a step that changes what the client has; no other step has an effect.
  package mutating func change(_ step: DocumentStep, _ target: Target, at now: WallTime) {
    switch step {
    case .read, .push: return
    case .set(let member, _, let value):
      change(target, at: now) { $0.filter { $0.key != member } + [JSON.Member(member, value.json)] }
    case .omit(let member, _): change(target, at: now) { $0.filter { $0.key != member } }
    case .dropItems: change(target, at: now) { $0.filter { $0.key != "items" } + [JSON.Member("items", .array([]))] }
    }
  }

  private mutating func change(_ target: Target, at now: WallTime, _ change: ([JSON.Member]) -> [JSON.Member]) {
    guard let members = copies[target]?.data.object else { return }
    copies[target]?.data = .object(change(members))
    copies[target]?.editedAt = now
  }

  // MARK: Pushing

  /// The request that sends a document; nil if the client does not have it.
  package func push(_ target: Target) -> ClientRequest? {
    copies[target].map { copy in
      let isDeleted = copy.data["deletedAt"].map { !$0.isNull } ?? false
      let change: [JSON.Member] =
        Self.members(of: target.name) + [
          JSON.Member("operation", .string(isDeleted ? "delete" : "update")), JSON.Member("version", copy.version),
          JSON.Member("timestamp", .string(copy.editedAt.iso8601)), JSON.Member("data", copy.data),
        ]
      let body = [
        JSON.Member("deviceId", .string(Self.deviceID)), JSON.Member("changes", .array([.object(change)])),
      ]
      return Self.post("push", .object(body), of: target.user)
    }
  }

  /// Takes in the answer to `push`. After a conflict the client has the server's document.
  package mutating func pushed(_ answer: HTTPResponse) {
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
