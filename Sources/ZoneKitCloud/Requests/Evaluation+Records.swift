import ZoneKitRecords

extension Evaluation {
  /// The named records, each one there or `unknownItem` (CloudKit Web Services, a.1 row 3).
  func lookUpRecords(_ names: [Name], in zoneID: ZoneID) throws(CloudError) -> Outcome {
    try checkCount(names.count, of: "names")
    let zone = try liveZone(zoneID)
    var results: [RecordResult] = []
    for name in names {
      if let record = try store.record(name, in: zone.key), !record.isDeleted {
        results.append(.record(record.record))
      } else {
        results.append(.failed(name, CloudError(.unknownItem, "did not find record \(name)")))
      }
    }
    return Outcome(.records(results))
  }

  /// Saves and deletes records of one zone. The answer has one entry for each operation; what a cascade deletes shows
  /// in the feed only, because clients match entries and operations by their places.
  func modifyRecords(
    _ request: ModifyRecords, using generator: inout some RandomNumberGenerator
  ) throws(CloudError) -> Outcome {
    try checkCount(request.operations.count, of: "operations")
    guard database.scope != .shared else {
      throw CloudError(.permissionFailure, "records of a shared database are their owners' to change")
    }
    let zone = try liveZone(request.zoneID)
    try checkDistinct(request.operations.compactMap(\.recordName), what: "record")
    let header = zone.header(at: now, using: &generator)
    let batch = Batch(
      store: store, zone: zone.key, header: header, operations: request.operations.map { named($0, using: &generator) },
      author: Authorship(at: now, author: Author(caller)),
      isWithinZone: { isOwn($0) && $0.zoneName == zone.key.zoneName }, limits: limits)
    let verdict = try batch.verdict(isAtomic: request.isAtomic && !zone.key.zoneName.isDefaultZone)
    var outcome = Outcome(verdict.isAtomicFailure ? .atomicFailure(verdict.results) : .records(verdict.results))
    try outcome.add(verdict, to: self, using: &generator)
    return outcome
  }

  /// Deletes every record of a zone, whatever refers to it. The tombstones come in the order of the records' last
  /// change.
  func eraseRecords(
    of zoneID: ZoneID, using generator: inout some RandomNumberGenerator
  ) throws(CloudError) -> Outcome {
    let zone = try liveZone(zoneID)
    let header = zone.header(at: now, using: &generator)
    var overlay = ZoneOverlay(store: store, key: zone.key, header: header)
    for name in try namesOfRecords(in: zone.key) {
      guard let record = try overlay.live(name) else { continue }
      try overlay.bury(record, by: Authorship(at: now, author: Author(caller)))
    }
    let verdict = Batch<Store>.Verdict(
      results: [], header: overlay.header, records: overlay.changes?.records ?? [])
    var outcome = Outcome(.zones([.zone(self.zone(overlay.header))]))
    try outcome.add(verdict, to: self, using: &generator)
    return outcome
  }

  private func namesOfRecords(in zone: ZoneKey) throws(CloudError) -> [Name] {
    var names: [Name] = []
    var query = FeedQuery(position: 0, isReversed: false, limit: ZoneChangesQuery.pageLimit, recordTypes: nil)
    while true {
      let page = try store.feed(query, in: zone)
      names += page.page.rows.filter { !$0.isDeleted }.map { Name(page.page.text($0.name)) }
      guard page.moreComing else { return names }
      query.position = page.position
    }
  }

  /// An operation that creates a record without a name gets one (CloudKit Web Services, b.3).
  private func named(
    _ operation: RecordOperation, using generator: inout some RandomNumberGenerator
  ) -> RecordOperation {
    guard operation.kind == .create, operation.recordName == nil else { return operation }
    var named = operation
    named.recordName = Name(RandomIdentifier.uuid(using: &generator))
    return named
  }
}

extension Outcome {
  /// Takes in what a batch changes, if anything.
  fileprivate mutating func add<Store: ZoneStore>(
    _ verdict: Batch<Store>.Verdict, to evaluation: Evaluation<Store>,
    using generator: inout some RandomNumberGenerator
  ) throws(CloudError) {
    guard !verdict.records.isEmpty else { return }
    var state = try evaluation.store.database(evaluation.database)
    let change = evaluation.zoneChange(
      verdict.header, records: verdict.records, definitions: verdict.definitions, state: &state, using: &generator)
    add(change, spending: &state, in: evaluation.database)
  }
}
