import ZoneKitRecords

/// One evaluation of a batch's operations.
struct BatchTrial {
  let batch: Batch
  var overlay: ZoneOverlay
  /// The records that were deleted because the record to which they refer was deleted.
  private var cascaded: Set<Name> = []
  /// The conditions on references that are checked after all operations, by operation.
  private var demands: [(operation: Int, demand: Demand)] = []

  /// A condition that follows from a VALIDATE reference (CloudKit Web Services, b.5).
  private enum Demand {
    /// The targets of the record's references exist. Checked only if no later operation changes the record.
    case targetsExist(StoredRecord, targets: [StoredReference])
    /// No existing record refers to the deleted record.
    case nobodyRefers(to: Name)
    /// The parent of the record exists: in a zone with shares it decides who sees the record.
    case parentExists(StoredRecord, Name)

    /// The records that have to exist.
    var targets: [Name] {
      switch self {
      case .targetsExist(_, let targets): targets.map(\.target)
      case .nobodyRefers: []
      case .parentExists(_, let parent): [parent]
      }
    }
  }

  init(batch: Batch) {
    self.batch = batch
    overlay = ZoneOverlay(content: batch.content, header: batch.header)
  }

  /// Evaluates the operations in order, except those already refused. Throws only if something cannot be read.
  mutating func results(refusing refused: [Int: CloudError]) throws(EvaluationFailure) -> [RecordResult] {
    var results: [RecordResult] = []
    for (index, operation) in batch.operations.enumerated() {
      do throws(EvaluationFailure) {
        if let error = refused[index] { throw .refused(error) }
        results.append(try result(of: operation, at: index))
      } catch {
        results.append(.failed(operation.recordName, try error.ofItem()))
      }
    }
    return results
  }

  /// The operations whose conditions on references do not hold, with their errors.
  func brokenReferences() throws(EvaluationFailure) -> [(operation: Int, error: CloudError)] {
    try overlay.require(demands.flatMap { $0.demand.targets })
    var broken: [(operation: Int, error: CloudError)] = []
    for (operation, demand) in demands where broken.last?.operation != operation {
      if let error = try violation(of: demand) { broken.append((operation, error)) }
    }
    return broken
  }

  private mutating func result(of operation: RecordOperation, at index: Int) throws(EvaluationFailure) -> RecordResult {
    guard let name = operation.recordName, name.hasLegalLength else {
      throw .refused(.invalidArguments, "a record name has 1 to \(Name.lengthLimit) characters")
    }
    switch operation.kind {
    case .create, .update, .forceUpdate, .replace, .forceReplace:
      let isAllowed = name.isReserved ? try isOwnUserRecord(name) : true
      guard isAllowed else {
        throw .refused(.invalidArguments, "record name \(name) begins with _, which only names of the cloud do")
      }
      if try overlay.savesShare(operation, name) {
        return .record(try overlay.saveShare(operation, named: name, in: batch).record)
      }
      try checkAccess(to: operation, named: name)
      let saved = try overlay.save(operation, named: name, in: batch)
      if overlay.header.sharing != nil, case .set(let parent) = operation.parent {
        demands.append((index, .parentExists(saved.record, parent)))
      }
      let targets = saved.validated
      if !targets.isEmpty { demands.append((index, .targetsExist(saved.record, targets: targets))) }
      return .record(saved.record.record)
    case .delete, .forceDelete:
      try delete(operation, named: name, at: index)
      return .deleted(name, try overlay.latest(name).map { ChangeTag(sequence: $0.sequence) })
    }
  }

