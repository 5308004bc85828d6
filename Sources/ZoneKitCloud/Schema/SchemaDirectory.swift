import ZoneKitRecords

/// The schema of an environment of a container: the record types and the types of their fields, for all users, databases and
/// zones. It grows by use (CloudKit Web Services, b.4 and i.25).
///
/// Each zone keeps the definitions that its own records use, and these are asked first, so that a save of known fields
/// reads nothing else. The first use of a type or field in a zone reads the directory. What is new to the container is
/// written there, and the zone's change is committed after it (`ZoneTransition.after`), so that no zone has a definition
/// that the container lacks.
///
/// The directory is a zone of the public database that no request reaches and no list names. It has a record for each record
/// type, whose name is that of the type and whose fields have the names of their types.
package struct SchemaDirectory: Hashable, Sendable {
  /// The zone.
  package let zone: ZoneKey

  /// The name of the zone in each public database.
  static let zoneName: Name = "_schema"
  /// The type of its records.
  static let recordType: Name = "RecordType"

  /// The directory of the container and environment of a database.
  package init(of database: DatabaseID) {
    zone = ZoneKey(database: database.public, zoneName: Self.zoneName)
  }
}

/// The record types of a container, as far as they were read. Which of them an evaluation needs is known only in the middle
/// of it, so the evaluation notes afterwards whether it read any.
struct ContainerTypes {
  /// The zone of the directory.
  let content: ZoneContent
  /// The rules that are strict, and the schema if it does not grow.
  let policy: CloudPolicy

  /// Whether a save adds no type and no field.
  var isFixed: Bool { policy.schema != nil || policy.strictness.contains(.fixedSchema) }

  /// The definitions of a record type's fields, in ascending order of the fields; nil if the container lacks the type.
  func definitions(of recordType: Name) throws(EvaluationFailure) -> [FieldDefinition]? {
    if let schema = policy.schema { return schema.definitions(of: recordType) }
    do throws(EvaluationFailure) {
      try content.require([.zone(content.key), .records([recordType], in: content.key)])
    } catch {
      guard case .absent(let needs) = error else { throw error }
      // What a change of the schema needs is read with it, so that the evaluation starts again once.
      throw .absent(needs + [.database(content.key.database)])
    }
    // Each user has a record of that type before anybody saves one.
    return try content.definitions(of: recordType) ?? (recordType == UserDirectory.publicType ? [] : nil)
  }
}

extension ZoneContent {
  /// The definitions of a record type in the directory of a container; nil if it has none.
  fileprivate func definitions(of recordType: Name) throws(EvaluationFailure) -> [FieldDefinition]? {
    guard let record = try record(recordType), !record.isDeleted else { return nil }
    return try record.decodedFields().sorted.compactMap { field in
      field.value.text.flatMap { FieldType(rawValue: $0) }.map {
        FieldDefinition(recordType: recordType, field: field.name, type: $0)
      }
    }
  }
}

extension ZoneOverlay {
  /// Adds a record type and fields to a directory. A field that it has keeps its type, unless that is the one of a list whose
  /// elements were not known.
  mutating func add(
    _ recordType: Name, _ definitions: [FieldDefinition], by author: Authorship
  ) throws(EvaluationFailure) {
    let before = try live(recordType)
    let known = if let before { try fields(of: before) } else { Fields() }
    var fields = known
    for definition in definitions {
      let type = fields[definition.field]?.text
      if type == nil || type == FieldType.unknownList.rawValue {
        fields[definition.field] = .string(definition.type.rawValue)
      }
    }
    guard before == nil || fields != known else { return }
    try put(
      StoredRecord(
        recordName: recordType, recordType: SchemaDirectory.recordType, fields: EncodedFields(fields), sequence: 0,
        created: before?.created ?? author, modified: author, parent: nil, references: []))
  }
}

extension Evaluation {
  /// The record types of the container, for `Batch`.
  var containerTypes: ContainerTypes {
    ContainerTypes(content: reader.peek(SchemaDirectory(of: database).zone), policy: policy)
  }

  /// The change of the container's schema by the record types of a batch that their zone did not know wholly; nil if the
  /// container has them all. `state` is that of the public database.
  mutating func schemaChange(
    by verdict: Batch.Verdict, state: inout DatabaseState, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome.ZoneChange? {
    let types = verdict.consultedTypes.filter { type in
      verdict.records.contains { !$0.isDeleted && $0.recordType == type }
    }
    guard !types.isEmpty else { return nil }
    let zone = SchemaDirectory(of: database).zone
    try reader.content(of: zone).require([.zone(zone), .records(types, in: zone)])
    var directory = try ZoneOverlay(of: zone, at: now, reading: &reader, using: &generator)
    let author = Authorship(at: now, author: Author(caller))
    for type in types {
      try directory.add(type, verdict.definitions.filter { $0.recordType == type }, by: author)
    }
    guard let changes = directory.changes else { return nil }
    let transition = try reader.transition(
      to: directory.header, of: zone, at: max(now, directory.header.lastCommitAt), records: changes.records,
      definitions: [], state: &state)
    return Outcome.ZoneChange(key: zone, transition: transition, notice: nil, isTold: false, mayStay: true)
  }

  /// The definitions that a query needs, and whether the container has its record type. The container is asked for what the
  /// zone lacks; without a zone, for all.
  mutating func schema(
    for query: CloudQuery, in zone: ZoneKey?
  ) throws(EvaluationFailure) -> (definitions: [FieldDefinition], isKnown: Bool) {
    if let schema = policy.schema {
      let definitions = schema.definitions(of: query.recordType)
      return (definitions ?? [], definitions != nil)
    }
    let own = if let zone { try reader.content(of: zone).schema(of: query.recordType) } else { [FieldDefinition]() }
    let lacks = query.fields.contains { name in !own.contains { $0.field == name && $0.type != .unknownList } }
    guard own.isEmpty || lacks else { return (own, true) }
    _ = reader.content(of: SchemaDirectory(of: database).zone)
    guard let all = try containerTypes.definitions(of: query.recordType) else { return (own, !own.isEmpty) }
    return (own.completed(by: all), true)
  }
}

extension [FieldDefinition] {
  /// The definitions, in ascending order of their fields, with those of others that lack here.
  fileprivate func completed(by others: [FieldDefinition]) -> [FieldDefinition] {
    let exact = filter { $0.type != .unknownList }
    let added = others.filter { other in !exact.contains { $0.field == other.field } }
    let vague = filter { own in own.type == .unknownList && !others.contains { $0.field == own.field } }
    return (exact + added + vague).sorted { $0.field < $1.field }
  }
}

extension CloudQuery {
  /// The fields that it compares or orders by.
  var fields: [Name] {
    (filters.compactMap(\.key) + sort.map(\.key)).compactMap { key in
      if case .field(let name) = key { name } else { nil }
    }
  }
}
