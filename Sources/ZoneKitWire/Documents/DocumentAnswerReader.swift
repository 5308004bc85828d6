import ZoneKitDocuments
import ZoneKitRecords

/// Reads the answers to REST calls of a client.
package struct DocumentAnswerReader: Sendable {
  let schema: DocumentSchema
  let user: Name

  /// A reader of answers to that account.
  package init(schema: DocumentSchema, user: Name) {
    self.schema = schema
    self.user = user
  }

  /// Why an answer cannot be read.
  package struct Failure: Error, Hashable, Sendable {
    /// What is wrong with the answer, and where.
    package let reason: String

    /// The error that a device gets. The status determines whether it tries again.
    func cloudError(ofStatus status: Int) -> CloudError {
      let code: CloudErrorCode =
        switch status {
        case 429: .requestRateLimited
        case 502, 503, 504: .serviceUnavailable
        default: .internalError
        }
      return CloudError(code, "the server's answer (HTTP \(status)) cannot be read: \(reason)")
    }
  }

  /// The response in the answer to a request.
  package func response(_ answer: HTTPResponse, to request: DocumentRequest) throws(Failure) -> DocumentResponse {
    if answer.status == 200, let page = try page(answer.body, of: request) { return page }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(exactly: answer.body)
    } catch {
      throw Failure(reason: "the body is no JSON document: \(error)")
    }
    guard answer.status == 200 else { return .refused(try error(json)) }
    switch request {
    case .push(let push): return .pushed(try pushed(json, push))
    case .pull: return .pulled(try pulled(json))
    case .snapshot: return .snapshot(try snapshot(json))
    case .lookup(let lookup):
      return try found(
        try documents(json), lookup, at: try time("serverTime", of: json),
        nextPage: try member("complete", of: json, \.bool) ? nil : try member("nextPage", of: json, \.string))
    case .status: return .status(try status(json))
    }
  }

  /// The page that was asked for; nil if there is none, or if it is written in another form than the service writes.
  private func page(_ body: [UInt8], of request: DocumentRequest) throws(Failure) -> DocumentResponse? {
    switch request {
    case .pull: try pulled(body).map { .pulled($0) }
    case .snapshot: try snapshot(body).map { .snapshot($0) }
    case .lookup(let lookup): try found(body, lookup)
    case .push, .status: nil
    }
  }

  // MARK: Members

  private func member<Value>(
    _ key: String, of json: JSON, _ read: (JSON) -> Value?
  ) throws(Failure) -> Value {
    guard let value = json[key].flatMap(read) else {
      throw Failure(reason: "`\(key)` is missing or of another kind")
    }
    return value
  }

  private func time(_ key: String, of json: JSON) throws(Failure) -> WallTime {
    try member(key, of: json) { $0.string.flatMap { WallTime(iso8601: $0) } }
  }

  private func name(of json: JSON) throws(Failure) -> DocumentName {
    DocumentName(
      Name(try member("collection", of: json, \.string)),
      try member("documentId", of: json) { $0.string.flatMap { DocumentID.isValid($0) ? $0 : nil } })
  }

  private func cursor(_ json: JSON, _ kind: DocumentCursor.Kind) -> DocumentCursor? {
    json.string.flatMap { try? DocumentCursor($0, kind) }
  }

  // MARK: Errors

  private func error(_ json: JSON) throws(Failure) -> DocumentError {
    // A newer server may have words that this version does not know. The native code says what they mean.
    let cause = json["cause"]?.string.flatMap(CloudErrorCode.init)
    let code = json["error"]?.string.flatMap(DocumentError.Code.init)
    guard let code = code ?? cause.map({ DocumentError(CloudError($0, "")).code }) else {
      throw Failure(reason: "it names no error")
    }
    var error = DocumentError(
      code, json["message"]?.string ?? "", path: json["path"]?.string, cause: cause,
      retryAfterMilliseconds: json["retryAfterMs"]?.wholeNumber)
    error.ending = json["deletion"]?.string.flatMap(ZoneDeletion.init).map {
      ZoneEnding($0, at: json["deletedAt"]?.string.flatMap { WallTime(iso8601: $0) })
    }
    return error
  }

  // MARK: Documents

  func document(_ json: JSON, _ collection: DocumentCollection) throws(Failure) -> Document {
    let id = try member("_id", of: json) { $0.string.flatMap { DocumentID.isValid($0) ? $0 : nil } }
    let fields: Fields
    do throws(ChangeError) {
      fields = try DocumentReader(collection, of: schema).fields(ofServed: json)
    } catch {
      throw Failure(reason: "document \(id) of \(collection.name), \(error.path ?? "data"): \(error.message)")
    }
    return Document(
      DocumentName(collection.name, id), of: user, version: try member("version", of: json, \.wholeNumber),
      tag: try member("tag", of: json) { $0.string.flatMap(DocumentTag.init) },
      deviceID: json["deviceId"]?.string ?? Author.unnamedDevice, committedAt: try time("committedAt", of: json),
      fields: fields)
  }

  private func documents(_ json: JSON) throws(Failure) -> [Document] {
    var documents: [Document] = []
    for collection in try member("data", of: json, \.object) {
      // A collection that this version of the app does not know has nothing to show for it.
      guard let known = schema.collection(Name(collection.key)) else { continue }
      for element in collection.value.array ?? [] { documents.append(try document(element, known)) }
    }
    return documents.sorted { $0.tag.sequence < $1.tag.sequence }
  }

  /// The response to a lookup with that result. `nextPage` is the text with which the rest is asked for; nil if there is none.
  func found(
    _ documents: [Document], _ lookup: DocumentLookup, at time: WallTime, nextPage: String?
  ) throws(Failure) -> DocumentResponse {
    var next: Int?
    if let nextPage {
      next = DocumentLookup.place(nextPage).flatMap { (lookup.start..<lookup.names.count).contains($0) ? $0 : nil }
      guard next != nil else { throw Failure(reason: "`nextPage` is no place among the names") }
    }
    let found = Set(documents.map(\.name))
    let answered = lookup.names[lookup.start..<(next ?? lookup.names.count)]
    return .found(LookupAnswer(documents, missing: answered.filter { !found.contains($0) }, at: time, next: next))
  }

  // MARK: Feeds

  private func pulled(_ json: JSON) throws(Failure) -> PullAnswer {
    var entries: [PullAnswer.Entry] = []
    for element in try member("changes", of: json, \.array) {
      let name = try name(of: element)
      guard let collection = schema.collection(name.collection) else { continue }
      if let data = element["data"], !data.isNull {
        entries.append(.document(try document(data, collection)))
      } else {
        entries.append(.tombstone(name, try version(of: element)))
      }
    }
    return PullAnswer(
      entries, at: try time("serverTime", of: json), hasMore: try member("hasMore", of: json, \.bool),
      cursor: try member("cursor", of: json) { cursor($0, .changes) })
  }

  private func snapshot(_ json: JSON) throws(Failure) -> SnapshotAnswer {
    let isComplete = try member("complete", of: json, \.bool)
    return SnapshotAnswer(
      try documents(json), at: try time("serverTime", of: json),
      end: try member("snapshotSequence", of: json, \.wholeNumber),
      next: isComplete ? nil : try member("nextPage", of: json) { cursor($0, .snapshot) },
      cursor: isComplete ? try member("cursor", of: json) { cursor($0, .changes) } : nil)
  }

  private func status(_ json: JSON) throws(Failure) -> StatusAnswer {
    var feeds: [StatusAnswer.Feed] = []
    for element in try member("feeds", of: json, \.array) {
      guard let feed = element["feed"]?.string.flatMap(DocumentFeed.init) else { continue }
      feeds.append(
        StatusAnswer.Feed(
          feed, try member("state", of: element) { $0.string.flatMap(StatusAnswer.State.init) },
          deletedAt: element["deletedAt"]?.string.flatMap { WallTime(iso8601: $0) }))
    }
    return StatusAnswer(
      of: user, feeds, hasMore: try member("hasMore", of: json, \.bool),
      position: try member("token", of: json) { $0.string.flatMap { try? DocumentPosition($0) } },
      at: try time("serverTime", of: json))
  }

  // MARK: Results of changes

  private func pushed(_ json: JSON, _ push: DocumentPush) throws(Failure) -> PushAnswer {
    let results = byIndex(try member("results", of: json, \.array))
    let conflicts = byIndex(try member("conflicts", of: json, \.array))
    let errors = byIndex(try member("errors", of: json, \.array))
    var read: [ChangeResult] = []
    for (index, change) in push.changes.enumerated() {
      guard let result = results[index] else { throw Failure(reason: "`results` has no entry for change \(index)") }
      read.append(ChangeResult(of: change, try outcome(result, conflicts[index], errors[index], of: change)))
    }
    return PushAnswer(read, at: try time("serverTime", of: json))
  }

  private func byIndex(_ elements: [JSON]) -> [Int: JSON] {
    Dictionary(
      elements.compactMap { element in element["index"]?.wholeNumber.map { (Int(clamping: $0), element) } },
      uniquingKeysWith: { first, _ in first })
  }

  private func outcome(
    _ result: JSON, _ conflict: JSON?, _ error: JSON?, of change: DocumentChange
  ) throws(Failure) -> ChangeResult.Outcome {
    switch result["outcome"]?.string {
    case "applied":
      return .applied(isChanged: try member("changed", of: result, \.bool), try version(of: result))
    case "conflict":
      guard let conflict else { throw Failure(reason: "`conflicts` lacks a conflict of `results`") }
      let resolution = try member("resolution", of: conflict) { $0.string.flatMap(ChangeResult.Resolution.init) }
      var document: Document?
      if let data = conflict["serverData"], !data.isNull, let collection = schema.collection(change.name.collection) {
        document = try self.document(data, collection)
      }
      return .conflict(resolution, document, isChanged: result["changed"]?.bool ?? false)
    case "error":
      let code = error?["code"]?.string.flatMap(ChangeError.Code.init) ?? .internal
      var found = ChangeError(code, error?["message"]?.string ?? "", path: error?["path"]?.string)
      if let cause = error?["cause"]?.string.flatMap(CloudErrorCode.init) { found.cause = cause }
      return .failed(found)
    default: throw Failure(reason: "`outcome` is missing or unknown")
    }
  }

  private func version(of json: JSON) throws(Failure) -> ChangeResult.Version {
    ChangeResult.Version(
      number: try member("version", of: json, \.wholeNumber), tag: json["tag"]?.string.flatMap(DocumentTag.init),
      committedAt: (json["committedAt"] ?? json["updatedAt"])?.string.flatMap { WallTime(iso8601: $0) },
      deviceID: json["deviceId"]?.string)
  }
}
