import ZoneKitRecords

/// One go at a batch's operations.
struct BatchTrial<Store: ZoneStore> {
  let batch: Batch<Store>
  var overlay: ZoneOverlay<Store>
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

  init(batch: Batch<Store>) {
    self.batch = batch
    overlay = ZoneOverlay(store: batch.store, key: batch.zone, header: batch.header)
  }

  /// Tries the operations in order, except those refused already. Throws only what the store does.
  mutating func results(refusing refused: [Int: CloudError]) throws(CloudError) -> [RecordResult] {
    var results: [RecordResult] = []
    for (index, operation) in batch.operations.enumerated() {
      do throws(CloudError) {
        if let error = refused[index] { throw error }
        results.append(try result(of: operation, at: index))
      } catch {
        results.append(.failed(operation.recordName, try error.ofItem()))
      }
    }
    return results
  }

  /// The operations whose demands on references are not met in the end, and why.
  func brokenReferences() throws(CloudError) -> [(operation: Int, error: CloudError)] {
    var broken: [(operation: Int, error: CloudError)] = []
    for (operation, demand) in demands where broken.last?.operation != operation {
      if let error = try violation(of: demand) { broken.append((operation, error)) }
    }
    return broken
  }

  private mutating func result(of operation: RecordOperation, at index: Int) throws(CloudError) -> RecordResult {
    guard let name = operation.recordName, name.hasLegalLength else {
      throw CloudError(.invalidArguments, "a record name has 1 to \(Name.lengthLimit) characters")
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

  /// Deletes a record and, over DELETE_SELF references, all that go with it. That a record went that way before is as
  /// good as deleting it: whoever deletes parent and child in one request need not know their order.
  private mutating func delete(_ operation: RecordOperation, named name: Name, at index: Int) throws(CloudError) {
    guard let record = try overlay.live(name) else {
      if operation.kind == .forceDelete || cascaded.contains(name) { return }
      throw CloudError(.unknownItem, "did not find record \(name)")
    }
    if operation.kind == .delete, let tag = operation.changeTag, tag != record.record.changeTag {
      throw CloudError(.serverRecordChanged, "client oplock error updating record")
    }
    var doomed = [record]
    while let next = doomed.popLast() {
      // Another reference may have taken it already.
      guard let live = try overlay.live(next.recordName) else { continue }
      try overlay.bury(live, by: batch.author)
      demands.append((index, .nobodyRefers(to: live.recordName)))
      cascaded.insert(live.recordName)
      for reference in try overlay.references(to: live.recordName).reversed() where reference.action == .deleteSelf {
        if let dependent = try overlay.live(reference.source) { doomed.append(dependent) }
      }
    }
  }

  private func violation(of demand: Demand) throws(CloudError) -> CloudError? {
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
