import ZoneKitRecords

/// The content of one zone, as far as it was read.
package struct ZoneContent {
  /// The zone.
  package let key: ZoneKey
  private var header: Answer<ZoneHeader?>?
  /// The run of the server that read the header.
  private(set) var run: UInt64 = 0
  private var records: [Name: Answer<StoredRecord?>] = [:]
  private var references: [Name: [StoredReference]] = [:]
  /// The records whose dependents were all read.
  private var complete: [Dependence: Set<Name>] = [:]
  /// The number of records that may still be read as dependents for the present request.
  private var dependentRoom = Int.max
  private var schemas: [Name: [FieldDefinition]] = [:]
  /// The sizes of assets by their checksums.
  private var assets: [String: Answer<Int64?>] = [:]
  private var pages: [FeedQuery: FeedPage] = [:]
  private var queries: [RecordQuery: RecordMatches] = [:]
  private var sequences: [WallTime: Int64] = [:]
  /// Why something of the zone was not read.
  private var failure: EvaluationFailure?
  /// The bytes of records that may still be read for the present request.
  private var room = Int.max
  /// The bytes of all records and pages.
  private var size = 0

  /// The result of a read, which can be that there is nothing.
  private struct Answer<Value> {
    let value: Value
  }

  init(_ key: ZoneKey) { self.key = key }

  // MARK: Adding what was read

  /// Adds the zone's header, as the server reads it in that run.
  package mutating func put(_ header: ZoneHeader?, in run: UInt64 = 0) {
    self.header = Answer(value: header)
    self.run = run
  }

  /// Adds the record of that name, or its tombstone; nil if it never existed.
  package mutating func put(_ record: StoredRecord?, named name: Name) {
    guard records.updateValue(Answer(value: record), forKey: name) == nil else { return }
    room -= record?.size ?? 0
    size += record?.size ?? 0
  }

  /// Whether further records may be read for the present request.
  package var hasRoom: Bool { room > 0 && failure == nil }

  /// Adds the binding references to the record of that name.
  package mutating func put(_ references: [StoredReference], to name: Name) {
    guard self.references.updateValue(references, forKey: name) == nil else { return }
    room -= references.count * AnswerSize.perReference
    size += references.count * AnswerSize.perReference
  }

  /// Whether a record, or that there is none, was read.
  func hasRead(_ name: Name) -> Bool { records[name] != nil }

  /// The type of a record that was read; nil if there is none.
  func recordType(of name: Name) -> Name? { records[name]?.value?.recordType }

  /// A record and the references to it are read, and its dependents follow. Returns false if they were read before, or
  /// if that are too many records for one request.
  mutating func begin(dependentsOf name: Name, by dependence: Dependence) -> Bool {
    guard complete[dependence, default: []].insert(name).inserted else { return false }
    dependentRoom -= 1
    guard dependentRoom < 0 else { return true }
    failure = .excessive(.dependents)
    return false
  }

  /// Adds the field definitions of a record type.
  package mutating func put(_ schema: [FieldDefinition], of recordType: Name) { schemas[recordType] = schema }

  /// Adds the size of the asset with that checksum; nil if its bytes are not kept.
  package mutating func put(_ size: Int64?, ofAsset checksum: String) { assets[checksum] = Answer(value: size) }

  /// Adds the position of a time in the feed.
  package mutating func put(_ sequence: Int64, through time: WallTime) { sequences[time] = sequence }

  /// Adds a page of the feed.
  package mutating func put(_ page: FeedPage, for query: FeedQuery) {
    pages[query] = page
    size += page.page.size
  }

  /// Adds the answer to a query.
  package mutating func put(_ matches: RecordMatches, for query: RecordQuery) {
    queries[query] = matches
    size += matches.page.size
  }

  /// What a call of `fill` took.
  struct Taken {
    /// The bytes of records.
    let recordBytes: Int
    /// The bytes of records and pages.
    let bytes: Int
    /// The number of records that were read as dependents.
    let dependents: Int
    /// Whether something was not read because of a failure.
    let hasFailed: Bool
  }

  /// Adds what `read` puts into the content, or the error that it throws. `room` is the most bytes of records; what is
  /// not read for lack of room is excessive. `dependents` is the most records that are read as such.
  mutating func fill(room: Int, dependents: Int, _ read: (inout ZoneContent) throws(StoreError) -> Void) -> Taken {
    self.room = room
    dependentRoom = dependents
    let before = size
    do throws(StoreError) {
      try read(&self)
    } catch {
      failure = .unreadable(error)
    }
    if !hasRoom, failure == nil { failure = .excessive(.bytes) }
    return Taken(
      recordBytes: room - self.room, bytes: size - before, dependents: dependents - dependentRoom,
      hasFailed: failure != nil)
  }

  /// Removes the failure, so that the next request tries to read again.
  mutating func forgetFailure() {
    guard failure != nil else { return }
    failure = nil
    complete = [:]
  }

  // MARK: Reading

  /// The zone's header; nil if the zone never existed.
  package func knownHeader() throws(EvaluationFailure) -> ZoneHeader? {
    guard let header else { throw absent(.zone(key)) }
    return header.value
  }

  /// A record or its tombstone; nil if it never existed.
  package func record(_ name: Name) throws(EvaluationFailure) -> StoredRecord? {
    guard let record = records[name] else { throw absent(.records([name], in: key)) }
    return record.value
  }

  /// The live records with a binding reference to the named record, in ascending order of name and field.
  package func references(to name: Name) throws(EvaluationFailure) -> [StoredReference] {
    guard let found = references[name] else { throw absent(.references(to: [name], in: key)) }
    return found
  }

  /// The field definitions of a record type, in ascending order of the field names.
  package func schema(of recordType: Name) throws(EvaluationFailure) -> [FieldDefinition] {
    guard let schema = schemas[recordType] else { throw absent(.schema(of: [recordType], in: key)) }
    return schema
  }

  /// The size of the asset with that checksum; nil if its bytes are not kept.
  package func assetSize(_ checksum: String) throws(EvaluationFailure) -> Int64? {
    guard let size = assets[checksum] else { throw absent(.assets([checksum], in: key)) }
    return size.value
  }

  /// The highest sequence of a record or tombstone that was saved at that time or earlier; 0 if there is none. Only for
  /// zones whose stamps rise.
  package func sequence(through time: WallTime) throws(EvaluationFailure) -> Int64 {
    guard let sequence = sequences[time] else { throw absent(.sequence(through: time, in: key)) }
    return sequence
  }

  /// A page of the feed.
  package func feed(_ query: FeedQuery) throws(EvaluationFailure) -> FeedPage {
    guard let page = pages[query] else { throw absent(.feed(query, in: key)) }
    return page
  }

  /// The answer to a query, which may end before its limit because of its bytes.
  package func part(of query: RecordQuery) throws(EvaluationFailure) -> RecordMatches {
    guard let matches = queries[query] else { throw absent(.matches(query, in: key)) }
    return matches
  }

  /// The answer to a query. Throws if it has too many bytes for one request.
  package func matches(_ query: RecordQuery) throws(EvaluationFailure) -> RecordMatches {
    let matches = try part(of: query)
    guard !matches.moreComing || matches.page.count >= query.limit else { throw .excessive(.bytes) }
    return matches
  }

  /// Throws the needs among these that were not read yet, all together, so that they are read at once.
  package func require(_ needs: [Need]) throws(EvaluationFailure) {
    let missing = needs.compactMap(missing)
    guard missing.isEmpty else { throw .absent(missing) }
  }

  /// The part of a need of this zone that has to be read; nil if everything was read or reading failed.
  func missing(_ need: Need) -> Need? {
    // The evaluation gets the error when it reads.
    guard failure == nil else { return nil }
    switch need {
    case .zone: return header == nil ? need : nil
    case .records(let names, in: _):
      let missing = names.filter { records[$0] == nil }
      return missing.isEmpty ? nil : .records(missing, in: key)
    case .references(let names, in: _):
      let missing = names.filter { references[$0] == nil }
      return missing.isEmpty ? nil : .references(to: missing, in: key)
    case .dependents(let names, by: let dependence, in: _):
      let missing = names.filter { complete[dependence]?.contains($0) != true }
      return missing.isEmpty ? nil : .dependents(of: missing, by: dependence, in: key)
    case .schema(let recordTypes, in: _):
      let missing = recordTypes.filter { schemas[$0] == nil }
      return missing.isEmpty ? nil : .schema(of: missing, in: key)
    case .assets(let checksums, in: _):
      let missing = checksums.filter { assets[$0] == nil }
      return missing.isEmpty ? nil : .assets(missing, in: key)
    case .sequence(let time, in: _): return sequences[time] == nil ? need : nil
    case .feed(let query, in: _): return pages[query] == nil ? need : nil
    case .matches(let query, in: _): return queries[query] == nil ? need : nil
    case .database, .zones: return nil
    }
  }

  private func absent(_ need: Need) -> EvaluationFailure { failure ?? .absent([need]) }
}
