import ZoneKitRecords

extension Evaluation {
  /// All zones of the database. One that cannot be read has no token.
  mutating func listZones() throws(EvaluationFailure) -> Outcome {
    guard database.scope != .shared else {
      return Outcome(.zones(try sharedZones().compactMap { $0.zone.map { .zone(self.zone($0)) } }))
    }
    let list = try reader.zones(of: database)
    let headers = list.headers.filter {
      !$0.isDeleted && !$0.zoneName.isDefaultZone && !key($0.zoneName).isInternal
    }
    let unreadable = list.unreadable.filter {
      $0.isListed && $0.known?.isDeleted == false && !key($0.name).isInternal
    }
    let custom = headers.map { ($0.zoneName, zone($0)) } + unreadable.map { ($0.name, $0.zone) }
    let sorted = custom.sorted { $0.0 < $1.0 }.map(\.1)
    return Outcome(.zones(([defaultZone] + sorted).map { .zone($0) }))
  }

  /// The zones of these IDs, with an error for each that does not exist.
  mutating func lookUpZones(_ ids: [ZoneID]) throws(EvaluationFailure) -> Outcome {
    try checkCount(ids.count, of: "zones")
    var results: [ZoneResult] = []
    var unreadable: [StoreError] = []
    for id in ids {
      do throws(EvaluationFailure) {
        results.append(.zone(zone(try liveZone(id))))
      } catch {
        results.append(.failed(id.resolved(for: caller.userRecordName), try error.ofZone(noting: &unreadable)))
      }
    }
    try EvaluationFailure.check(unreadable, of: results.count)
    return Outcome(.zones(results))
  }

  /// Creates and deletes zones. An operation that fails does not affect the others (CloudKit Web Services, a.1 row 9).
  /// A request may name each zone once.
  mutating func modifyZones(
    _ operations: [ZoneOperation], using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    try checkCount(operations.count, of: "operations")
    switch database.scope {
    case .private: break
    case .shared: throw .refused(.permissionFailure, "zones of a shared database are their owners' to change")
    case .public: throw notApplicable("zones/modify")
    }
    try checkDistinct(operations.map(\.zoneID.zoneName), what: "zone")
    var state = try reader.peek(database)
    var outcome = Outcome(.zones([]))
    var results: [ZoneResult] = []
    var unreadable: [StoreError] = []
    for operation in operations {
      do throws(EvaluationFailure) {
        guard let header = try header(after: operation, using: &generator) else {
          results.append(try existing(operation.zoneID))
          continue
        }
        let change = try zoneChange(
          header, in: key(header.zoneName), clearsZone: header.isDeleted, isOfRecords: false, state: &state,
          using: &generator)
        outcome.add(change, spending: &state, in: database)
        results.append(
          header.isDeleted ? .deleted(ZoneID(zoneName: header.zoneName)) : .zone(zone(change.transition.header)))
      } catch {
        let id = operation.zoneID.resolved(for: caller.userRecordName)
        results.append(.failed(id, try error.ofZone(noting: &unreadable)))
      }
    }
    try EvaluationFailure.check(unreadable, of: results.count)
    outcome.answer = .response(.zones(results))
    return outcome
  }

  /// The header after an operation; nil if it creates a zone that already exists.
  private mutating func header(
    after operation: ZoneOperation, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> ZoneHeader? {
    let id = operation.zoneID
    guard caller.owns(id) else { throw zoneNotFound(id) }
    guard !id.zoneName.isDefaultZone else {
      throw .refused(.invalidArguments, "\(id.zoneName) is always there and can be neither created nor deleted")
    }
    switch operation {
    case .create: return try created(id.zoneName, using: &generator)
    case .delete: return try deleted(id)
    }
  }

  private mutating func created(
    _ name: Name, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> ZoneHeader? {
    guard name.hasLegalLength else {
      throw .refused(.invalidArguments, "a zone name has 1 to \(Name.lengthLimit) characters")
    }
    guard !name.isReserved else {
      throw .refused(.invalidArguments, "zone name \(name) begins with _, which only names of the cloud do")
    }
    let before = try reader.zone(key(name))
    if let before, !before.isDeleted { return nil }
    return ZoneHeader(zoneName: name, replacing: before, at: now, using: &generator)
  }

  private mutating func deleted(_ id: ZoneID) throws(EvaluationFailure) -> ZoneHeader? {
    var header = try liveZone(id).header
    header?.end(.deleted)
    return header
  }

  private mutating func existing(_ id: ZoneID) throws(EvaluationFailure) -> ZoneResult {
    .zone(zone(try liveZone(id)))
  }

  /// A zone in the form that clients get.
  func zone(_ zone: LiveZone) -> Zone {
    var shown = zone.header.map { self.zone($0) } ?? defaultZone
    shown.zoneID = zone.access.zoneID
    return shown
  }

  /// The zone in the form that clients get.
  func zone(_ header: ZoneHeader) -> Zone {
    guard !header.zoneName.isDefaultZone else { return defaultZone }
    return Zone(
      zoneID: ZoneID(zoneName: header.zoneName), token: FeedToken.current(of: header).changeToken, isAtomic: true)
  }

  private var defaultZone: Zone {
    Zone(zoneID: .defaultZone, token: nil, isAtomic: false)
  }

  /// Refuses a request that names the same zone twice, by placeholder or by the name of the owner.
  func checkDistinct(_ zones: [ZoneID]) throws(EvaluationFailure) {
    var seen: Set<ZoneID> = []
    for zone in zones where !seen.insert(zone.resolved(for: caller.userRecordName)).inserted {
      throw .refused(.invalidArguments, "zone \(zone.zoneName) comes twice in one request; ask for each once")
    }
  }

  /// Refuses a request that names the same item twice.
  func checkDistinct(_ names: [Name], what: String) throws(EvaluationFailure) {
    var seen: Set<Name> = []
    for name in names where !seen.insert(name).inserted {
      throw .refused(
        .invalidArguments, "\(what) \(name) comes twice in one request; one operation for each is allowed")
    }
  }
}

extension UnreadableZone {
  /// Whether feeds and lists name the zone: a custom zone that the store knows. A damaged file alone is no zone.
  var isListed: Bool { known != nil && !name.isDefaultZone }

  fileprivate var zone: Zone { Zone(zoneID: ZoneID(zoneName: name), token: nil, isAtomic: true) }
}
