import ZoneKitRecords

/// What was read of one zone.
package struct ZoneContent {
  let key: ZoneKey
  private var header: Answer<ZoneHeader?>?
  private var records: [Name: Answer<StoredRecord?>] = [:]
  private var references: [Name: [StoredReference]] = [:]
  private var schemas: [Name: [FieldDefinition]] = [:]
  private var pages: [FeedQuery: FeedPage] = [:]
  /// Why something of the zone could not be read.
  private var failure: StoreError?

  /// What the store answered to a read, which can be that there is nothing.
  private struct Answer<Value> {
    let value: Value
  }

  init(_ key: ZoneKey) { self.key = key }

  // MARK: Taking in what was read

  /// Takes in the zone's header.
  package mutating func put(_ header: ZoneHeader?) { self.header = Answer(value: header) }

  /// Takes in the record of that name, or its tombstone; nil where there never was one.
  package mutating func put(_ record: StoredRecord?, named name: Name) { records[name] = Answer(value: record) }

  /// Takes in the references that bind to the record of that name.
  package mutating func put(_ references: [StoredReference], to name: Name) { self.references[name] = references }

  /// Takes in the field definitions of a record type.
  package mutating func put(_ schema: [FieldDefinition], of recordType: Name) { schemas[recordType] = schema }

  /// Takes in a page of the feed.
  package mutating func put(_ page: FeedPage, for query: FeedQuery) { pages[query] = page }

  /// Takes in that the store could not be read.
  mutating func fail(_ error: StoreError) { failure = error }

  /// Forgets a failure, so that the next request tries to read again.
  mutating func forgetFailure() { failure = nil }

  // MARK: Answering

  /// The zone's header; nil where there never was such a zone.
  package func knownHeader() throws(EvaluationFailure) -> ZoneHeader? {
    guard let header else { throw absent(.zone(key)) }
    return header.value
  }

  /// A record or its tombstone; nil where there never was one.
  package func record(_ name: Name) throws(EvaluationFailure) -> StoredRecord? {
    guard let record = records[name] else { throw absent(.records([name], in: key)) }
    return record.value
  }

  /// The live records that hold a reference that binds to the named one, ascending by name, then field.
  package func references(to name: Name) throws(EvaluationFailure) -> [StoredReference] {
    guard let found = references[name] else { throw absent(.references(to: [name], in: key)) }
    return found
  }

  /// The types of the fields of that record type, ascending by name.
  package func schema(of recordType: Name) throws(EvaluationFailure) -> [FieldDefinition] {
    guard let schema = schemas[recordType] else { throw absent(.schema(of: [recordType], in: key)) }
    return schema
  }

  /// A page of the feed.
  package func feed(_ query: FeedQuery) throws(EvaluationFailure) -> FeedPage {
    guard let page = pages[query] else { throw absent(.feed(query, in: key)) }
    return page
  }

  /// Throws all that is missing of these at once, so that it can be read in one go.
  func require(_ needs: [Need]) throws(EvaluationFailure) {
    let missing = needs.compactMap(missing)
    guard missing.isEmpty else { throw .absent(missing) }
  }

  /// What of a need of this zone is to be read; nil where all of it was, or could not be.
  func missing(_ need: Need) -> Need? {
    // The evaluation learns of the failure where it reads on.
    guard failure == nil else { return nil }
    switch need {
    case .zone: return header == nil ? need : nil
    case .records(let names, in: _):
      let missing = names.filter { records[$0] == nil }
      return missing.isEmpty ? nil : .records(missing, in: key)
    case .references(let names, in: _):
      let missing = names.filter { references[$0] == nil }
      return missing.isEmpty ? nil : .references(to: missing, in: key)
    case .schema(let recordTypes, in: _):
      let missing = recordTypes.filter { schemas[$0] == nil }
      return missing.isEmpty ? nil : .schema(of: missing, in: key)
    case .feed(let query, in: _): return pages[query] == nil ? need : nil
    case .database, .zones: return nil
    }
  }

  private func absent(_ need: Need) -> EvaluationFailure { failure.map { .unreadable($0) } ?? .absent([need]) }
}
