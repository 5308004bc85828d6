import ZoneKitRecords

/// A zone with changes that are not staged yet. Reads see the changes, and `transition` returns them.
package struct ZoneOverlay {
  let content: ZoneContent
  /// The zone's header, with the changes.
  package private(set) var header: ZoneHeader
  /// The time of the last change before these.
  private let lastCommitAt: WallTime
  private var records: [Name: StoredRecord] = [:]
  /// The changed records in order of their sequences. A record that was changed again counts at its last place only.
  private var order: [(name: Name, sequence: Int64)] = []
  /// The references in changed records, by target. References of a record that was changed again are ignored.
  private var references: [Name: [StoredReference]] = [:]
  private var schemas: [Name: [FieldDefinition]] = [:]
  private var definitions: [FieldDefinition] = []
  /// The record types of which the container was asked, each once.
  private(set) var consultedTypes: [Name] = []
  /// How much was changed, in records; the text of fields counts too.
  private(set) var effort = 0
  /// The number of records that would be deleted with a target, as far as it was computed.
  private var dependentCounts: [Name: Int] = [:]

  /// The bytes of fields that are as much effort as a record itself.
  private static let bytesPerRecord = 4 << 10

  /// An overlay without changes.
  package init(content: ZoneContent, header: ZoneHeader) {
    self.content = content
    self.header = header
    lastCommitAt = header.lastCommitAt
  }

  /// The zone.
  package var key: ZoneKey { content.key }

  /// The changes; nil if there are none.
  package var changes: (records: [StoredRecord], definitions: [FieldDefinition])? {
    guard !order.isEmpty else { return nil }
    return (order.compactMap { current($0) }, definitions)
  }

  /// The record of that name; nil if it is deleted or never existed.
  package func live(_ name: Name) throws(EvaluationFailure) -> StoredRecord? {
    let record = try latest(name)
    return record?.isDeleted == false ? record : nil
  }

  /// Whether there is neither a record nor a tombstone of that name.
  func isUnknown(_ name: Name) throws(EvaluationFailure) -> Bool { try latest(name) == nil }

  /// The content of a record.
  func fields(of record: StoredRecord) throws(EvaluationFailure) -> Fields {
    try record.decodedFields()
  }

  /// Requires records, whether they exist or not, so that they are read at once.
  package func require(_ names: [Name]) throws(EvaluationFailure) {
    try content.require([.records(names.filter { records[$0] == nil }, in: content.key)])
  }

  /// Requires everything that a change of these records and of all that depend on them has to read.
  package func requireDependents(of names: [Name], by dependence: Dependence) throws(EvaluationFailure) {
    try content.require([.dependents(of: names, by: dependence, in: content.key)])
  }

  /// The live records with a binding reference to the named record, in ascending order of name and field.
  package func references(to target: Name) throws(EvaluationFailure) -> [StoredReference] {
    let stored = try content.references(to: target).filter { records[$0.source] == nil }
    let added = (references[target] ?? []).filter { records[$0.source]?.references.contains($0) == true }
    guard !added.isEmpty else { return stored }
    return (stored + added).sorted { ($0.source, $0.field) < ($1.source, $1.field) }
  }

  /// The number of records with a DELETE_SELF reference to the named record.
  mutating func dependentCount(of target: Name) throws(EvaluationFailure) -> Int {
    if let count = dependentCounts[target] { return count }
    let sources = try references(to: target).filter { $0.action == .deleteSelf }.map(\.source)
    let count = sources.indices.count { $0 == 0 || sources[$0 - 1] != sources[$0] }
    dependentCounts[target] = count
    return count
  }

  /// The field definitions of a record type, in ascending order of the field names.
  package mutating func schema(of recordType: Name) throws(EvaluationFailure) -> [FieldDefinition] {
    if let schema = schemas[recordType] { return schema }
    let schema = try content.schema(of: recordType)
    schemas[recordType] = schema
    return schema
  }

  /// The container was asked for a record type.
  mutating func noteConsulted(_ recordType: Name) {
    if !consultedTypes.contains(recordType) { consultedTypes.append(recordType) }
  }

  /// Adds field definitions of one record type, whose schema was read before.
  package mutating func define(_ new: [FieldDefinition]) {
    guard let recordType = new.first?.recordType else { return }
    let fields = new.map(\.field)
    let kept = (schemas[recordType] ?? []).filter { !fields.contains($0.field) }
    schemas[recordType] = (kept + new).sorted { $0.field < $1.field }
    definitions.removeAll { $0.recordType == recordType && fields.contains($0.field) }
    definitions += new
  }

  /// Saves a record or tombstone with the zone's next sequence and the record's next version, and returns it as it is
  /// stored.
  @discardableResult
  package mutating func put(_ new: StoredRecord) throws(EvaluationFailure) -> StoredRecord {
    let before = try latest(new.recordName)
    count(before, by: -1)
    count(new, by: 1)
    countDependents(of: before, by: -1)
    countDependents(of: new, by: 1)
    header.begin(content.run, after: lastCommitAt, at: new.modified.at)
    header.sequence += 1
    if header.sharing != nil { noteHierarchy(of: new, replacing: before) }
    effort += 1 + new.fields.utf8.count / Self.bytesPerRecord
    var new = new
    new.sequence = header.sequence
    new.version = (before?.version ?? 0) + (new.isDeleted ? 0 : 1)
    records[new.recordName] = new
    order.append((new.recordName, new.sequence))
    for reference in new.references { references[reference.target, default: []].append(reference) }
    return new
  }

  /// The time of the next change of a zone whose times rise with its sequences: now, or a millisecond after the newest.
  package mutating func nextStamp(at now: WallTime) -> WallTime {
    header.lastCommitAt = max(now, header.lastCommitAt.advanced(byMilliseconds: 1))
    return header.lastCommitAt
  }

  /// Participants of shares see other records if a record moves, and if a share ends.
  private mutating func noteHierarchy(of new: StoredRecord, replacing before: StoredRecord?) {
    let moves =
      if let before { !new.isDeleted && before.parent != new.parent } else {
        header.sharing?.missingParents.remove(new.recordName) != nil
      }
    if moves { header.sharing?.epoch = header.sequence }
    if new.isDeleted, new.recordType == Share.recordType {
      header.sharing?.entries.removeAll { $0.share == new.recordName }
      header.sharing?.epoch = header.sequence
    }
  }

  /// A zone without shares gets its first. Reads the whole zone, once.
  mutating func beginSharing() throws(EvaluationFailure) {
    guard header.sharing == nil else { return }
    let page = try content.feed(.whole).page
    var known = Set(page.rows.map { Name(page.text($0.name)) })
    var parents = Set(page.rows.compactMap(page.parent))
    known.formUnion(records.keys)
    parents.formUnion(records.values.compactMap(\.parent))
    header.sharing = ZoneSharing()
    header.sharing?.missingParents = parents.subtracting(known)
  }

  /// A share was saved, as the last change.
  mutating func noteShare(_ entry: ZoneSharing.Entry, changesMembers: Bool) {
    var sharing = header.sharing ?? ZoneSharing()
    sharing.entries.removeAll { $0.share == entry.share }
    sharing.entries.append(entry)
    sharing.entries.sort { $0.share < $1.share }
    if changesMembers { sharing.epoch = header.sequence }
    header.sharing = sharing
  }

  /// Replaces a record by its tombstone, which keeps the parent: the record stays in its hierarchy.
  package mutating func bury(_ record: StoredRecord, by author: Authorship) throws(EvaluationFailure) {
    var tombstone = record
    tombstone.isDeleted = true
    tombstone.fields = .empty
    tombstone.references = []
    tombstone.modified = author
    try put(tombstone)
  }

  /// The record or tombstone of that name; nil if there is neither.
  package func latest(_ name: Name) throws(EvaluationFailure) -> StoredRecord? {
    if let record = records[name] { return record }
    return try content.record(name)
  }

  private func current(_ place: (name: Name, sequence: Int64)) -> StoredRecord? {
    let record = records[place.name]
    return record?.sequence == place.sequence ? record : nil
  }

  private mutating func count(_ record: StoredRecord?, by step: Int) {
    guard let record else { return }
    if record.isDeleted { header.tombstoneCount += step } else { header.recordCount += step }
  }

  private mutating func countDependents(of record: StoredRecord?, by step: Int) {
    for target in record?.deleteSelfTargets ?? [] { dependentCounts[target]? += step }
  }
}

extension StoredRecord {
  /// The records whose deletion also deletes this one, each once.
  var deleteSelfTargets: [Name] {
    let targets = references.filter { $0.action == .deleteSelf }.map(\.target).sorted()
    return targets.indices.filter { $0 == 0 || targets[$0 - 1] != targets[$0] }.map { targets[$0] }
  }
}
