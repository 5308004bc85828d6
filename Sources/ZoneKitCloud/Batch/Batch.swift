import ZoneKitRecords

/// The operations of one request, tried on a zone without writing anything (CloudKit Web Services, c.1 to c.3).
///
/// Operations see what the ones before them did. What VALIDATE references demand is looked at when all is done, so that
/// a record and the one it refers to can come in either order. An operation that fails then is as if it had not come:
/// the others are tried again without it.
struct Batch {
  /// What was read of the zone.
  let content: ZoneContent
  /// The zone's header before the batch.
  let header: ZoneHeader
  /// The operations, those that create a record without a name already with one of the cloud's making.
  let operations: [RecordOperation]
  /// Who asks.
  let caller: Caller
  /// By whom and when records are saved and deleted.
  let author: Authorship
  /// What the cloud allows.
  let limits: Limits

  /// Whether a reference that names this zone stays within the zone of the batch.
  func isWithinZone(_ zoneID: ZoneID) -> Bool { caller.owns(zoneID) && zoneID.zoneName == content.key.zoneName }

  /// The results and changes of a batch.
  struct Verdict {
    /// One for each operation.
    var results: [RecordResult]
    /// The zone's header afterwards.
    var header: ZoneHeader
    var records: [StoredRecord] = []
    var definitions: [FieldDefinition] = []
    /// Whether a batch that must be all or nothing came to nothing.
    var isAtomicFailure = false
  }

  /// Evaluates the batch. Throws only failures of reads.
  func verdict(isAtomic: Bool) throws(EvaluationFailure) -> Verdict {
    var refused: [Int: CloudError] = [:]
    while true {
      var trial = BatchTrial(batch: self)
      var results = try trial.results(refusing: refused)
      let broken = try trial.brokenReferences()
      for (index, error) in broken { results[index] = .failed(operations[index].recordName, error) }
      if isAtomic, results.contains(where: { $0.error != nil }) { return atomicFailure(results) }
      if broken.isEmpty { return verdict(results, trial.overlay) }
      // Each round refuses one operation more at least, so the rounds come to an end.
      for (index, error) in broken { refused[index] = error }
    }
  }

  private func verdict(_ results: [RecordResult], _ overlay: ZoneOverlay) -> Verdict {
    var verdict = Verdict(results: results, header: overlay.header)
    if let changes = overlay.changes {
      verdict.records = changes.records
      verdict.definitions = changes.definitions
    }
    return verdict
  }

  private func atomicFailure(_ results: [RecordResult]) -> Verdict {
    let others = CloudError(.batchRequestFailed, "not done because another operation of the same atomic request failed")
    let reported = results.indices.map { index in
      results[index].error != nil ? results[index] : .failed(operations[index].recordName, others)
    }
    return Verdict(results: reported, header: header, isAtomicFailure: true)
  }
}
