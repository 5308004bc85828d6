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
    case .pushed(let answer): reply(text: pushed(answer))
    case .pulled(let answer): reply(text: pulled(answer))
    case .snapshot(let answer):
      reply(
        text: full(
          answer.documents, at: answer.at, end: answer.end, isComplete: answer.next == nil, next: answer.next?.text,
          cursor: answer.cursor))
    case .found(let answer):
      reply(
        text: full(
          answer.documents, missing: answer.missing, at: answer.at, end: 0, isComplete: answer.next == nil,
          next: answer.next.map(DocumentLookup.page)))
    case .status(let answer): reply(status(answer))
    case .refused(let error): reply(refusing: DocumentRefusal(error))
    }
  }

  /// The reply to a request that is refused.
  package func reply(refusing refusal: DocumentRefusal) -> HTTPReply {
    let error = refusal.error
    let body = JSON(known: [
      "error": .string(error.code.rawValue), "cause": .string(error.cause.rawValue),
      "message": .string(error.message.errorText), "requestId": .string(requestID),
      "path": error.path.map { .string($0.errorText) },
      "retryAfterMs": error.retryAfterMilliseconds.map { .integer($0) },
      "deletion": error.ending.map { .string($0.reason.rawValue) },
      "deletedAt": error.ending?.at.map { .string($0.iso8601) },
      "supported": error.code == .schemaMismatch ? supported : nil,
    ])
    var reply = reply(body, status: error.code.status)
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
    reply(text: document.bytes(), status: status)
  }

  private func reply(text: [UInt8], status: Int = 200) -> HTTPReply {
    HTTPReply(
      status: status, fields: [HTTPField("Request-Id", requestID), HTTPField("Cache-Control", "no-store")], body: text)
  }

  private var supported: JSON {
    ["min": .integer(Int64(schema.version)), "max": .integer(Int64(schema.version))]
  }

  // MARK: Documents

  /// The bytes for which an answer with that many documents has room before it grows.
  private static func room(for documents: [Document]) -> Int {
    documents.reduce(512) { $0 + 512 + 2 * $1.content.utf8.count }
  }

  private func full(
    _ documents: [Document], missing: [DocumentName] = [], at time: WallTime, end: Int64, isComplete: Bool,
    next: String? = nil, cursor: DocumentCursor? = nil
  ) -> [UInt8] {
    // Documents of one collection mostly follow each other, so there are few runs.
    var names: [Name] = []
    for document in documents where !names.contains(document.name.collection) { names.append(document.name.collection) }
    var text: [UInt8] = []
    text.reserveCapacity(Self.room(for: documents))
    text.append(literal: "{\"data\":{")
    let writers = DocumentWriters(of: schema)
    for name in names {
      let first = text.count
      text.appendMember(name.text)
      text.append(UInt8(ascii: "["))
      let start = text.count
      for document in documents where document.name.collection == name {
        text.appendElement(after: start) { writers.append(document, to: &$0) }
      }
      if text.count > start { text.append(UInt8(ascii: "]")) } else { text.removeSubrange(first...) }
    }
    text.append(literal: "},")
    text.appendMembers([
      "missing": .array(missing.map { .object($0.members) }), "serverTime": .string(time.iso8601),
      "snapshotSequence": .integer(end), "complete": .bool(isComplete), "nextPage": next.map { .string($0) } ?? .null,
      "cursor": cursor.map { .string($0.text) } ?? .null,
    ])
    text.append(UInt8(ascii: "}"))
    return text
  }

  private func pulled(_ answer: PullAnswer) -> [UInt8] {
    let documents = answer.entries.compactMap { entry -> Document? in
      if case .document(let document) = entry { document } else { nil }
    }
    var text: [UInt8] = []
    text.reserveCapacity(Self.room(for: documents))
    text.append(literal: "{\"changes\":[")
    let start = text.count
    let writers = DocumentWriters(of: schema)
    for entry in answer.entries { text.appendElement(after: start) { append(entry, writers, to: &$0) } }
    text.append(literal: "],")
    text.appendMembers([
      "serverTime": .string(answer.at.iso8601), "hasMore": .bool(answer.hasMore), "cursor": .string(answer.cursor.text),
    ])
    text.append(UInt8(ascii: "}"))
    return text
  }

  /// Appends an entry of a feed. A record that is no document is left out; false is returned for it.
  private func append(_ entry: PullAnswer.Entry, _ writers: DocumentWriters, to text: inout [UInt8]) -> Bool {
    switch entry {
    case .document(let document):
      appendBeginning(
        document.name, isDeletion: document.isDeleted, version: document.version, document.tag, document.committedAt,
        to: &text)
      guard writers.append(document, to: &text) else { return false }
    case .tombstone(let name, let version):
      appendBeginning(
        name, isDeletion: true, version: version.number, version.tag, version.committedAt, to: &text)
      text.append(literal: "null")
    }
    text.append(UInt8(ascii: "}"))
    return true
  }

  /// Appends an entry of a feed up to its data.
  private func appendBeginning(
    _ name: DocumentName, isDeletion: Bool, version: Int64, _ tag: DocumentTag?, _ committedAt: WallTime?,
    to text: inout [UInt8]
  ) {
    text.append(literal: "{\"collection\":")
    text.appendJSONString(name.collection.text)
    text.append(literal: ",\"documentId\":")
    text.appendJSONString(name.id)
    text.append(
      literal: isDeletion ? ",\"operation\":\"delete\",\"version\":" : ",\"operation\":\"upsert\",\"version\":")
    text.appendDecimal(version)
    text.append(literal: ",\"tag\":")
    if let tag {
      text.append(UInt8(ascii: "\""))
      tag.append(to: &text)
      text.append(UInt8(ascii: "\""))
    } else {
      text.append(literal: "null")
    }
    text.append(literal: ",\"updatedAt\":")
    if let committedAt { text.append(time: committedAt) } else { text.append(literal: "null") }
    text.append(literal: ",\"data\":")
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
        answer.feeds.map { feed in
          JSON(known: [
            "feed": .string(feed.feed.rawValue), "state": .string(feed.state.rawValue),
            "deletedAt": feed.deletedAt.map { .string($0.iso8601) },
          ])
        }),
      "token": .string(answer.position.text),
    ]
  }

  // MARK: Results of changes

  private func pushed(_ answer: PushAnswer) -> [UInt8] {
    var (applied, errors): ([JSON], [JSON]) = ([], [])
    var conflicts = [UInt8(ascii: "[")]
    let writers = DocumentWriters(of: schema)
    for (index, result) in answer.results.enumerated() {
      switch result.outcome {
      case .applied: applied.append(.string(result.name.id))
      case .conflict(let resolution, let stored, _):
        conflicts.appendElement(after: 1) { append(result, at: index, resolution, stored, writers, to: &$0) }
      case .failed(let error): errors.append(.object(place(index, result) + error.members(at: index)))
      }
    }
    conflicts.append(UInt8(ascii: "]"))
    var text: [UInt8] = [UInt8(ascii: "{")]
    text.appendMembers(["success": .bool(errors.isEmpty), "applied": .array(applied)])
    text.appendMember("conflicts")
    text.append(contentsOf: conflicts)
    text.append(UInt8(ascii: ","))
    text.appendMembers([
      "errors": .array(errors), "serverTime": .string(answer.at.iso8601),
      "results": .array(answer.results.enumerated().map { self.result($0.element, at: $0.offset) }),
    ])
    text.append(UInt8(ascii: "}"))
    return text
  }

  private func place(_ index: Int, _ result: ChangeResult) -> [JSON.Member] {
    [JSON.Member("index", .integer(Int64(index)))] + result.name.members
  }

  /// Appends a conflict.
  private func append(
    _ result: ChangeResult, at index: Int, _ resolution: ChangeResult.Resolution, _ stored: Document?,
    _ writers: DocumentWriters, to text: inout [UInt8]
  ) -> Bool {
    text.append(UInt8(ascii: "{"))
    text.appendMembers([
      "index": .integer(Int64(index)), "collection": .string(result.name.collection.text),
      "documentId": .string(result.name.id), "clientVersion": .integer(result.clientVersion),
      "serverVersion": .integer(stored?.version ?? 0),
    ])
    text.appendMember("serverData")
    if stored.map({ writers.append($0, to: &text) }) != true { text.append(literal: "null") }
    text.append(UInt8(ascii: ","))
    text.appendMembers(["resolution": .string(resolution.rawValue)])
    text.append(UInt8(ascii: "}"))
    return true
  }

  private func result(_ result: ChangeResult, at index: Int) -> JSON {
    let outcome: (word: String, isChanged: Bool?, version: ChangeResult.Version?) =
      switch result.outcome {
      case .applied(let isChanged, let version): ("applied", isChanged, version)
      case .conflict(_, let stored, let isChanged): ("conflict", isChanged, stored.map { ChangeResult.Version(of: $0) })
      case .failed: ("error", nil, nil)
      }
    return .object(
      place(index, result)
        + [JSON.Member](known: [
          "outcome": .string(outcome.word), "changed": outcome.isChanged.map { .bool($0) },
          "version": outcome.version.map { .integer($0.number) }, "tag": outcome.version?.tag.map { .string($0.text) },
          "committedAt": outcome.version?.committedAt.map { .string($0.iso8601) },
          "deviceId": outcome.version?.deviceID.map { .string($0) }, "changeId": result.changeID.map { .string($0) },
        ]))
  }
}

