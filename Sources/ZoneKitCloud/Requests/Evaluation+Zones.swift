import ZoneKitRecords

extension Evaluation {
  func listZones() throws(CloudError) -> Outcome {
    guard database.scope != .shared else { return Outcome(.zones([])) }
    let headers = try store.zones(in: database)
    let custom = headers.filter { !$0.isDeleted && !$0.zoneName.isDefaultZone }
    return Outcome(.zones(([defaultZone] + custom.map(zone)).map { .zone($0) }))
  }

  func lookUpZones(_ ids: [ZoneID]) throws(CloudError) -> Outcome {
    try checkCount(ids.count, of: "zones")
    var results: [ZoneResult] = []
    for id in ids {
      do throws(CloudError) {
        results.append(.zone(try liveZone(id).header.map(zone) ?? defaultZone))
      } catch {
        results.append(.failed(reported(id), try error.ofItem()))
      }
    }
    return Outcome(.zones(results))
  }

  /// Creates and deletes zones, each on its own: one that fails leaves the others as they are (CloudKit Web Services,
  /// a.1 row 9). A zone's name may come once in a request.
  func modifyZones(
    _ operations: [ZoneOperation], using generator: inout some RandomNumberGenerator
  ) throws(CloudError) -> Outcome {
    try checkCount(operations.count, of: "operations")
    switch database.scope {
    case .private: break
    case .shared: throw CloudError(.permissionFailure, "zones of a shared database are their owners' to change")
    case .public: throw notApplicable("zones/modify")
    }
    try checkDistinct(operations.map(\.zoneID.zoneName), what: "zone")
    var state = try store.database(database)
    var outcome = Outcome(.zones([]))
    var results: [ZoneResult] = []
    for operation in operations {
      do throws(CloudError) {
        guard let header = try header(after: operation, using: &generator) else {
          results.append(try existing(operation.zoneID))
          continue
        }
        let change = zoneChange(
          header, clearsZone: header.isDeleted, isOfRecords: false, state: &state, using: &generator)
        outcome.add(change, spending: &state, in: database)
        results.append(header.isDeleted ? .deleted(zoneID(header.zoneName)) : .zone(zone(change.transition.header)))
      } catch {
        results.append(.failed(reported(operation.zoneID), try error.ofItem()))
      }
    }
    outcome.response = .zones(results)
    return outcome
  }

  /// The header that an operation leaves; nil where it creates a zone that is there.
  private func header(
    after operation: ZoneOperation, using generator: inout some RandomNumberGenerator
  ) throws(CloudError) -> ZoneHeader? {
    let id = operation.zoneID
    guard isOwn(id) else { throw zoneNotFound(id) }
    guard !id.zoneName.isDefaultZone else {
      throw CloudError(.invalidArguments, "\(id.zoneName) is always there and can be neither created nor deleted")
    }
    switch operation {
    case .create: return try created(id.zoneName, using: &generator)
    case .delete: return try deleted(id)
    }
  }

  private func created(
    _ name: Name, using generator: inout some RandomNumberGenerator
  ) throws(CloudError) -> ZoneHeader? {
    guard name.hasLegalLength else {
      throw CloudError(.invalidArguments, "a zone name has 1 to \(Name.lengthLimit) characters")
    }
    let before = try store.zone(key(name))
    if let before, !before.isDeleted { return nil }
    // The sequence goes on, so that no change tag of the deleted zone comes again.
    return ZoneHeader(
      zoneName: name, incarnation: generator.next(), sequence: before?.sequence ?? 0, databaseSequence: 0, at: now)
  }

  private func deleted(_ id: ZoneID) throws(CloudError) -> ZoneHeader? {
    var header = try liveZone(id).header
    header?.end(.deleted)
    return header
  }

  private func existing(_ id: ZoneID) throws(CloudError) -> ZoneResult {
    .zone(try liveZone(id).header.map(zone) ?? defaultZone)
  }

  /// The zone as clients see it.
  func zone(_ header: ZoneHeader) -> Zone {
    guard !header.zoneName.isDefaultZone else { return defaultZone }
    return Zone(zoneID: zoneID(header.zoneName), token: FeedToken.current(of: header).changeToken, isAtomic: true)
  }

  private var defaultZone: Zone {
    Zone(zoneID: zoneID(ZoneID.defaultZone.zoneName), token: nil, isAtomic: false)
  }

  /// The ID that a failed item is told with: the caller's own zones by their owner's name, others as they were named.
  func reported(_ id: ZoneID) -> ZoneID { isOwn(id) ? zoneID(id.zoneName) : id }

  func checkDistinct(_ names: [Name], what: String) throws(CloudError) {
    var seen: Set<Name> = []
    for name in names where !seen.insert(name).inserted {
      throw CloudError(
        .invalidArguments, "\(what) \(name) comes twice in one request; one operation for each is allowed")
    }
  }
}
