import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitStoreConformance

/// How much is read and evaluated for a request, counted instead of timed.
@Suite struct `a request that reaches many records` {
  private typealias Cloud = ZoneServer<CountingZoneStore<MemoryZoneStore>>
  private let notes = ZoneID(zoneName: "Notes")
  private let database = DatabaseID(container: "iCloud.a", environment: .development, user: "nanny", scope: .private)
  private let caller = Caller(user: "nanny", deviceID: "d1")
  private let now = WallTime(milliseconds: 1_700_000_000_000)

  private func cloud() -> Cloud { Cloud(store: CountingZoneStore(MemoryZoneStore())) }

  /// The answer to a request, the number of its evaluations and that of its reads.
  private func ask(
    _ request: CloudRequest, of cloud: inout Cloud
  ) -> (answer: CloudResponse?, evaluations: Int, reads: Int) {
    var generator = SplitMix64(seed: 1)
    cloud.store.counts.reset()
    var submission = cloud.submission(of: request, ticket: Ticket(1), in: database, from: caller, at: now)
    var evaluations = 1
    while case .needs(let needs) = cloud.offer(&submission, using: &generator) {
      cloud.prefetch(needs)
      evaluations += 1
    }
    return (cloud.endTurn(using: &generator).answers.first, evaluations, cloud.store.counts.reads)
  }

  private func modify(
    _ operations: [RecordOperation], in cloud: inout Cloud
  ) -> (results: [RecordResult], evaluations: Int, reads: Int) {
    let request = ModifyRecords(zoneID: notes, operations: operations, isAtomic: false)
    let done = ask(.modifyRecords(request), of: &cloud)
    guard case .records(let results) = done.answer else { return ([], done.evaluations, done.reads) }
    return (results, done.evaluations, done.reads)
  }

  private func name(_ number: Int) -> Name { Name("r\(number)") }

  /// A cloud with records whose DELETE_SELF references go to the records that `owner` names.
  private func cloud(records count: Int, owner: (Int) -> Int?) -> Cloud {
    var cloud = cloud()
    _ = ask(.modifyZones([.create(notes)]), of: &cloud)
    for start in stride(from: 0, to: count, by: 200) {
      let operations = (start..<min(start + 200, count)).map { number in
        owner(number).map { .create(name(number), .deleteSelf, to: name($0)) } ?? RecordOperation.create(name(number))
      }
      #expect(modify(operations, in: &cloud).results.allSatisfy { $0.error == nil })
    }
    return cloud
  }

  private func expectLinear(
    _ what: Comment, counts: [Int] = [200, 800], evaluations: Int = 3, remaining: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ make: (Int) -> Cloud, _ operations: (Int) -> [RecordOperation]
  ) {
    let efforts = counts.map { count in
      var cloud = make(count)
      let done = modify(operations(count), in: &cloud)
      #expect(done.results.allSatisfy { $0.error == nil }, what, sourceLocation: sourceLocation)
      let zone = cloud.status(of: database).zones.first { $0.zoneName == notes.zoneName }
      #expect(zone?.recordCount == remaining, what, sourceLocation: sourceLocation)
      return done
    }
    #expect(efforts.allSatisfy { $0.evaluations <= evaluations }, what, sourceLocation: sourceLocation)
    #expect(efforts[1].reads <= 4 * efforts[0].reads + 8, what, sourceLocation: sourceLocation)
  }

  @Test func `is evaluated as often for a chain, a star or a tree of many records as for one of few`() {
    expectLinear("a chain", { cloud(records: $0) { $0 == 0 ? nil : $0 - 1 } }, { _ in [.delete("r0")] })
    expectLinear("a star", { cloud(records: $0) { $0 == 0 ? nil : 0 } }, { _ in [.delete("r0")] })
    expectLinear("a tree", { cloud(records: $0) { $0 == 0 ? nil : ($0 - 1) / 2 } }, { _ in [.delete("r0")] })
    expectLinear(
      "many chains", { cloud(records: $0) { $0 < 100 ? nil : $0 - 100 } }, { _ in (0..<100).map { .delete(name($0)) } })
  }

