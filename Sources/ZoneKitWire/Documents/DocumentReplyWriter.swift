import ZoneKitDocuments
import ZoneKitRecords

/// Writes the replies to requests for documents.
package struct DocumentReplyWriter: Sendable {
  private let schema: DocumentSchema
  private let requestID: String

  /// A writer of the reply to the request with that ID.
  package init(_ schema: DocumentSchema, requestID: String) {
    self.schema = schema
    self.requestID = requestID
  }

  /// The reply with a response.
  package func reply(_ response: DocumentResponse) -> HTTPReply {
    switch response {
    case .pushed(let answer): reply(pushed(answer))
    case .pulled(let answer): reply(pulled(answer))
    case .snapshot(let answer):
      reply(
        full(
          answer.documents, at: answer.at, end: answer.end, isComplete: answer.next == nil, next: answer.next,
          cursor: answer.cursor))
    case .found(let documents, let missing, let time):
      reply(full(documents, missing: missing, at: time, end: 0, isComplete: true))
    case .status(let answer): reply(status(answer))
    case .refused(let error): reply(refusing: DocumentRefusal(error))
    }
  }

  /// The reply to a request that is refused.
  package func reply(refusing refusal: DocumentRefusal) -> HTTPReply {
    let error = refusal.error
    var members = [
      JSON.Member("error", .string(error.code.rawValue)), JSON.Member("cause", .string(error.cause.rawValue)),
      JSON.Member("message", .string(error.message)), JSON.Member("requestId", .string(requestID)),
    ]
    if let path = error.path { members.append(JSON.Member("path", .string(path))) }
    if let wait = error.retryAfterMilliseconds { members.append(JSON.Member("retryAfterMs", .integer(wait))) }
    if error.code == .schemaMismatch { members.append(JSON.Member("supported", supported)) }
    var reply = reply(.object(members), status: error.code.status)
    if reply.status == 401 { reply.fields.append(HTTPField("WWW-Authenticate", "Bearer")) }
    if !refusal.allowedMethods.isEmpty {
      reply.fields.append(HTTPField("Allow", refusal.allowedMethods.joined(separator: ", ")))
    }
    if let wait = error.retryAfterMilliseconds {
      reply.fields.append(HTTPField("Retry-After", "\(wait / 1_000 + (wait % 1_000 > 0 ? 1 : 0))"))
    }
    return reply
  }

  /// The reply with a JSON document.
  package func reply(_ document: JSON, status: Int = 200) -> HTTPReply {
    HTTPReply(
      status: status, fields: [HTTPField("Request-Id", requestID), HTTPField("Cache-Control", "no-store")],
      body: document.bytes())
  }

  private var supported: JSON {
    ["min": .integer(Int64(schema.version)), "max": .integer(Int64(schema.version))]
  }

  // MARK: Documents

  private func json(of document: Document) -> JSON? {
    schema.collection(document.name.collection).flatMap { DocumentWriter($0, of: schema).json(of: document) }
  }

  private func full(
    _ documents: [Document], missing: [DocumentName] = [], at time: WallTime, end: Int64, isComplete: Bool,
    next: DocumentCursor? = nil, cursor: DocumentCursor? = nil
  ) -> JSON {
    var names: [Name] = []
    var found: [Name: [JSON]] = [:]
    for document in documents {
      guard let json = json(of: document) else { continue }
      if found[document.name.collection] == nil { names.append(document.name.collection) }
      found[document.name.collection, default: []].append(json)
    }
    return [
      "data": .object(names.map { JSON.Member($0.text, .array(found[$0] ?? [])) }),
      "missing": .array(missing.map { .object($0.members) }), "serverTime": .string(time.iso8601),
      "snapshotSequence": .integer(end), "complete": .bool(isComplete),
      "nextPage": next.map { .string($0.text) } ?? .null, "cursor": cursor.map { .string($0.text) } ?? .null,
    ]
  }

  private func pulled(_ answer: PullAnswer) -> JSON {
    [
      "changes": .array(answer.entries.compactMap(change)), "serverTime": .string(answer.at.iso8601),
      "hasMore": .bool(answer.hasMore), "cursor": .string(answer.cursor.text),
    ]
  }

  /// An entry of a feed. A record that is no document is left out.
  private func change(_ entry: PullAnswer.Entry) -> JSON? {
    switch entry {
    case .document(let document):
      guard let data = json(of: document) else { return nil }
      let version = ChangeResult.Version(
        number: document.version, tag: document.tag, committedAt: document.committedAt, deviceID: nil)
      return change(document.name, isDeletion: document.fields.isDeleted, version, data)
    case .tombstone(let name, let version): return change(name, isDeletion: true, version, .null)
    }
  }

  private func change(
    _ name: DocumentName, isDeletion: Bool, _ version: ChangeResult.Version, _ data: JSON
  ) -> JSON {
    let place: [JSON.Member] = [
      JSON.Member("version", .integer(version.number)),
      JSON.Member("tag", version.tag.map { .string($0.text) } ?? .null),
      JSON.Member("updatedAt", version.committedAt.map { .string($0.iso8601) } ?? .null),
    ]
    let operation = JSON.Member("operation", .string(isDeletion ? "delete" : "upsert"))
    return .object(name.members + [operation] + place + [JSON.Member("data", data)])
  }

  private func status(_ answer: StatusAnswer) -> JSON {
    [
      "serverTime": .string(answer.at.iso8601), "user": .string(answer.user.text), "hasMore": .bool(answer.hasMore),
      "schema": supported,
      "limits": [
        "changes": .integer(Int64(DocumentRequest.itemLimit)), "page": .integer(Int64(DocumentRequest.itemLimit)),
        "documentBytes": .integer(Int64(DocumentSchema.documentBytes)), "bodyBytes": .integer(Int64(HTTPLimits.body)),
      ],
      "feeds": .array(
        answer.feeds.map { ["feed": .string($0.feed.rawValue), "state": .string($0.state.rawValue)] }),
      "token": .string(answer.position.text),
    ]
  }

  // MARK: Results of changes

  private func pushed(_ answer: PushAnswer) -> JSON {
    var (applied, conflicts, errors): ([JSON], [JSON], [JSON]) = ([], [], [])
    for (index, result) in answer.results.enumerated() {
      switch result.outcome {
      case .applied: applied.append(.string(result.name.id))
      case .conflict(let resolution, let stored, _):
        conflicts.append(conflict(result, at: index, resolution, stored))
      case .failed(let error): errors.append(.object(place(index, result) + error.members(at: index)))
      }
    }
    return [
      "success": .bool(errors.isEmpty), "applied": .array(applied), "conflicts": .array(conflicts),
      "errors": .array(errors), "serverTime": .string(answer.at.iso8601),
      "results": .array(answer.results.enumerated().map { self.result($0.element, at: $0.offset) }),
    ]
  }

  private func place(_ index: Int, _ result: ChangeResult) -> [JSON.Member] {
    [JSON.Member("index", .integer(Int64(index)))] + result.name.members
  }

  private func conflict(
    _ result: ChangeResult, at index: Int, _ resolution: ChangeResult.Resolution, _ stored: Document?
  ) -> JSON {
    .object(
      place(index, result) + [
        JSON.Member("clientVersion", .integer(result.clientVersion)),
        JSON.Member("serverVersion", .integer(stored?.version ?? 0)),
        JSON.Member("serverData", stored.flatMap(json) ?? .null),
        JSON.Member("resolution", .string(resolution.rawValue)),
      ])
  }

  private func result(_ result: ChangeResult, at index: Int) -> JSON {
    var members = place(index, result)
    switch result.outcome {
    case .applied(let isChanged, let version):
      members += [JSON.Member("outcome", "applied"), JSON.Member("changed", .bool(isChanged))] + version.members
    case .conflict(_, let stored, let isChanged):
      members += [JSON.Member("outcome", "conflict"), JSON.Member("changed", .bool(isChanged))]
      if let stored {
        members +=
          ChangeResult.Version(
            number: stored.version, tag: stored.tag, committedAt: stored.committedAt, deviceID: stored.deviceID
          ).members
      }
    case .failed: members.append(JSON.Member("outcome", "error"))
    }
    if let changeID = result.changeID { members.append(JSON.Member("changeId", .string(changeID))) }
    return .object(members)
  }
}

