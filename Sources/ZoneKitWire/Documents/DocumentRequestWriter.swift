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
    var members: [JSON.Member] = []
    if snapshot.page.position == 0 {
      members = [
        JSON.Member("feed", .string(snapshot.page.feed.rawValue)),
        JSON.Member("deleted", .bool(snapshot.page.includesDeleted)),
      ]
    } else {
      members = [JSON.Member("page", .string(snapshot.page.text))]
    }
    if let limit = snapshot.limit { members.append(JSON.Member("limit", .integer(Int64(limit)))) }
    return .object(members)
  }

  private func body(of lookup: DocumentLookup) -> JSON {
    let names = JSON.Member("documents", .array(lookup.names.map { .object($0.members) }))
    return .object(
      lookup.start == 0 ? [names] : [names, JSON.Member("page", .string(DocumentLookup.page(lookup.start)))])
  }

  // MARK: Changes

  private func body(of push: DocumentPush) -> JSON {
    var members = [
      JSON.Member("deviceId", .string(push.deviceID)), JSON.Member("onConflict", .string(push.decider.rawValue)),
    ]
    if let time = push.lastPulledAt { members.append(JSON.Member("lastPulledAt", .string(time.iso8601))) }
    return .object(members + [JSON.Member("changes", .array(push.changes.map(json)))])
  }

  private func json(of change: DocumentChange) -> JSON {
    var members = [
      JSON.Member("collection", .string(change.name.collection.text)),
      JSON.Member("operation", .string(change.operation.rawValue)),
      JSON.Member("documentId", .string(change.name.id)),
      JSON.Member("timestamp", .string(change.timestamp.iso8601)),
    ]
    if case .tag(let tag) = change.base { members.append(JSON.Member("tag", .string(tag.text))) }
    if let version = change.version { members.append(JSON.Member("version", .integer(version))) }
    if change.erases { members.append(JSON.Member("erase", .bool(true))) }
    if let changeID = change.changeID { members.append(JSON.Member("changeId", .string(changeID))) }
    if let data = change.data { members.append(JSON.Member("data", data.json)) }
    return .object(members)
  }
}
