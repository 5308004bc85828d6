import ZoneKitDocuments
import ZoneKitRecords

/// Reads what is asked in the query and the body of a request for documents.
struct DocumentCallReader {
  let schema: DocumentSchema
  let query: DocumentQuery

  private typealias Cursor = DocumentCursor
  private static let limits = 1...Int64(DocumentRequest.itemLimit)
  private static let limitText = "a whole number from 1 to \(DocumentRequest.itemLimit)"

  // MARK: Requests without a body

  /// The request for changes.
  func pull() throws(DocumentError) -> DocumentRequest {
    let limit = try query.number("limit") ?? Self.limits.upperBound
    guard Self.limits.contains(limit) else { throw .malformed("limit", "must be \(Self.limitText)") }
    if let text = query.text("cursor") {
      let cursor = try cursor(text, .changes, at: "cursor")
      return .pull(DocumentPull(cursor, limit: Int(limit), acknowledged: try acknowledged()))
    }
    var start = Cursor(startOf: try feed(query.text("feed")), .changes)
    if let text = query.text("collections") {
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      choose(try collections(names), for: &start)
    }
    if let text = query.text("since") {
      guard let time = WallTime(anyTime: text) else {
        throw .malformed("since", "must be a time such as 2026-11-21T06:06:01.308Z, and is \"\(text)\"")
      }
      start.since = time
    }
    return .pull(DocumentPull(start, limit: Int(limit)))
  }

  /// The tags of the client's own changes that it has not read since.
  private func acknowledged() throws(DocumentError) -> [DocumentTag] {
    let tags = (query.text("acknowledged") ?? "").split(separator: ",").map { DocumentTag(String($0)) }
    guard tags.allSatisfy({ $0 != nil }) else {
      throw .malformed("acknowledged", "must be tags of documents, separated by commas")
    }
    return tags.compactMap { $0 }
  }

  /// The request for the feeds that changed.
  func status() throws(DocumentError) -> DocumentRequest {
    guard let text = query.text("since") else { return .status(since: nil) }
    do throws(DocumentCursor.Problem) {
      return .status(since: try DocumentPosition(text))
    } catch {
      throw Self.error(error, at: "since")
    }
  }

  // MARK: Requests with a body

