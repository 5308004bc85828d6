import ZoneKitRecords

/// One go at a batch's operations.
struct BatchTrial {
  let batch: Batch
  var overlay: ZoneOverlay
  /// Records that went with one that an operation deleted.
  private var cascaded: Set<Name> = []
  /// What has to be true of references once all operations are done, by operation.
  private var demands: [(operation: Int, demand: Demand)] = []

  /// What a VALIDATE reference demands (CloudKit Web Services, b.5).
  private enum Demand {
    /// The targets of the record's references are there, as long as the record is as the operation left it.
    case targetsExist(StoredRecord, targets: [StoredReference])
    /// Nobody that is still there refers to the record that was deleted.
    case nobodyRefers(to: Name)
  }

  init(batch: Batch) {
    self.batch = batch
    overlay = ZoneOverlay(content: batch.content, header: batch.header)
  }

  /// Tries the operations in order, except those refused already. Throws only what a read does.
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

  /// The operations whose demands on references are not met in the end, and why.
  func brokenReferences() throws(EvaluationFailure) -> [(operation: Int, error: CloudError)] {
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
      let saved = try overlay.save(operation, named: name, in: batch)
      let targets = saved.validated
      if !targets.isEmpty { demands.append((index, .targetsExist(saved.record, targets: targets))) }
      return .record(saved.record.record)
    case .delete, .forceDelete:
      try delete(operation, named: name, at: index)
      return .deleted(name)
    }
  }

  /// Deletes a record and, over DELETE_SELF references, all that go with it. Deleting a record that went that way before
  /// succeeds: a client that deletes parent and child in one request need not know their order.
  private mutating func delete(_ operation: RecordOperation, named name: Name, at index: Int) throws(EvaluationFailure)
  {
    guard let record = try overlay.live(name) else {
      if operation.kind == .forceDelete || cascaded.contains(name) { return }
      throw .refused(.unknownItem, "did not find record \(name)")
    }
    if operation.kind == .delete, let tag = operation.changeTag, tag != record.record.changeTag {
      throw .refused(.serverRecordChanged, "client oplock error updating record")
    }
    var doomed = [record]
    while let next = doomed.popLast() {
      // Another reference may have taken it already.
      guard let live = try overlay.live(next.recordName) else { continue }
      try overlay.bury(live, by: batch.author)
      demands.append((index, .nobodyRefers(to: live.recordName)))
      cascaded.insert(live.recordName)
      let dependents = try overlay.references(to: live.recordName).filter { $0.action == .deleteSelf }.map(\.source)
      try overlay.requireDeletable(dependents)
      for name in dependents.reversed() {
        if let dependent = try overlay.live(name) { doomed.append(dependent) }
      }
    }
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