extension DocumentName {
  /// The members that name the document.
  var members: [JSON.Member] {
    [JSON.Member("collection", .string(collection.text)), JSON.Member("documentId", .string(id))]
  }
}

extension ChangeError {
  /// The members of the error of the change at that index.
  fileprivate func members(at index: Int) -> [JSON.Member] {
    let members = [
      JSON.Member("code", .string(code.rawValue)), JSON.Member("cause", .string(cause.rawValue)),
      JSON.Member("message", .string(message)),
    ]
    return path.map { members + [JSON.Member("path", .string("changes[\(index)].\($0)"))] } ?? members
  }
}

extension ChangeResult.Version {
  /// The members of what is known of the version.
  fileprivate var members: [JSON.Member] {
    var members = [JSON.Member("version", .integer(number))]
    if let tag { members.append(JSON.Member("tag", .string(tag.text))) }
    if let committedAt { members.append(JSON.Member("committedAt", .string(committedAt.iso8601))) }
    if let deviceID { members.append(JSON.Member("deviceId", .string(deviceID))) }
    return members
  }
}

extension DocumentError.Code {
  /// The HTTP status of the error.
  package var status: Int {
    switch self {
    case .malformed: 400
    case .unauthenticated, .badToken: 401
    case .forbidden: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .schemaMismatch: 409
    case .cursorExpired, .datasetChanged, .purged: 410
    case .tooLarge, .quotaExceeded: 413
    case .unsupportedMediaType: 415
    case .rateLimited: 429
    case .internal: 500
    case .unavailable, .busy: 503
    }
  }
}

extension CrossOriginRule {
  /// The rule of the documents: that of CloudKit Web Services, and the credentials, which are header fields here.
  package static let documents = CrossOriginRule(
    origin: .asking, methods: "GET, POST, OPTIONS",
    fields: "Content-Type, Authorization, \(DocumentAccess.keyField)", allowsAskedFields: false,
    exposedFields: "Request-Id, Retry-After")
}
