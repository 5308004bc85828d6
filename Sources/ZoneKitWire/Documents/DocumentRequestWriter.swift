import ZoneKitDocuments
import ZoneKitRecords

/// Writes requests for documents as REST calls of a client.
package struct DocumentRequestWriter: Sendable {
  private let app: DocumentApp
  private let caller: Caller
  private let apiToken: String

  /// A writer of a caller's requests. `apiToken` is the key of the app.
  package init(app: DocumentApp, caller: Caller, apiToken: String) {
    self.app = app
    self.caller = caller
    self.apiToken = apiToken
  }

  /// The call for a request.
  package func request(_ request: DocumentRequest) -> ClientRequest {
    switch request {
    case .push(let push): return post("push", body(of: push))
    case .pull(let pull): return get("pull", query(of: pull))
    case .snapshot(let snapshot): return post("full", body(of: snapshot))
    case .lookup(let lookup): return post("full", body(of: lookup))
    case .status(since: let position): return get("status", position.map { ["since": $0.text] } ?? [:])
    }
  }

  // MARK: Calls

  private func get(_ path: String, _ items: KeyValuePairs<String, String>) -> ClientRequest {
    ClientRequest("GET", target(path, items), fields: fields)
  }

  private func post(_ path: String, _ body: JSON) -> ClientRequest {
    ClientRequest("POST", target(path, [:]), fields: fields, body: body.bytes())
  }

  private var fields: [HTTPField] {
    [
      HTTPField("Authorization", "Bearer \(Authentication.userPrefix)\(HTTPPercent.encode(caller.user.text))"),
      HTTPField("Api-Key", apiToken),
    ]
  }

  private func target(_ path: String, _ items: KeyValuePairs<String, String>) -> String {
    var query = "schema=\(app.schema.version)"
    if let deviceID = caller.deviceID { query += "&device=\(HTTPPercent.encode(deviceID))" }
    for (name, value) in items { query += "&\(name)=\(HTTPPercent.encode(value))" }
    return "/sync/\(path)?\(query)"
  }

  // MARK: Readings

  private func query(of pull: DocumentPull) -> KeyValuePairs<String, String> {
    guard !pull.acknowledged.isEmpty else { return ["cursor": pull.cursor.text, "limit": String(pull.limit)] }
    let tags = pull.acknowledged.map(\.text).joined(separator: ",")
    return ["cursor": pull.cursor.text, "limit": String(pull.limit), "acknowledged": tags]
  }

  private func body(of snapshot: DocumentSnapshot) -> JSON {
    let isFirst = snapshot.page.position == 0
    return JSON(known: [
      "feed": isFirst ? .string(snapshot.page.feed.rawValue) : nil,
      "deleted": isFirst ? .bool(snapshot.page.includesDeleted) : nil,
      "page": isFirst ? nil : .string(snapshot.page.text), "limit": snapshot.limit.map { .integer(Int64($0)) },
    ])
  }

  private func body(of lookup: DocumentLookup) -> JSON {
    JSON(known: [
      "documents": .array(lookup.names.map { .object($0.members) }),
      "page": lookup.start == 0 ? nil : .string(DocumentLookup.page(lookup.start)),
    ])
  }

  // MARK: Changes

  private func body(of push: DocumentPush) -> JSON {
    JSON(known: [
      "deviceId": .string(push.deviceID), "onConflict": .string(push.decider.rawValue),
      "lastPulledAt": push.lastPulledAt.map { .string($0.iso8601) }, "changes": .array(push.changes.map(json)),
    ])
  }

  private func json(of change: DocumentChange) -> JSON {
    let tag: JSON? = if case .tag(let tag) = change.base { .string(tag.text) } else { nil }
    return JSON(known: [
      "collection": .string(change.name.collection.text), "operation": .string(change.operation.rawValue),
      "documentId": .string(change.name.id), "timestamp": .string(change.timestamp.iso8601), "tag": tag,
      "version": change.version.map { .integer($0) }, "erase": change.erases ? true : nil,
      "changeId": change.changeID.map { .string($0) }, "data": change.data?.json,
    ])
  }
}
