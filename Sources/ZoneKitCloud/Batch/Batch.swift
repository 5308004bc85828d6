import ZoneKitRecords

/// The operations of one request on a zone, evaluated without writing anything (CloudKit Web Services, c.1 to c.3).
///
/// Each operation sees the results of the ones before it. VALIDATE references are checked after all operations, so that
/// a record and its target can be saved in either order. If the check fails for an operation, that operation is refused
/// and the others are evaluated again without it.
struct Batch {
  /// The content of the zone, as far as it was read.
  let content: ZoneContent
  /// The zone's header before the batch.
  let header: ZoneHeader
  /// The operations. Those that create a record without a name already have a name made by the cloud.
  let operations: [RecordOperation]
  /// The sender of the request.
  let caller: Caller
  /// The user, device and time recorded for saves and deletions.
  let author: Authorship
  /// The limits of the cloud.
  let limits: Limits
  /// The record types of the container.
  let containerTypes: ContainerTypes
  /// What the sender may do with records.
  let access: RecordAccess

  /// The most changes of records in all rounds together. 200 operations that are refused one by one are within it.
  private static let effortLimit = 60_000

  /// What the caller may do in the zone.
  let zoneAccess: ZoneAccess
  /// The users whom shares of the request name.
  let users: [UserLookup: Name]
  /// A random number for the shares of the request; 0 if there are none.
  let shareSeed: UInt64

  /// Whether a reference with that zone ID points into the zone of the batch.
  func isWithinZone(_ zoneID: ZoneID) -> Bool {
    let owner = zoneID.owner.resolved(for: caller.userRecordName)
    return zoneID.zoneName == content.key.zoneName && (owner == .caller || owner == zoneAccess.zoneID.owner)
  }

  /// The user record name of the zone's owner.
  var ownerName: Name { zoneAccess.zoneID.owner.recordName(callerIs: caller.userRecordName) }

  /// Whether the zone has the records of users: the default zone of the public database.
  var isOfUsers: Bool { content.key.database.scope == .public && content.key.zoneName.isDefaultZone }

  /// The results and changes of a batch.
  struct Verdict {
    /// One result for each operation.
    var results: [RecordResult]
    /// The zone's header after the batch.
    var header: ZoneHeader
    var records: [StoredRecord] = []
    var definitions: [FieldDefinition] = []
    /// The record types of which the container was asked, each once.
    var consultedTypes: [Name] = []
    /// Whether the batch is atomic and one of its operations failed, so that nothing changes.
    var isAtomicFailure = false
  }

  /// Evaluates the batch. Throws only if something cannot be read.
  func verdict(isAtomic: Bool) throws(EvaluationFailure) -> Verdict {
    var refused: [Int: CloudError] = [:]
    var effort = 0
    while true {
      var trial = BatchTrial(batch: self)
      var results = try trial.results(refusing: refused)
      let broken = try trial.brokenReferences()
      for (index, error) in broken { results[index] = .failed(operations[index].recordName, error) }
      if isAtomic, results.contains(where: { $0.error != nil }) { return atomicFailure(results, trial.overlay) }
      if broken.isEmpty { return verdict(results, trial.overlay) }
      effort += trial.overlay.effort
      guard effort <= Self.effortLimit else {
        throw .refused(
          .limitExceeded,
          "the operations of the request depend on each other in too many steps; send fewer of them in one request")
      }
      // Each round refuses at least one more operation, so the number of rounds is bounded.
      for (index, error) in broken { refused[index] = error }
    }
  }

  private func verdict(_ results: [RecordResult], _ overlay: ZoneOverlay) -> Verdict {
    var verdict = Verdict(results: results, header: overlay.header, consultedTypes: overlay.consultedTypes)
    if let changes = overlay.changes {
      verdict.records = changes.records
      verdict.definitions = changes.definitions
    }
    return verdict
  }

  private func atomicFailure(_ results: [RecordResult], _ overlay: ZoneOverlay) -> Verdict {
    let others = CloudError(.batchRequestFailed, "not done because another operation of the same atomic request failed")
    let reported = results.indices.map { index in
      results[index].error != nil ? results[index] : .failed(operations[index].recordName, others)
    }
    return Verdict(
      results: reported, header: header, consultedTypes: overlay.consultedTypes, isAtomicFailure: true)
  }
}