  @Test func `deletes a chain of 10,000 records in one evaluation after its reads`() {
    var cloud = cloud(records: 10_000) { $0 == 0 ? nil : $0 - 1 }
    let done = modify([.delete("r0")], in: &cloud)
    #expect(done.results.allSatisfy { $0.error == nil } && done.evaluations == 2 && done.reads <= 20_010)
    #expect(cloud.status(of: database).zones.map(\.recordCount) == [0])
  }

  @Test func `is evaluated once for records that are bound and deleted in one request`() {
    let operations = { (count: Int) -> [RecordOperation] in
      // Each record is bound to the one before it first, so the deletion of the first one reaches all of them.
      (1..<count).map { RecordOperation.bind(name($0), .deleteSelf, to: name($0 - 1)) } + [.delete("r0")]
    }
    // The field is new to the container, whose schema is read once.
    expectLinear(
      "bound by the request itself", counts: [40, 160], evaluations: 4, { cloud(records: $0) { _ in nil } }, operations)
  }

  @Test func `is evaluated as often for many records that keep references as for few`() {
    func cloud(_ count: Int) -> Cloud {
      var made = self.cloud(records: count) { _ in nil }
      let binding = (0..<count).map { RecordOperation.bind(name($0), .validate, to: name(($0 + 1) % count)) }
      _ = modify(binding, in: &made)
      return made
    }
    for (count, limit) in [(40, nil), (160, nil), (40, 3), (160, 3)] as [(Int, Int?)] {
      var cloud = cloud(count)
      cloud.limits.dependents = limit
      let touching = (0..<count).map {
        RecordOperation(
          .forceUpdate, recordName: name($0), fields: [.typed("owner", .reference(.deleteSelf(name($0 / 2))))])
      }
      let done = modify(touching, in: &cloud)
      // The field is new to the container, whose schema is read once.
      #expect(done.results.allSatisfy { $0.error == nil } && done.evaluations <= 4)
    }
  }

  @Test func `is refused in words if too many records depend on those that it names`() {
    var cloud = cloud(records: 300) { $0 == 0 ? nil : $0 - 1 }
    cloud.limits.cascade = 200
    let deletion = ModifyRecords(
      zoneID: notes, operations: [.create("other"), .delete("r0")], isAtomic: false)
    guard case .failure(let error) = ask(.modifyRecords(deletion), of: &cloud).answer else {
      Issue.record("the request was not refused")
      return
    }
    #expect(error.code == .limitExceeded)
    #expect(error.reason.hasPrefix("the request would change more than 200 records that depend on those that it names"))
    #expect(cloud.status(of: database).zones.map(\.recordCount) == [300], "nothing of the request was done")
    #expect(modify([.delete("r100")], in: &cloud).results.map(\.error) == [nil], "200 records are allowed")
    #expect(modify([.delete("r0")], in: &cloud).results.map(\.error) == [nil], "what was read in vain is read again")
    #expect(cloud.status(of: database).zones.map(\.recordCount) == [0])
  }

  @Test func `is refused in words if its operations refuse each other in too many rounds`() {
    // Each round deletes the whole chain again and refuses one more save.
    var cloud = cloud(records: 10_000) { $0 == 0 ? nil : $0 - 1 }
    let saves = (0..<100).map { RecordOperation.create(Name("s\($0)"), .validate, to: Name("s\($0 + 1)")) }
    let request = ModifyRecords(zoneID: notes, operations: [.delete("r0")] + saves, isAtomic: false)
    guard case .failure(let error) = ask(.modifyRecords(request), of: &cloud).answer else {
      Issue.record("the request was not refused")
      return
    }
    #expect(error.code == .limitExceeded && error.reason.contains("depend on each other in too many steps"))
    let alone = modify(saves, in: &cloud).results
    #expect(alone.allSatisfy { $0.error?.code == .referenceViolation })
  }
}

extension RecordOperation {
  /// A change of a note that refers to another one from now on.
  fileprivate static func bind(_ name: Name, _ action: Reference.Action, to target: Name) -> RecordOperation {
    RecordOperation(
      .forceUpdate, recordName: name,
      fields: [.typed("targets", .referenceList([Reference(recordName: target, action: action)]))])
  }
}

extension Reference {
  fileprivate static func deleteSelf(_ target: Name) -> Reference { Reference(recordName: target, action: .deleteSelf) }
}
