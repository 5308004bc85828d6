import ZoneKitRecords
import ZoneKitCloud

extension MemoryZoneStore {
  /// One zone in memory, with the data to undo staged changes.
  struct Zone {
    private(set) var header: ZoneHeader?
    private(set) var records: [Name: StoredRecord] = [:]
    /// The binding references by target, in ascending order of source and field.
    private(set) var incoming: [Name: [StoredReference]] = [:]
    /// The field definitions by record type, in ascending order of fields.
    private(set) var schema: [Name: [FieldDefinition]] = [:]
    /// In ascending order of sequences. The row of a record that has changed since is skipped.
    private var rows: [Row] = []
    /// The records and tombstones that do not match their checksums.
    private(set) var damaged: Set<Name> = []
    /// The records that a repair could not keep.
    private var lost: Set<Name> = []
    private var undo: Undo?
    /// How to undo the last commits, oldest first.
    private var commits: [Undo] = []

    /// The position of a record in the feed when it was written.
    private struct Row {
      var sequence: Int64
      var name: Name
    }

    /// The state of the zone before the first staged change.
    private struct Undo {
      var header: ZoneHeader?
      var schema: [Name: [FieldDefinition]]
      var rowCount: Int
      var damaged: Set<Name>
      /// The records that were replaced, oldest first.
      var replaced: [(name: Name, record: StoredRecord?)] = []
      /// The whole zone before it was cleared, if it was.
      var cleared: [Zone] = []
    }
  }
}

extension MemoryZoneStore.Zone {
  /// The most commits that can be lost.
  static let lossLimit = 3

  /// See `MemoryZoneStore.brokenReference`.
  var brokenReference: StoredReference? {
    incoming.values.joined().filter(isBroken).min { ($0.source, $0.field) < ($1.source, $1.field) }
  }

  private func isBroken(_ reference: StoredReference) -> Bool {
    guard let source = records[reference.source], !source.isDeleted else { return false }
    guard let target = records[reference.target] else {
      return reference.action == .validate && !lost.contains(reference.target)
    }
    guard target.isDeleted else { return false }
    // A record that referred to an already deleted one is kept.
    return reference.action == .validate || target.sequence > source.sequence
  }

  mutating func stage(_ change: ZoneTransition) {
    if change.clearsZone { clear() }
    if undo == nil { undo = Undo(header: header, schema: schema, rowCount: rows.count, damaged: damaged) }
    header = change.header
    if let last = change.purgedThrough { purgeTombstones(through: last) }
    for definition in change.definitions { define(definition) }
    for record in change.records {
      undo?.replaced.append((record.recordName, records[record.recordName]))
      put(record, named: record.recordName)
      damaged.remove(record.recordName)
      rows.append(Row(sequence: record.sequence, name: record.recordName))
    }
  }

  /// Undoes all staged changes.
  mutating func rollBack() {
    guard let undo else { return }
    if let before = undo.cleared.first {
      self = before
      return
    }
    for (name, record) in undo.replaced.reversed() { put(record, named: name) }
    rows.removeSubrange(undo.rowCount...)
    header = undo.header
    schema = undo.schema
    damaged = undo.damaged
    self.undo = nil
  }

  /// Makes the staged changes the committed state.
  mutating func settle() {
    if let undo { commits.append(undo) }
    if commits.count > Self.lossLimit { commits.removeFirst() }
    undo = nil
    if rows.count > 2 * records.count + 64 {
      rows = rows.filter { current($0) != nil }
      commits = []
    }
  }

  /// Undoes at most that many of the last commits, but not the creation of the zone.
  mutating func loseCommits(_ count: Int) {
    for _ in 0..<count {
      guard let last = commits.last, last.header != nil || !last.cleared.isEmpty else { return }
      undo = commits.removeLast()
      rollBack()
    }
  }

  /// Damages a record or tombstone. Returns false if there is none of that name.
  mutating func damage(_ name: Name) -> Bool {
    guard records[name] != nil else { return false }
    damaged.insert(name)
    return true
  }

  /// Removes the damaged records, and goes on with that header.
  mutating func removeDamaged(goingOnAs header: ZoneHeader) {
    for name in damaged.sorted() { put(nil, named: name) }
    lost.formUnion(damaged)
    self.header = header
    self.header?.recordCount = records.values.count { !$0.isDeleted }
    self.header?.tombstoneCount = records.values.count { $0.isDeleted }
    (damaged, commits) = ([], [])
  }

  /// Takes the place of a newer file, which had that mark.
  mutating func goOn(as header: ZoneHeader) {
    self.header = header
    commits = []
  }

