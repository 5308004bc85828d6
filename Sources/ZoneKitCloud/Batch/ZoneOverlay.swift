import ZoneKitRecords

/// A zone as it would be after some changes that are not staged yet: reads see the changes, and `transition` hands them
/// over.
struct ZoneOverlay {
  private let content: ZoneContent
  private(set) var header: ZoneHeader
  private var records: [Name: StoredRecord] = [:]
  /// What was put in, in order of its sequence; a record that was put in again counts at its last place only.
  private var order: [(name: Name, sequence: Int64)] = []
  /// References held by records of the overlay, by their targets; those of records that changed again are passed over.
  private var references: [Name: [StoredReference]] = [:]
  private var schemas: [Name: [FieldDefinition]] = [:]
  private var definitions: [FieldDefinition] = []
  /// How many records would be deleted with a target, as far as somebody asked.
  private var dependentCounts: [Name: Int] = [:]

  /// The zone as it was read, with the header in which changes are counted.
  init(content: ZoneContent, header: ZoneHeader) {
    self.content = content
    self.header = header
  }

  /// The changes, or nil where there are none.
  var changes: (records: [StoredRecord], definitions: [FieldDefinition])? {
    guard !order.isEmpty else { return nil }
    return (order.compactMap { current($0) }, definitions)
  }

  /// The record of that name, unless it is deleted or never was.
  func live(_ name: Name) throws(EvaluationFailure) -> StoredRecord? {
    let record = try latest(name)
    return record?.isDeleted == false ? record : nil
  }

  /// The content of a record.
  func fields(of record: StoredRecord) throws(EvaluationFailure) -> Fields {
    do { return try record.fields.decoded() } catch { throw .unreadable(error) }
  }

  /// Reads all at once what the deletion of these records needs.
  func requireDeletable(_ names: [Name]) throws(EvaluationFailure) {
    let unchanged = names.filter { records[$0] == nil }
    try content.require([.records(unchanged, in: content.key), .references(to: names, in: content.key)])
  }

  /// The live records that hold a reference that binds to the named one, ascending by name, then field.
  func references(to target: Name) throws(EvaluationFailure) -> [StoredReference] {
    let stored = try content.references(to: target).filter { records[$0.source] == nil }
    let added = (references[target] ?? []).filter { records[$0.source]?.references.contains($0) == true }
    guard !added.isEmpty else { return stored }
    return (stored + added).sorted { ($0.source, $0.field) < ($1.source, $1.field) }
  }

  /// How many records would be deleted with the named one, at one remove.
  mutating func dependentCount(of target: Name) throws(EvaluationFailure) -> Int {
    if let count = dependentCounts[target] { return count }
    let sources = try references(to: target).filter { $0.action == .deleteSelf }.map(\.source)
    let count = sources.indices.count { $0 == 0 || sources[$0 - 1] != sources[$0] }
    dependentCounts[target] = count
    return count
  }

  /// The field definitions of a record type, ascending by field.
  mutating func schema(of recordType: Name) throws(EvaluationFailure) -> [FieldDefinition] {
    if let schema = schemas[recordType] { return schema }
    let schema = try content.schema(of: recordType)
    schemas[recordType] = schema
    return schema
  }

  /// Takes in field definitions of one record type, whose schema was read before.
  mutating func define(_ new: [FieldDefinition]) {
    guard let recordType = new.first?.recordType else { return }
    let fields = new.map(\.field)
    let kept = (schemas[recordType] ?? []).filter { !fields.contains($0.field) }
    schemas[recordType] = (kept + new).sorted { $0.field < $1.field }
    definitions.removeAll { $0.recordType == recordType && fields.contains($0.field) }
    definitions += new
  }

  /// Puts a record or tombstone in, at the zone's next sequence, and returns it as it is kept.
  @discardableResult
  mutating func put(_ new: StoredRecord) throws(EvaluationFailure) -> StoredRecord {
    let before = try latest(new.recordName)
    count(before, by: -1)
    count(new, by: 1)
    countDependents(of: before, by: -1)
    countDependents(of: new, by: 1)
    header.sequence += 1
    var new = new
    new.sequence = header.sequence
    records[new.recordName] = new
    order.append((new.recordName, new.sequence))
    for reference in new.references { references[reference.target, default: []].append(reference) }
    return new
  }

  /// Puts the tombstone of a record in.
  mutating func bury(_ record: StoredRecord, by author: Authorship) throws(EvaluationFailure) {
    var tombstone = record
    tombstone.isDeleted = true
    tombstone.fields = .empty
    tombstone.references = []
    tombstone.parent = nil
    tombstone.modified = author
    try put(tombstone)
  }

  private func latest(_ name: Name) throws(EvaluationFailure) -> StoredRecord? {
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
  /// The records with which this one is deleted, each once.
  var deleteSelfTargets: [Name] {
    let targets = references.filter { $0.action == .deleteSelf }.map(\.target).sorted()
    return targets.indices.filter { $0 == 0 || targets[$0 - 1] != targets[$0] }.map { targets[$0] }
  }
}
