import ZoneKitRecords

extension DocumentCursor {
  /// The flags of the second byte of the content.
  private enum Flag {
    static let hasCollections: UInt8 = 1, hasSince: UInt8 = 2, hasEnd: UInt8 = 4, includesDeleted: UInt8 = 8
    static let hasManyCollections: UInt8 = 16
  }

  /// The text that clients get, at most 80 characters.
  package var text: String {
    var flags: UInt8 = includesDeleted ? Flag.includesDeleted : 0
    var tail: [UInt8] = []
    if let collections {
      let bits = collections.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
      let isShort = bits <= UInt8.max
      flags |= isShort ? Flag.hasCollections : Flag.hasManyCollections
      tail += isShort ? [UInt8(bits)] : bits.bigEndianBytes
    }
    for (value, flag) in [(since?.milliseconds, Flag.hasSince), (end, Flag.hasEnd)] {
      guard let value else { continue }
      flags |= flag
      tail += UInt64(bitPattern: value).bigEndianBytes
    }
    let place = incarnation.bigEndianBytes + UInt64(bitPattern: position).bigEndianBytes
    return OpaqueText.text(
      kind == .changes ? .changes : .snapshot, [feed == .documents ? 0 : 1, flags] + place + tail)
  }

  /// The cursor of that kind in a text.
  package init(_ text: String, _ kind: Kind) throws(Problem) {
    guard let (found, content) = OpaqueText.read(text) else { throw .unreadable }
    guard found == (kind == .changes ? .changes : .snapshot) else { throw .ofAnotherKind }
    var reader = FixedReader(content)
    guard let feed = reader.byte(), feed <= 1, let flags = reader.byte(), let incarnation = reader.number(),
      let position = reader.signed(), position >= 0
    else { throw .unreadable }
    self.init(
      startOf: feed == 0 ? .documents : .conflicts, kind, includesDeleted: flags & Flag.includesDeleted != 0)
    self.incarnation = incarnation
    self.position = position
    if flags & Flag.hasCollections != 0 {
      guard let bits = reader.byte() else { throw .unreadable }
      collections = Self.collections(UInt64(bits))
    } else if flags & Flag.hasManyCollections != 0 {
      guard let bits = reader.number() else { throw .unreadable }
      collections = Self.collections(bits)
    }
    if flags & Flag.hasSince != 0 {
      guard let since = reader.signed() else { throw .unreadable }
      self.since = WallTime(milliseconds: since)
    }
    if flags & Flag.hasEnd != 0 {
      guard let end = reader.signed() else { throw .unreadable }
      self.end = end
    }
    guard reader.isAtEnd else { throw .unreadable }
  }

  private static func collections(_ bits: UInt64) -> Set<Int> {
    Set((0..<DocumentSchema.collectionLimit).filter { bits & 1 << UInt64($0) != 0 })
  }
}

extension DocumentLookup {
  /// The text of a place among names, with which clients ask for the rest of an answer.
  package static func page(_ place: Int) -> String { OpaqueText.text(.lookup, UInt64(place).bigEndianBytes) }

  /// The place in a text; nil if the text is of another kind. A page of a snapshot has no meaning for documents by name.
  package static func place(_ page: String) -> Int? {
    guard let (kind, content) = OpaqueText.read(page), kind == .lookup else { return nil }
    var reader = FixedReader(content)
    return reader.number().flatMap { reader.isAtEnd ? Int(exactly: $0) : nil }
  }
}

extension DocumentPosition {
  /// The text that clients get, at most 80 characters.
  package var text: String {
    var content: [UInt8] = []
    for (index, feed) in DocumentFeed.allCases.enumerated() {
      guard let known = feeds[feed] else { continue }
      content += [UInt8(index)] + known.dataset.bigEndianBytes
      content += UInt64(bitPattern: known.sequence ?? -1).bigEndianBytes
    }
    return OpaqueText.text(.position, content)
  }

  /// The position in a text.
  package init(_ text: String) throws(DocumentCursor.Problem) {
    guard let (kind, content) = OpaqueText.read(text) else { throw .unreadable }
    guard kind == .position else { throw .ofAnotherKind }
    self.init()
    var reader = FixedReader(content)
    while let index = reader.byte() {
      guard Int(index) < DocumentFeed.allCases.count, let dataset = reader.number(), let sequence = reader.signed()
      else { throw .unreadable }
      feeds[DocumentFeed.allCases[Int(index)]] = Known(dataset: dataset, sequence: sequence < 0 ? nil : sequence)
    }
  }
}