  func feed(_ query: FeedQuery) throws(StoreError) -> FeedPage {
    var result = FeedPage(page: RecordPage(), position: query.position, moreComing: false)
    let step = query.isReversed ? -1 : 1
    let edge = firstRow { $0.sequence >= query.position }
    var index = query.isReversed ? edge - 1 : firstRow { $0.sequence > query.position }
    while rows.indices.contains(index) {
      defer { index += step }
      guard let record = current(rows[index]), query.takes(record) else { continue }
      let fields = record.fields.utf8.count
      if query.endsPage(of: result.page.count, bytes: result.page.bytes.count, beforeRowOf: fields) {
        result.moreComing = true
        break
      }
      try check(record.recordName)
      result.page.append(record.record, isDeleted: record.isDeleted, version: record.version)
      result.position = record.sequence
    }
    return result
  }

  /// See `ZoneStore`.
  func matches(_ query: RecordQuery) throws(StoreError) -> RecordMatches {
    let matches = try query.matches(among: records.values)
    for row in matches.page.rows { try check(Name(matches.page.text(row.name))) }
    return matches
  }

  /// See `ZoneStore`. Rows of records that changed since are skipped, as in the feed.
  func sequence(through time: WallTime) -> Int64 {
    let last = rows.last { row in current(row).map { $0.modified.at <= time } ?? false }
    return last?.sequence ?? 0
  }

  /// Throws if the record does not match its checksum.
  func check(_ name: Name) throws(StoreError) {
    guard damaged.contains(name) else { return }
    throw StoreError(.corrupt, "record \(name) does not match its checksum", place: "memory")
  }

  private mutating func purgeTombstones(through last: Int64) {
    for row in rows.prefix(while: { $0.sequence <= last }) {
      guard let record = current(row), record.isDeleted else { continue }
      undo?.replaced.append((row.name, record))
      put(nil, named: row.name)
    }
  }

  private mutating func clear() {
    rollBackIntoUndo()
    records = [:]
    incoming = [:]
    schema = [:]
    rows = []
    damaged = []
  }

  /// Keeps the committed zone, so that clearing it can be undone.
  private mutating func rollBackIntoUndo() {
    if undo?.cleared.isEmpty == false { return }
    rollBack()
    var before = self
    before.commits = []
    undo = Undo(header: nil, schema: [:], rowCount: 0, damaged: [], cleared: [before])
  }

  /// The index of the first row that fulfils the condition, or the end. If a row fulfils it, all later ones must too.
  private func firstRow(where isSo: (Row) -> Bool) -> Int {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if isSo(rows[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The record of a row; nil if it has changed since.
  private func current(_ row: Row) -> StoredRecord? {
    guard let record = records[row.name], record.sequence == row.sequence else { return nil }
    return record
  }

  private mutating func put(_ record: StoredRecord?, named name: Name) {
    let before = records.updateOrRemove(record, named: name)
    let held = before?.references ?? []
    let holds = record?.references ?? []
    guard held != holds else { return }
    for reference in held { incoming[reference.target]?.take(reference) }
    for reference in holds { incoming[reference.target, default: []].insert(reference) }
  }

  private mutating func define(_ definition: FieldDefinition) {
    var definitions = schema[definition.recordType] ?? []
    definitions.removeAll { $0.field == definition.field }
    let place = definitions.firstIndex { $0.field > definition.field } ?? definitions.count
    definitions.insert(definition, at: place)
    schema[definition.recordType] = definitions
  }
}

extension FeedQuery {
  fileprivate func takes(_ record: StoredRecord) -> Bool {
    guard !record.isDeleted else { return hasTombstones }
    guard let recordTypes else { return true }
    return recordTypes.contains(record.recordType)
  }
}

extension [Name: StoredRecord] {
  /// Adds or replaces a record; removes the one of that name if nil. Returns the previous one.
  fileprivate mutating func updateOrRemove(_ record: StoredRecord?, named name: Name) -> StoredRecord? {
    guard let record else { return removeValue(forKey: name) }
    return updateValue(record, forKey: name)
  }
}

extension [StoredReference] {
  fileprivate mutating func insert(_ reference: StoredReference) {
    insert(reference, at: place(of: reference))
  }

  fileprivate mutating func take(_ reference: StoredReference) {
    let index = place(of: reference)
    if index < count, self[index].source == reference.source, self[index].field == reference.field {
      remove(at: index)
    }
  }

  /// The index at which a reference is or has to be inserted, in a list in ascending order of source and field.
  private func place(of reference: StoredReference) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if (self[middle].source, self[middle].field) < (reference.source, reference.field) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
