import ZoneKitRecords
import ZoneKitCloud

/// A cloud under test behind a fault plan, driven as a driver does it.
struct FaultyCloud {
  var cloud: TestCloud
  var plan = FaultPlan()
  /// Only for what is drawn, so that faults do not change what the cloud draws.
  var dice = SplitMix64(seed: 7)

  init(_ cloud: TestCloud = .withNotes(), _ faults: Fault...) {
    self.cloud = cloud
    for fault in faults { plan.add(fault) }
  }

  /// What the plan says of a request.
  mutating func verdict(_ request: CloudRequest) -> FaultVerdict {
    plan.verdict(on: request, from: cloud.caller, in: cloud.database, using: &dice)
  }

  /// A request and what arrives of its answer; nil for nothing.
  mutating func ask(_ request: CloudRequest) -> CloudResponse? {
    guard case .faulty(let exchange) = verdict(request) else { return cloud.ask(request) }
    var response: CloudResponse?
    for _ in 0..<exchange.applications {
      guard let request = exchange.request else { break }
      response = cloud.ask(request, visibleDelay: exchange.visibleDelayMilliseconds)
    }
    return exchange.answer(to: response)
  }

  /// Several operations on `Notes`: the codes of their results, nil for success.
  mutating func modify(_ operations: [RecordOperation], isAtomic: Bool = false) -> [CloudErrorCode?] {
    switch ask(.modifyRecords(ModifyRecords(zoneID: cloud.notes, operations: operations, isAtomic: isAtomic))) {
    case .records(let results), .atomicFailure(let results): results.map { $0.error?.code }
    case .failure(let error): [error.code]
    default: []
    }
  }

  /// What the feed of `Notes` answers; nil where nothing arrives.
  mutating func changes(since token: ChangeToken? = nil) -> ZoneChangesResult? {
    let query = ZoneChangesQuery(zoneID: cloud.notes, token: token)
    guard case .zoneChanges(let results) = ask(.fetchZoneChanges([query])) else { return nil }
    return results[0]
  }
}

extension ZoneChangesResult {
  var changes: ZoneChanges? { if case .changes(let changes) = self { changes } else { nil } }
  var error: CloudError? { if case .failed(_, let error) = self { error } else { nil } }
}

extension ZoneChanges {
  var names: [Name] { page.changes.map(\.recordName) }
}