extension [UInt8] {
  /// Appends members of an object with a comma between two.
  fileprivate mutating func appendMembers(_ members: KeyValuePairs<String, JSON>) {
    for (index, (key, value)) in members.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      appendJSONString(key)
      append(UInt8(ascii: ":"))
      appendJSON(value)
    }
  }

  /// Appends the beginning of a member, behind another one if there is any.
  fileprivate mutating func appendMember(_ name: String) {
    if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
    appendJSONString(name)
    append(UInt8(ascii: ":"))
  }

  /// Appends an element of the array whose elements begin at that place. One that returns false is left out.
  fileprivate mutating func appendElement(after start: Int, _ element: (inout [UInt8]) -> Bool) {
    let end = count
    if end > start { append(UInt8(ascii: ",")) }
    if !element(&self) { removeSubrange(end...) }
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
    [JSON.Member](known: [
      "code": .string(code.rawValue), "cause": .string(cause.rawValue), "message": .string(message.errorText),
      "path": path.map { .string("changes[\(index)].\($0)".errorText) },
    ])
  }
}

extension ChangeResult.Version {
  /// The version of a stored document.
  fileprivate init(of document: Document) {
    self.init(
      number: document.version, tag: document.tag, committedAt: document.committedAt, deviceID: document.deviceID)
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
