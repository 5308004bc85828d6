import ZoneKitDocuments
import ZoneKitRecords

/// Reads pages of documents from their bytes, if they are written as `DocumentReplyWriter` writes them. Making a tree of JSON
/// for a page took most of the time of reading it. A page in another form is read as a tree.
extension DocumentAnswerReader {
  private static let pullLayout = ObjectLayout(inOrder: ["changes", "serverTime", "hasMore", "cursor"])
  private static let changeLayout = ObjectLayout(
    inOrder: ["collection", "documentId", "operation", "version", "tag", "updatedAt", "data"])
  private static let snapshotLayout = ObjectLayout(
    inOrder: ["data", "missing", "serverTime", "snapshotSequence", "complete", "nextPage", "cursor"])

  /// The readers of the collections that were met on a page.
  private typealias Readers = [Name: ServedDocumentReader]

  /// A page of changes; nil if it is written in another form.
  func pulled(_ body: [UInt8]) throws(Failure) -> PullAnswer? {
    let bytes = body.span
    guard Self.isText(bytes), let members = Self.members(0..<bytes.count, Self.pullLayout, in: bytes),
      var walk = ArrayWalk(members[0], in: bytes),
      let at = Self.text(bytes, members[1]).flatMap(WallTime.init(iso8601:)),
      let cursor = Self.text(bytes, members[3]).flatMap({ try? DocumentCursor($0, .changes) })
    else { return nil }
    let hasMore = bytes.extracting(members[2]).isEqual(to: "true")
    guard hasMore || bytes.extracting(members[2]).isEqual(to: "false") else { return nil }
    var entries: [PullAnswer.Entry] = []
    var readers: Readers = [:]
    while let element = walk.next(in: bytes) {
      guard let change = Self.members(element, Self.changeLayout, in: bytes),
        let collection = Self.text(bytes, change[0]), let id = Self.text(bytes, change[1]), DocumentID.isValid(id)
      else { return nil }
      let name = DocumentName(Name(collection), id)
      guard let known = schema.collection(name.collection) else { continue }
      if bytes.extracting(change[6]).isEqual(to: "null") {
        guard let version = Self.version(change, in: bytes) else { return nil }
        entries.append(.tombstone(name, version))
      } else {
        entries.append(.document(try document(bytes, change[6], known, &readers)))
      }
    }
    return walk.isAtEnd ? PullAnswer(entries, at: at, hasMore: hasMore, cursor: cursor) : nil
  }

  /// A page of a snapshot; nil if it is written in another form.
  func snapshot(_ body: [UInt8]) throws(Failure) -> SnapshotAnswer? {
    let bytes = body.span
    guard Self.isText(bytes), let members = Self.members(0..<bytes.count, Self.snapshotLayout, in: bytes),
      let at = Self.text(bytes, members[2]).flatMap(WallTime.init(iso8601:)),
      let end = Int64(canonical: bytes.extracting(members[3])),
      let documents = try documents(bytes, members[0])
    else { return nil }
    let isComplete = bytes.extracting(members[4]).isEqual(to: "true")
    guard isComplete || bytes.extracting(members[4]).isEqual(to: "false"),
      let cursor = Self.text(bytes, members[isComplete ? 6 : 5])
        .flatMap({ try? DocumentCursor($0, isComplete ? .changes : .snapshot) })
    else { return nil }
    return SnapshotAnswer(
      documents, at: at, end: end, next: isComplete ? nil : cursor, cursor: isComplete ? cursor : nil)
  }

  /// The result of a lookup; nil if it is written in another form.
  func found(_ body: [UInt8], _ lookup: DocumentLookup) throws(Failure) -> DocumentResponse? {
    let bytes = body.span
    guard Self.isText(bytes), let members = Self.members(0..<bytes.count, Self.snapshotLayout, in: bytes),
      let at = Self.text(bytes, members[2]).flatMap(WallTime.init(iso8601:)),
      let documents = try documents(bytes, members[0])
    else { return nil }
    return try found(documents, lookup, at: at, nextPage: Self.text(bytes, members[5]))
  }

  /// The documents of all collections, ascending by their positions.
  private func documents(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Failure) -> [Document]? {
    let layout = ObjectLayout(inOrder: schema.collections.map(\.name) + [.conflicts])
    var documents: [Document] = []
    var readers: Readers = [:]
    var walk = ObjectWalk(range, layout)
    while let entry = Self.next(&walk, in: bytes) {
      let name = layout.text.span.extracting(layout.members[entry.place].name)
      guard let collection = String(utf8: name).flatMap({ schema.collection(Name($0)) }),
        var elements = ArrayWalk(entry.value, in: bytes)
      else { return nil }
      while let element = elements.next(in: bytes) {
        documents.append(try document(bytes, element, collection, &readers))
      }
      guard elements.isAtEnd else { return nil }
    }
    guard walk.isAtEnd else { return nil }
    return documents.sorted { $0.tag.sequence < $1.tag.sequence }
  }

  private func document(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ collection: DocumentCollection, _ readers: inout Readers
  ) throws(Failure) -> Document {
    let document = readers[collection.name, default: ServedDocumentReader(collection, of: schema)]
      .document(bytes, range, of: user)
    if let document { return document }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(exactly: bytes.extracting(range))
    } catch {
      throw Failure(reason: "a document of \(collection.name) is no JSON: \(error)")
    }
    return try self.document(json, collection)
  }

  // MARK: Members

  /// Strings are copied from the bytes, so that all of them have to be text.
  private static func isText(_ bytes: Span<UInt8>) -> Bool { (try? UTF8Span(validating: bytes)) != nil }

  /// The next member; nil at the end, or if the object is written in another form.
  private static func next(_ walk: inout ObjectWalk, in bytes: Span<UInt8>) -> ObjectWalk.Entry? {
    try? walk.next(in: bytes)
  }

  /// The ranges of the values of an object, in the order of the layout; nil if one is missing or the object is written in
  /// another form.
  private static func members(_ range: Range<Int>, _ layout: ObjectLayout, in bytes: Span<UInt8>) -> [Range<Int>]? {
    var values: [Range<Int>?] = Array(repeating: nil, count: layout.members.count)
    var walk = ObjectWalk(range, layout)
    while let entry = next(&walk, in: bytes) { values[entry.place] = entry.value }
    let found = values.compactMap { $0 }
    return walk.isAtEnd && found.count == values.count ? found : nil
  }

  /// The text of a string without escapes.
  private static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String? {
    let json = bytes.extracting(range)
    return json.plainString.flatMap { String(utf8: json.extracting($0)) }
  }

  /// The version of a tombstone.
  private static func version(_ change: [Range<Int>], in bytes: Span<UInt8>) -> ChangeResult.Version? {
    Int64(canonical: bytes.extracting(change[3])).map {
      ChangeResult.Version(
        number: $0, tag: text(bytes, change[4]).flatMap(DocumentTag.init),
        committedAt: text(bytes, change[5]).flatMap(WallTime.init(iso8601:)))
    }
  }
}
