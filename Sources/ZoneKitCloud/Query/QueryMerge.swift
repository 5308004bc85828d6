import ZoneKitRecords

/// Merges the records that a query finds in several zones to one page. Of records with equal values those of the zone with
/// the smaller name come first.
struct QueryMerge {
  /// The most records.
  let limit: Int
  /// The most bytes of fields. A page with a single record may have more.
  let byteLimit: Int
  private var sources: [Source] = []

  /// The records of one zone that are not in the page yet.
  fileprivate struct Source {
    let zoneName: Name
    let query: RecordQuery
    let matches: RecordMatches
    var next = 0
    /// The place of the next record; nil if it was not needed yet.
    var nextPosition: RecordQuery.Position?
  }

  /// A page, and where the next one begins; nil if there is none.
  struct Page {
    var runs: [QueriedRecords.Run] = []
    var next: ContinuationMarker?
  }

  /// A merge without records.
  init(limit: Int, byteLimit: Int) {
    self.limit = limit
    self.byteLimit = byteLimit
  }

  /// Adds the records of a zone.
  mutating func add(_ matches: RecordMatches, of query: RecordQuery, in zoneName: Name) {
    sources.append(Source(zoneName: zoneName, query: query, matches: matches))
  }

  /// The page.
  consuming func page() throws(EvaluationFailure) -> Page {
    var page = Page()
    var last: Int?
    var (count, bytes) = (0, 0)
    while count < limit, let index = try first() {
      let fields = sources[index].matches.page.rows[sources[index].next].fields.count
      guard count == 0 || bytes + fields <= byteLimit else { break }
      (count, bytes) = (count + 1, bytes + fields)
      page.take(
        sources[index].next, of: sources[index].matches.page, in: sources[index].zoneName, continues: index == last)
      last = index
      sources[index].advance()
      // What follows in this zone is not known, so nothing of another zone can be said to come before it.
      if sources[index].isExhausted, sources[index].matches.moreComing { break }
    }
    if let last, sources.contains(where: { !$0.isExhausted || $0.matches.moreComing }) {
      let position = try sources[last].position(at: sources[last].next - 1)
      page.next = ContinuationMarker(zoneName: sources[last].zoneName, position: position)
    }
    return page
  }

  /// The zone whose next record comes first; nil if there are no more records.
  private mutating func first() throws(EvaluationFailure) -> Int? {
    // The order of one zone's records is that of the query.
    if sources.count == 1 { return sources[0].isExhausted ? nil : 0 }
    for index in sources.indices where sources[index].nextPosition == nil && !sources[index].isExhausted {
      sources[index].nextPosition = try sources[index].position(at: sources[index].next)
    }
    return sources.indices.filter { !sources[$0].isExhausted }.min { one, other in
      guard let first = sources[one].nextPosition, let second = sources[other].nextPosition else { return false }
      return sources[one].query.comesBefore(first.values, second.values) ?? (one < other)
    }
  }
}

extension QueryMerge.Source {
  /// Whether all of its records are in the page.
  fileprivate var isExhausted: Bool { next >= matches.page.count }

  /// The next record is in the page.
  fileprivate mutating func advance() {
    next += 1
    nextPosition = nil
  }

  /// The place of the record at that index.
  fileprivate func position(at index: Int) throws(EvaluationFailure) -> RecordQuery.Position {
    guard case .saved(let record) = matches.page.change(at: index) else {
      return RecordQuery.Position(values: query.order.map { _ in nil }, recordName: nil)
    }
    do throws(StoreError) {
      return query.position(of: RecordSight(record, try record.fields.decoded()))
    } catch {
      throw .unreadable(error)
    }
  }
}

extension QueryMerge.Page {
  /// Adds a record of a zone. `continues` is whether the one before it is of the same zone.
  fileprivate mutating func take(_ index: Int, of page: RecordPage, in zoneName: Name, continues: Bool) {
    if !continues {
      let empty = RecordPage(bytes: page.bytes, rows: [], authors: page.authors)
      runs.append(QueriedRecords.Run(zoneID: ZoneID(zoneName: zoneName), page: empty))
    }
    runs[runs.count - 1].page.append(page.rows[index])
  }
}
