import ZoneKitDocuments
import ZoneKitRecords
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
    /// The number of the version that it read.
    var version: Int64
    /// When it changed the document last.
    var editedAt: WallTime
    /// The server's document that its last push met; nil for none.
    var met: JSON?
    /// The tag of the version with which the last push was to be merged; nil if it was not.
    var asked: String?
    /// What the last push sent, as text.
    var sent: String?
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

  /// The answer to `lookup` arrived. Returns false if there is no such document.
  package mutating func read(_ answer: HTTPResponse, about target: Target, at now: WallTime) -> Bool {
    guard let found = try? JSON(exactly: answer.body)["data"]?[target.name.collection.text]?.array?.first,
      let version = found["version"]?.integer
    else { return false }
    copies[target] = Copy(data: found, version: version, editedAt: now)
    return true
  }

  // MARK: Changing

  /// Performs a step that changes what the client has; no other step has an effect.
  package mutating func change(_ step: DocumentStep, _ target: Target, at now: WallTime) {
    switch step {
    case .read, .push, .create: return
    case .merge: merge(target)
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

  /// Merges a document with the one that the last push met: of each item the version with the later time, everything else as
  /// the client has it. The client counts on from the greater version, and forgets what only the server fills in.
  private mutating func merge(_ target: Target) {
    guard let copy = copies[target], let met = copy.met, let own = copy.data.object else { return }
    var items: [String: JSON] = [:]
    for item in (met["items"]?.array ?? []) + (copy.data["items"]?.array ?? []) {
      guard let id = item["_id"]?.string else { continue }
      let isLater = items[id].map { Self.editedAt($0) < Self.editedAt(item) } ?? true
      if isLater { items[id] = item }
    }
    let kept = own.filter { !["items", "tag", "committedAt", "totals"].contains($0.key) }
    let merged = items.sorted { $0.key < $1.key }.map(\.value)
    copies[target]?.data = .object(met["items"] == nil ? kept : kept + [JSON.Member("items", .array(merged))])
    copies[target]?.version = max(copy.version, met["version"]?.integer ?? 0) + 1
    copies[target]?.editedAt = max(copy.editedAt, Self.editedAt(met))
  }

  private static func editedAt(_ json: JSON) -> WallTime {
    json["updatedAt"]?.string.flatMap(WallTime.init(iso8601:)) ?? WallTime(milliseconds: 0)
  }

  // MARK: Pushing

  /// The request of a step that sends a document; nil for any other step, and if the client does not have the document.
  package func request(for step: DocumentStep, _ target: Target) -> ClientRequest? {
    guard let copy = copies[target] else { return nil }
    let isDeleted = copy.data["deletedAt"].map { !$0.isNull } ?? false
    let (operation, version): (String, Int64)
    switch step {
    case .push: (operation, version) = (isDeleted ? "delete" : "update", copy.version)
    case .create: (operation, version) = ("create", 1)
    case .read, .set, .omit, .dropItems, .merge: return nil
    }
    let change: [JSON.Member] =
      Self.members(of: target.name) + [
        JSON.Member("operation", .string(operation)), JSON.Member("version", .integer(version)),
        JSON.Member("timestamp", .string(copy.editedAt.iso8601)), JSON.Member("data", copy.data),
      ]
    let body = [
      JSON.Member("deviceId", .string(Self.deviceID)), JSON.Member("changes", .array([.object(change)])),
    ]
    return Self.post("push", .object(body), of: target.user)
  }

  /// The answer to a request that sent the document arrived. Returns whether the client is asked a second time to merge
  /// with one version.
  package mutating func pushed(_ answer: HTTPResponse, about target: Target) -> Bool {
    let json = (try? JSON(exactly: answer.body)) ?? .null
    let result = json["results"]?.array?.first
    switch result?["outcome"]?.string {
    case "applied"?: outcome = result?["changed"]?.bool == false ? "unchanged" : "applied"
    case "conflict"?: outcome = json["conflicts"]?.array?.first?["resolution"]?.string
    default: outcome = "error"
    }
    let met = json["conflicts"]?.array?.first?["serverData"]
    guard let before = copies[target] else { return false }
    let metadata = ["version", "tag", "updatedAt", "deviceId", "committedAt", "totals"]
    let sent = JSON.object(
      (before.data.object ?? []).filter { !metadata.contains($0.key) }
        + [
          JSON.Member("timestamp", .string(before.editedAt.iso8601)), JSON.Member("version", .integer(before.version)),
        ]
    ).text(.canonical)
    copies[target]?.met = met
    copies[target]?.sent = sent
    let asked = outcome == "merge" ? met?["tag"]?.string : nil
    copies[target]?.asked = asked
    return asked != nil && asked == before.asked && before.sent != sent
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