  /// Deletes a record and all records that refer to it with DELETE_SELF. If an earlier operation already deleted it
  /// that way, the operation succeeds: a client that deletes a parent and its child in one request need not order them.
  private mutating func delete(_ operation: RecordOperation, named name: Name, at index: Int) throws(EvaluationFailure)
  {
    guard let record = try overlay.live(name) else {
      if operation.kind == .forceDelete || cascaded.contains(name) { return }
      throw try overlay.missing(operation)
    }
    guard !batch.isOfUsers || !name.isReserved else {
      throw .refused(.permissionFailure, "record \(name) is of a user and cannot be deleted")
    }
    if isLeaving(record) { return try overlay.leaveShare(record, in: batch) }
    try checkAccess(to: operation, named: name)
    try batch.access.check(.write, on: record.recordType, madeBy: record.created.author.userRecordName)
    if operation.kind == .delete, !isAccepted(operation.changeTag, for: record) {
      throw .refused(.serverRecordChanged, "client oplock error updating record")
    }
    try overlay.requireDependents(of: [name], by: .deleteSelf)
    var doomed = [record]
    while let next = doomed.popLast() {
      // It may already be deleted because of another reference.
      guard let live = try overlay.live(next.recordName) else { continue }
      try overlay.bury(live, by: batch.author)
      demands.append((index, .nobodyRefers(to: live.recordName)))
      cascaded.insert(live.recordName)
      // A share ends with the record that it shares.
      if let share = overlay.header.sharing?.share(of: live.recordName), let ended = try overlay.live(share) {
        doomed.append(ended)
      }
      let dependents = try overlay.references(to: live.recordName).filter { $0.action == .deleteSelf }.map(\.source)
      // Those that earlier operations made dependent were not read with the others.
      try overlay.requireDependents(of: dependents, by: .deleteSelf)
      for name in dependents.reversed() {
        if let dependent = try overlay.live(name) { doomed.append(dependent) }
      }
    }
  }

  /// Whether the caller leaves a share: a participant deletes its record.
  private func isLeaving(_ record: StoredRecord) -> Bool {
    batch.zoneAccess.grants?.contains { $0.share == record.recordName } ?? false
  }

  /// Checks that the caller may change a record, before and after the operation. A participant of a share changes only
  /// what is shared, and adds records below that.
  private func checkAccess(to operation: RecordOperation, named name: Name) throws(EvaluationFailure) {
    guard let grants = batch.zoneAccess.grants else { return }
    let before = try overlay.live(name)
    if let before, try permission(on: name, below: before.parent) == .none {
      throw operation.kind == .create
        ? .refused(.permissionFailure, "record name \(name) is taken in the owner's zone")
        : .refused(.unknownItem, "did not find record \(name)")
    }
    if before == nil, !operation.kind.isCreating { return }
    if operation.kind.isDeletion {
      guard !grants.contains(where: { $0.root == name }) else {
        throw .refused(
          .permissionFailure, "record \(name) is shared and its owner's to delete; leave the share instead")
      }
    } else {
      guard try permission(on: name, below: operation.parent(after: before)) == .readWrite else {
        throw .refused(
          .permissionFailure,
          "record \(name) would not be below a record that is shared with READ_WRITE; give it such a parent")
      }
    }
    guard let before else { return }
    guard try permission(on: name, below: before.parent) == .readWrite else {
      throw .refused(.permissionFailure, "record \(name) is shared for reading only")
    }
  }

  private func permission(on name: Name, below parent: Name?) throws(EvaluationFailure) -> SharePermission {
    try batch.zoneAccess.permission(on: name, below: parent, overlay.latest)
  }

  /// Whether a tag permits to delete a record. Without one a lenient cloud does (CloudKit Web Services, i.6).
  private func isAccepted(_ tag: ChangeTag?, for record: StoredRecord) -> Bool {
    guard let tag else { return !batch.containerTypes.policy.strictness.contains(.taggedDeletes) }
    return tag == record.record.changeTag
  }

  /// Whether it is the record that the cloud made of the caller, who may change its fields.
  private func isOwnUserRecord(_ name: Name) throws(EvaluationFailure) -> Bool {
    guard batch.isOfUsers, name == batch.caller.userRecordName else { return false }
    return try overlay.live(name)?.recordType == UserDirectory.publicType
  }

  private func violation(of demand: Demand) throws(EvaluationFailure) -> CloudError? {
    switch demand {
    case .targetsExist(let record, let targets):
      guard try overlay.live(record.recordName)?.sequence == record.sequence else { return nil }
      for reference in targets where try overlay.live(reference.target) == nil {
        return CloudError(
          .referenceViolation,
          "field \(reference.field) of record \(reference.source) refers to \(reference.target), which does not exist")
      }
      return nil
    case .parentExists(let record, let parent):
      guard try overlay.live(record.recordName)?.sequence == record.sequence, try overlay.live(parent) == nil else {
        return nil
      }
      return CloudError(
        .referenceViolation, "the parent \(parent) of record \(record.recordName) does not exist")
    case .nobodyRefers(let name):
      guard try overlay.live(name) == nil,
        let reference = try overlay.references(to: name).first(where: { $0.action == .validate })
      else { return nil }
      return CloudError(
        .referenceViolation,
        "record \(name) cannot be deleted: field \(reference.field) of record \(reference.source) refers to it")
    }
  }
}
