import ZoneKitRecords

extension Evaluation {
  /// The named records; `unknownItem` for each that does not exist (CloudKit Web Services, a.1 row 3). A
  /// request may name each record once.
  mutating func lookUpRecords(_ names: [Name], in zoneID: ZoneID) throws(EvaluationFailure) -> Outcome {
    try checkCount(names.count, of: "names")
    try checkDistinct(names, what: "record")
    let zone = try liveZone(zoneID)
    let content = reader.content(of: zone.key)
    try content.require([.records(names, in: zone.key)])
    try zone.access.requireAncestors(of: try content.parents(of: names), in: content)
    var results: [RecordResult] = []
    for name in names {
      let record = try content.record(name)
      if let record, !record.isDeleted, try zone.access.shows(name, below: record.parent, content.record) {
        let isReadable = access.allows(.read, on: record.recordType, madeBy: record.created.author.userRecordName)
        results.append(isReadable ? .record(zone.shown(record)) : .failed(name, RecordAccess.error(.read)))
      } else {
        results.append(.failed(name, CloudError(missing: name, isUnknown: record == nil, in: zone.header)))
      }
    }
    return Outcome(.records(results))
  }

  /// Saves and deletes records of one zone. The answer has one entry per operation. Records deleted by a cascade are
  /// only in the feed, because clients match entries and operations by index.
  mutating func modifyRecords(
    _ request: ModifyRecords, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    try checkCount(request.operations.count, of: "operations")
    let zone = try liveZone(request.zoneID)
    try checkDistinct(request.operations.compactMap(\.recordName), what: "record")
    let header = zone.header(at: now, using: &generator)
    let batch = Batch(
      content: reader.content(of: zone.key), header: header,
      operations: request.operations.map { named($0, using: &generator) },
      caller: caller, author: Authorship(at: now, author: Author(caller)), limits: limits,
      containerTypes: containerTypes, access: access, zoneAccess: zone.access, users: try users(of: request.operations),
      shareSeed: request.operations.contains { Share.isType($0.recordType) || $0.share != nil } ? generator.next() : 0)
    let verdict = try batch.verdict(isAtomic: request.isAtomic && !zone.key.zoneName.isDefaultZone)
    let results = zone.shown(verdict.results, in: verdict.header)
    var outcome = Outcome(verdict.isAtomicFailure ? .atomicFailure(results) : .records(results))
    try add(verdict, in: zone.key, to: &outcome, using: &generator)
    return outcome
  }

  /// Deletes every record of a zone, even if others refer to it. The tombstones have the order of the records' last
  /// changes.
  mutating func eraseRecords(
    of zoneID: ZoneID, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    let zone = try liveZone(zoneID)
    let header = zone.header(at: now, using: &generator)
    let content = reader.content(of: zone.key)
    let names = try namesOfRecords(in: content)
    try content.require([.records(names, in: zone.key)])
    let author = Authorship(at: now, author: Author(caller))
    var overlay = ZoneOverlay(content: content, header: header)
    for name in names {
      guard let record = try overlay.live(name) else { continue }
      try overlay.bury(record, by: author)
    }
    let verdict = Batch.Verdict(
      results: [], header: overlay.header, records: overlay.changes?.records ?? [])
    var outcome = Outcome(.zones([.zone(self.zone(overlay.header))]))
    try add(verdict, in: zone.key, to: &outcome, using: &generator)
    return outcome
  }

  /// The users in the directory whom shares of a request name. A record name that it does not know is taken as it is.
  private mutating func users(of operations: [RecordOperation]) throws(EvaluationFailure) -> [UserLookup: Name] {
    let lookups = operations.flatMap { $0.share?.participants ?? [] }.compactMap(\.lookup)
    guard !lookups.isEmpty else { return [:] }
    var users: [UserLookup: Name] = [:]
    for (lookup, user) in zip(lookups, try reader.users(lookups, near: database)) {
      if let user {
        users[lookup] = user.identity.userRecordName
      } else if case .userRecordName(let name) = lookup {
        users[lookup] = name
      }
    }
    return users
  }

  private func namesOfRecords(in zone: ZoneContent) throws(EvaluationFailure) -> [Name] {
    let page = try zone.feed(.whole).page
    return page.rows.filter { !$0.isDeleted }.map { Name(page.text($0.name)) }
  }

  /// The operation, with a generated name if it creates a record without one (CloudKit Web Services, b.3).
  private func named(
    _ operation: RecordOperation, using generator: inout some RandomNumberGenerator
  ) -> RecordOperation {
    guard operation.kind == .create, operation.recordName == nil else { return operation }
    var named = operation
    named.recordName = Name(RandomIdentifier.uuid(using: &generator))
    return named
  }

  /// Adds the changes of a batch, if there are any.
  private mutating func add(
    _ verdict: Batch.Verdict, in key: ZoneKey, to outcome: inout Outcome,
    using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) {
    let schema = SchemaDirectory(of: database).zone
    let isConsulted = !verdict.consultedTypes.isEmpty
    if isConsulted { _ = reader.content(of: schema) }
    guard !verdict.records.isEmpty else { return }
    var state = try reader.peek(key.database)
    if isConsulted {
      var shared = try schema.database == key.database ? state : reader.peek(schema.database)
      let growth = try schemaChange(by: verdict, state: &shared, using: &generator)
      if let growth { outcome.zoneChanges.append(growth) }
      if schema.database == key.database { state = shared }
    }
    var change = try zoneChange(
      verdict.header, in: key, records: verdict.records, definitions: verdict.definitions, state: &state,
      using: &generator)
    if isConsulted { change.transition.after = schema }
    outcome.add(change, spending: &state, in: key.database)
  }
}