  /// The request for a snapshot or for single documents.
  func full(_ body: JSON) throws(DocumentError) -> DocumentRequest {
    let members = try DocumentMembers(body)
    let limit = try members.optional("limit", Self.limitText) { json in
      json.wholeNumber.flatMap { Self.limits.contains($0) ? Int($0) : nil }
    }
    let feed =
      try members.optional("feed", "one of \(Self.feeds)") { $0.string.flatMap(DocumentFeed.init) } ?? .documents
    let includesDeleted = try members.optional("deleted", "true or false", \.bool) ?? false
    var start = Cursor(startOf: feed, .snapshot, includesDeleted: includesDeleted)
    if let names = try members.optional("collections", "an array of names of collections", Self.texts) {
      choose(try collections(names), for: &start)
    }
    let page = try members.optional("page", "the text of `nextPage`") { json in
      json.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    if let names = try members.array("documents") {
      // The names count, so that a page of a snapshot beside them is ignored.
      return try lookup(names, from: page.flatMap(DocumentLookup.place) ?? 0)
    }
    if let page {
      let place = try cursor(page, .snapshot, at: "page")
      return .snapshot(DocumentSnapshot(place, limit: limit ?? DocumentRequest.itemLimit))
    }
    return .snapshot(DocumentSnapshot(start, limit: limit))
  }

  private func lookup(
    _ elements: [(json: JSON, path: String)], from place: Int
  ) throws(DocumentError) -> DocumentRequest {
    guard elements.count <= DocumentRequest.itemLimit else {
      throw DocumentError(
        .tooLarge, "at most \(DocumentRequest.itemLimit) documents can be asked for at once", path: "documents")
    }
    var names: [DocumentName] = []
    for element in elements {
      names.append(try DocumentMembers(element.json, at: element.path).documentName())
    }
    guard place == 0 || place < names.count else {
      throw .malformed("page", "is of a longer list of documents; send it with the same `documents`")
    }
    return .lookup(DocumentLookup(names, from: place))
  }

  /// The changes that a client sends.
  func push(_ body: JSON) throws(DocumentError) -> DocumentRequest {
    let members = try DocumentMembers(body)
    let deviceID = try members.id("deviceId")
    let pulledAt = try members.optional("lastPulledAt", "a time or null") { json -> WallTime?? in
      json.isNull ? .some(nil) : DocumentCall.time(json).map { .some($0) }
    }
    let deciders = DocumentPush.Decider.allCases.map(\.rawValue).joined(separator: ", ")
    let decider = try members.optional("onConflict", "one of \(deciders)") { json in
      json.string.flatMap(DocumentPush.Decider.init)
    }
    guard let elements = try members.array("changes") else { throw members.wrong("changes", "an array") }
    guard elements.count <= DocumentRequest.itemLimit else {
      throw DocumentError(
        .tooLarge, "a push has at most \(DocumentRequest.itemLimit) changes, and this one \(elements.count)",
        path: "changes")
    }
    var changes: [DocumentChange] = []
    changes.reserveCapacity(elements.count)
    for element in elements {
      changes.append(try DocumentChange(DocumentMembers(element.json, at: element.path)))
    }
    return .push(
      DocumentPush(
        from: deviceID, decider: decider ?? .server, lastPulledAt: pulledAt ?? nil, changes: changes))
  }

  // MARK: Words and cursors

  private static let feeds = DocumentFeed.allCases.map(\.rawValue).joined(separator: ", ")

  private func feed(_ text: String?) throws(DocumentError) -> DocumentFeed {
    guard let text else { return .documents }
    guard let feed = DocumentFeed(rawValue: text) else {
      throw .malformed("feed", "must be one of \(Self.feeds), and is \"\(text)\"")
    }
    return feed
  }

  /// The texts of an array that has nothing else; nil for any other value.
  private static func texts(_ json: JSON) -> [String]? {
    let texts = json.array?.compactMap(\.string) ?? []
    return texts.isEmpty || texts.count < json.array?.count ?? 0 ? nil : texts
  }

  /// Reads only those collections. The conflict journal has only one.
  private func choose(_ collections: Set<Int>, for start: inout DocumentCursor) {
    if start.feed == .documents { start.collections = collections }
  }

  /// The places of collections in the schema.
  private func collections(_ names: [String]) throws(DocumentError) -> Set<Int> {
    var places: Set<Int> = []
    for name in names {
      guard let place = schema.collections.firstIndex(where: { $0.name.text == name }) else {
        let known = schema.collections.map(\.name.text).joined(separator: ", ")
        throw .malformed("collections", "has \"\(name)\", which is no collection; there are \(known)")
      }
      guard places.insert(place).inserted else { throw .malformed("collections", "has \(name) twice") }
    }
    return places
  }

  private func cursor(
    _ text: String, _ kind: DocumentCursor.Kind, at path: String
  ) throws(DocumentError) -> DocumentCursor {
    do throws(DocumentCursor.Problem) {
      return try Cursor(text, kind)
    } catch {
      throw Self.error(error, at: path)
    }
  }

  private static func error(_ problem: DocumentCursor.Problem, at path: String) -> DocumentError {
    switch problem {
    case .unreadable:
      DocumentError(
        .cursorExpired, "`\(path)` is none that this server made, or too old to be read; begin anew", path: path)
    case .ofAnotherKind:
      DocumentError.malformed(path, "is of another kind: cursors are for pull, pages for full, tokens for status")
    }
  }
}

extension DocumentChange {
  /// Reads a change. What its data has is checked when the change is applied.
  fileprivate init(_ members: DocumentMembers) throws(DocumentError) {
    let name = try members.documentName()
    let operations = Operation.allCases.map(\.rawValue).joined(separator: ", ")
    let operation = try members.required("operation", "one of \(operations)") {
      $0.string.flatMap(Operation.init)
    }
    let timestamp = try members.required(
      "timestamp", "a time such as 2026-11-21T06:06:01.308Z", DocumentCall.time
    ).inDocument
    let version = try members.optional("version", "a whole number from 0") { json in
      json.wholeNumber.flatMap { (0...Self.largestVersion).contains($0) ? $0 : nil }
    }
    let tag = try members.optional("tag", "the `tag` of a document") { $0.string.flatMap(DocumentTag.init) }
    let data = try members.optional("data", "an object or null") { json -> DocumentData?? in
      switch json {
      case .null: .some(nil)
      case .object: .some(DocumentData(json))
      case .bool, .integer, .number, .string, .verbatim, .array: nil
      }
    }
    let changeID = try members.optional("changeId", "a text of at most \(Self.changeIDLimit) characters") { json in
      json.string.flatMap { $0.unicodeScalars.count <= Self.changeIDLimit ? $0 : nil }
    }
    let erases = try members.optional("erase", "true or false", \.bool)
    self.init(
      operation, name, base: tag.map { .tag($0) } ?? version.map { .version($0) } ?? .none, version: version,
      at: timestamp, data: data ?? nil, erases: erases ?? false, changeID: changeID)
  }

  /// The largest number that every program can read exactly.
  private static let largestVersion: Int64 = 9_007_199_254_740_991
  private static let changeIDLimit = 80
}
