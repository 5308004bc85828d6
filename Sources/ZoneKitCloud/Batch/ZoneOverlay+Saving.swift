import ZoneKitRecords

extension ZoneOverlay {
  /// A record after an operation.
  struct Saved {
    var record: StoredRecord
    /// Its VALIDATE references within the zone.
    var validated: [StoredReference]
  }

  /// The limit of a record's field text in bytes (CloudKit Web Services, g: 1 MB).
  static var recordSizeLimit: Int { 1 << 20 }

  /// Performs the operation's save. If it throws, nothing was changed.
  mutating func save(
    _ operation: RecordOperation, named name: Name, in batch: Batch
  ) throws(EvaluationFailure) -> Saved {
    let before = try live(name)
    try check(operation, against: before)
    let recordType = try recordType(operation, of: before)
    try batch.access.check(
      before == nil ? .create : .write, on: recordType, madeBy: (before?.created ?? batch.author).author.userRecordName)
    let base = try fields(before: operation, of: before)
    var rules = FieldRules(
      recordType: recordType, schema: try schema(of: recordType), container: batch.containerTypes)
    defer { if rules.isConsulted { noteConsulted(recordType) } }
    let (fields, definitions) = try rules.applying(try changes(of: operation, named: name, to: before), to: base)
    let references = try bindingReferences(of: fields, from: name, isWithinZone: batch.isWithinZone)
    let record = StoredRecord(
      recordName: name, recordType: recordType, fields: EncodedFields(fields), sequence: 0,
      created: before?.created ?? batch.author, modified: batch.author, parent: operation.parent(after: before),
      references: references.distinct)
    try checkSize(record)
    try checkDependents(record, replacing: before, limit: batch.limits.dependents)
    let kept = try put(record)
    define(definitions)
    return Saved(record: kept, validated: references.filter { $0.action == .validate })
  }

  /// The changes of fields, in which each asset is one that the record can have.
  private func changes(
    of operation: RecordOperation, named name: Name, to before: StoredRecord?
  ) throws(EvaluationFailure) -> [NamedFieldChange] {
    guard AssetRules.apply(to: operation.fields) else { return operation.fields }
    let held = if let before { try fields(of: before) } else { Fields() }
    return try AssetRules(recordName: name, before: held, content: content).settled(operation.fields)
  }

  /// The fields to which the operation's changes are applied.
  private func fields(before operation: RecordOperation, of record: StoredRecord?) throws(EvaluationFailure) -> Fields {
    guard operation.kind.keepsFields, let record else { return Fields() }
    return try fields(of: record)
  }

  /// Checks the operation and its change tag against the present record (CloudKit Web Services, c.1).
  func check(_ operation: RecordOperation, against before: StoredRecord?) throws(EvaluationFailure) {
    switch operation.kind {
    case .create:
      guard before == nil else { throw .refused(.serverRecordChanged, "record to insert already exists") }
    case .update, .replace:
      guard let before else { throw try missing(operation) }
      guard operation.changeTag == before.record.changeTag else {
        throw .refused(.serverRecordChanged, "client oplock error updating record")
      }
    case .forceUpdate, .forceReplace, .delete, .forceDelete: break
    }
  }

  /// The failure to change a record that does not exist.
  func missing(_ operation: RecordOperation) throws(EvaluationFailure) -> EvaluationFailure {
    let name = operation.recordName ?? ""
    return .refused(CloudError(missing: name, isUnknown: try isUnknown(name), in: header, base: operation.changeTag))
  }

  private func recordType(_ operation: RecordOperation, of before: StoredRecord?) throws(EvaluationFailure) -> Name {
    guard let named = operation.recordType else {
      guard let before else {
        throw .refused(.invalidArguments, "a record that is created needs a recordType")
      }
      return before.recordType
    }
    if let before, before.recordType != named {
      throw .refused(
        .invalidArguments, "record \(before.recordName) is of type \(before.recordType) and cannot become \(named)")
    }
    guard named.isIdentifier else { throw .refused(.unknownItem, "did not find record type: \(named)") }
    return named
  }

  /// The binding references, in ascending order of field and target. Only records of the same zone can be targets.
  private func bindingReferences(
    of fields: Fields, from source: Name, isWithinZone: (ZoneID) -> Bool
  ) throws(EvaluationFailure) -> [StoredReference] {
    var found: [StoredReference] = []
    for field in fields.sorted {
      for reference in field.value.references where reference.action != .none {
        if let zoneID = reference.zoneID, !isWithinZone(zoneID) {
          throw .refused(
            .invalidArguments,
            "field \(field.name) refers to zone \(zoneID.zoneName) with action "
              + "\(reference.action.rawValue); across zones only NONE is possible")
        }
        found.append(
          StoredReference(source: source, field: field.name, target: reference.recordName, action: reference.action))
      }
    }
    return found
  }

  private func checkSize(_ record: StoredRecord) throws(EvaluationFailure) {
    let size = record.fields.utf8.count
    guard size <= Self.recordSizeLimit else {
      throw .refused(
        .limitExceeded,
        "record \(record.recordName) has \(size) bytes of fields, at most \(Self.recordSizeLimit) are allowed")
    }
  }

  /// Checks the limit of dependents for each target. A record that already refers to a target does not count again.
  private mutating func checkDependents(
    _ record: StoredRecord, replacing before: StoredRecord?, limit: Int?
  ) throws(EvaluationFailure) {
    guard let limit else { return }
    let held = before?.deleteSelfTargets ?? []
    for target in record.deleteSelfTargets where !held.contains(target) {
      guard try dependentCount(of: target) < limit else {
        throw .refused(
          .limitExceeded, "record \(target) is the target of \(limit) DELETE_SELF references already")
      }
    }
  }
}

extension RecordOperation.Kind {
  /// Whether it creates a record that does not exist.
  var isCreating: Bool {
    switch self {
    case .create, .forceUpdate, .forceReplace: true
    case .update, .replace, .delete, .forceDelete: false
    }
  }

  /// Whether a save keeps the fields that it does not mention.
  fileprivate var keepsFields: Bool {
    switch self {
    case .update, .forceUpdate: true
    case .create, .replace, .forceReplace, .delete, .forceDelete: false
    }
  }
}

extension RecordOperation {
  /// The parent after a save.
  func parent(after before: StoredRecord?) -> Name? {
    switch parent {
    case .keep: kind.keepsFields ? before?.parent : nil
    case .set(let name): name
    case .clear: nil
    }
  }
}

extension [StoredReference] {
  /// The references in order, one for each field and target. If a field has both actions for a target, DELETE_SELF is
  /// kept.
  fileprivate var distinct: [StoredReference] {
    let ordered = sorted { ($0.field, $0.target, $0.action.rawValue) < ($1.field, $1.target, $1.action.rawValue) }
    return ordered.indices.filter { index in
      index == 0
        || (ordered[index - 1].field, ordered[index - 1].target) != (ordered[index].field, ordered[index].target)
    }.map { ordered[$0] }
  }
}
