import ZoneKitCloud
import ZoneKitRecords

extension ZoneFile {
  /// How the records of a query are reached.
  private struct Access {
    /// The index; nil to leave the choice to SQLite.
    var index: String?
    /// Whether the index has the order of the query, so that its first records are found without the others.
    var isOrdered: Bool
    /// The number of records of the smallest condition.
    var candidates = Int.max
    /// The index that has all values of the condition, by which the records are counted; nil if there is none.
    var countIndex: String?
  }

  /// The most records that fulfil a condition which are sorted. If each condition is fulfilled by more, the records are read
  /// in the order of the query until there are enough.
  private static let candidateLimit = 2_000

  /// The number of records from which a zone gets indexes for queries. Fewer are read faster than an index is made.
  private static let indexedZone = 1_000

  /// The answer to a query. See `ZoneStore`.
  func matches(_ query: RecordQuery) throws(StoreError) -> RecordMatches {
    let access = try access(for: query)
    if query.needsFields { return try computedMatches(query, index: access.index, isOrdered: access.isOrdered) }
    do throws(StoreError) {
      return try matches(query, access)
    } catch {
      // SQLite refuses to use an index for a condition that is a constant.
      guard error.message.contains("no query solution") else { throw error }
      return try matches(query, Access(index: nil, isOrdered: false))
    }
  }

  private func matches(_ query: RecordQuery, _ access: Access) throws(StoreError) -> RecordMatches {
    let count = query.isCounted ? try self.count(query, access) : nil
    var draft = PageDraft()
    var moreComing = false
    var offset = query.offset
    for part in access.isOrdered ? query.partsToRead : [.all] {
      let rows = query.limit - draft.rows.count
      guard !moreComing else { break }
      let text = query.text(columns: readColumns, of: part, index: access.index, limit: rows, offset: offset)
      let before = draft.rows.count
      try queryStatement(text.sql).visit(all: text.values) { row throws(StoreError) in
        let bytes = draft.bytes.count + row.utf8(3).count
        moreComing = draft.rows.count >= query.limit || !draft.rows.isEmpty && bytes > query.byteLimit
        guard !moreComing else { return false }
        try verify(row)
        try append(row, to: &draft)
        return true
      }
      if draft.rows.count > before || moreComing {
        offset = 0
      } else if offset > 0 {
        offset -= min(offset, try self.count(query, access, part))
      }
    }
    let page = RecordPage(bytes: draft.bytes, rows: draft.rows, authors: draft.authors)
    return RecordMatches(page: page, moreComing: moreComing, count: count)
  }

  /// The number of records that fulfil the condition, of that part.
  private func count(
    _ query: RecordQuery, _ access: Access, _ part: RecordQuery.Part = .all
  ) throws(StoreError) -> Int {
    let text = query.countText(of: part, index: access.countIndex ?? access.index)
    return try queryStatement(text.sql).first(all: text.values) { Int($0.integer(0)) } ?? 0
  }

  // MARK: Planning

  private func access(for query: RecordQuery) throws(StoreError) -> Access {
    guard try header()?.recordCount ?? 0 >= Self.indexedZone else { return Access(index: nil, isOrdered: false) }
    let conjuncts = query.condition.conjuncts
    var best = Access(index: nil, isOrdered: false)
    var probed: Set<RecordKey> = []
    var countIndex: String?
    for case let key? in conjuncts.map(\.indexableKey) where probed.insert(key).inserted {
      guard let index = try queryIndex([RecordQuery.Order(key)], of: query.recordType) else { continue }
      let ofKey = conjuncts.filter { $0.indexableKey == key }
      if ofKey.count == conjuncts.count { countIndex = index }
      let text = query.probeText(.all(ofKey), index: index, limit: Self.candidateLimit + 1)
      let count = try queryStatement(text.sql).first(all: text.values) { Int($0.integer(0)) } ?? 0
      if count < best.candidates { best = Access(index: index, isOrdered: false, candidates: count) }
    }
    if best.candidates <= Self.candidateLimit { return best }
    let first = query.order.first ?? RecordQuery.Order(.recordName)
    guard first.key.isIndexable else { return best }
    var keys = [first]
    if let equal = conjuncts.lazy.compactMap(\.equalKey).first(where: { $0 != first.key }) {
      keys.insert(RecordQuery.Order(equal), at: 0)
    }
    let index = try queryIndex(keys, of: query.recordType)
    return Access(index: index, isOrdered: index != nil, countIndex: countIndex)
  }
}

extension String {
  /// The text as a literal of SQL.
  var quotedText: String { "'\(doubling("'"))'" }

  /// The text as a name in SQL.
  var quotedName: String { "\"\(doubling("\""))\"" }

  /// Bytes are compared, because a mark with an accent is another character.
  private func doubling(_ mark: Unicode.Scalar) -> String {
    String(decoding: utf8.flatMap { $0 == UInt8(ascii: mark) ? [$0, $0] : [$0] }, as: UTF8.self)
  }
}
