import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `a change that is stale at the commit` {
  private var notes: CommitFailure.Place {
    .zone(ZoneKey(database: TestCloud().database, zoneName: "Notes"))
  }

  private func batch(_ name: Name, in zone: ZoneID) -> CloudRequest {
    .modifyRecords(ModifyRecords(zoneID: zone, operations: [.create(name)], isAtomic: true))
  }

  @Test func `is evaluated again, and answered and notified once`() {
    var cloud = TestCloud.withNotes()
    cloud.server.store.makeNextCommitStale(of: notes)
    let effects = cloud.effects(of: batch("a", in: cloud.notes))
    #expect(effects.answers.count == 1 && effects.notices.count == 1)
    guard case .records(let results) = effects.answers.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(results.first?.record?.changeTag == ChangeTag(sequence: 1))
    #expect(effects.facts.first == .commitFailed(CommitFailure(place: notes, cause: .stale)))
    #expect(cloud.header?.recordCount == 1)
  }

  @Test func `takes those with it that have read it, and nobody else`() {
    var cloud = TestCloud.withNotes()
    let other = ZoneID(zoneName: "Other")
    _ = cloud.ask(.modifyZones([.create(other)]))
    cloud.server.store.makeNextCommitStale(of: notes)
    let first = cloud.receive(batch("a", in: cloud.notes))
    let second = cloud.receive(.lookupRecords(zoneID: cloud.notes, recordNames: ["a"]))
    let third = cloud.receive(batch("a", in: other))
    let answers = cloud.endTurn().compactMap { effect -> (Ticket, CloudResponse)? in
      if case .answer(let ticket, let response) = effect { (ticket, response) } else { nil }
    }
    // What was stale is answered behind the others, in its own order.
    #expect(answers.map(\.0) == [third, first, second])
    for (_, response) in answers {
      guard case .records(let results) = response else {
        Issue.record("\(response)")
        continue
      }
      #expect(results.first?.record?.recordName == "a")
    }
  }

  @Test func `sees what the others wrote when it is worked out again`() throws {
    let shared = SharedCloud()
    var generator = SplitMix64(seed: 1)
    let samples = TestCloud()
    var servers = [ZoneServer(store: SharedStore(shared)), ZoneServer(store: SharedStore(shared))]
    func ask(_ request: CloudRequest, of server: Int) -> CloudResponse? {
      servers[server].receive(
        request, ticket: Ticket(1), in: samples.database, from: samples.caller, at: samples.now, using: &generator)
      return servers[server].endTurn(using: &generator).answers.first
    }
    _ = ask(.modifyZones([.create(samples.notes)]), of: 0)
    servers[1].store.refresh()
    _ = ask(batch("a", in: samples.notes), of: 0)
    // The other server has not seen that record yet, and would make it again.
    guard case .atomicFailure(let results) = ask(batch("a", in: samples.notes), of: 1) else {
      Issue.record("the record was made twice")
      return
    }
    #expect(results.first?.error?.code == .serverRecordChanged)
    let subscription = Subscription(subscriptionID: "s", kind: .database, notificationInfo: nil)
    _ = ask(.modifySubscriptions([.create(subscription)]), of: 0)
    #expect(
      ask(.modifySubscriptions([.delete("s")]), of: 1) == .subscriptions([.failed("s", unknown)])
        || ask(.listSubscriptions, of: 1) == .subscriptions([]))
  }

  private var unknown: CloudError { CloudError(.unknownItem, "did not find subscription s in the private database") }

  @Test func `again and again ends in an error after which the client tries again`() {
    var cloud = TestCloud.withNotes()
    for _ in 1...5 { cloud.server.store.makeNextCommitStale(of: notes) }
    let effects = cloud.effects(of: batch("a", in: cloud.notes))
    #expect(
      effects.answers == [
        .failure(
          CloudError(
            .zoneBusy, "zone Notes of nanny was changed by another server at the same time, again and again"))
      ])
    #expect(effects.notices == [] && cloud.record("a") == nil)
    for _ in 1...4 { cloud.server.store.makeNextCommitStale(of: notes) }
    #expect(cloud.perform(.create("a")).error == nil)
  }

  @Test func `is not done again where a part of the request was kept`() {
    var cloud = TestCloud.withNotes()
    cloud.server.store.makeNextCommitStale(of: notes)
    let effects = cloud.effects(of: .modifyZones([.create(ZoneID(zoneName: "Other")), .delete(cloud.notes)]))
    guard case .failure(let error) = effects.answers.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(error.code == .zoneBusy)
    #expect(effects.notices.map(\.zoneID.zoneName) == ["Other"])
    #expect(cloud.header?.isDeleted == false)
  }

  @Test(arguments: 0..<20)
  func `leaves no trace when two servers write to the same zones at random`(seed: UInt64) throws {
    var story = SharedStory(seed: seed)
    for _ in 0..<60 { story.step() }
    try story.check()
  }
}

/// Two servers over one store, each seeing the other's commits late.
private struct SharedStory {
  private let shared = SharedCloud()
  private let samples = TestCloud()
  private let zones = [ZoneID(zoneName: "Notes"), ZoneID(zoneName: "Other")]
  private var servers: [ZoneServer<SharedStore>]
  private var generator: SplitMix64
  private var confirmed: [Name: [(name: Name, tag: ChangeTag)]] = [:]

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
    let shared = shared
    servers = (0..<2).map { _ in ZoneServer(store: SharedStore(shared)) }
    ask([.modifyZones(zones.map { .create($0) })], of: 0)
  }

  mutating func step() {
    let server = Int.random(in: 0..<2, using: &generator)
    if Int.random(in: 0..<3, using: &generator) == 0 { servers[server].store.refresh() }
    let count = Int.random(in: 1...3, using: &generator)
    ask((0..<count).map { _ in request() }, of: server)
  }

  private mutating func request() -> CloudRequest {
    let zone = zones[Int.random(in: 0..<2, using: &generator)]
    let kinds: [RecordOperation.Kind] = [.forceReplace, .forceReplace, .forceUpdate, .create, .forceDelete]
    let operations = Set((0..<3).map { _ in Int.random(in: 0..<6, using: &generator) }).sorted().map { number in
      RecordOperation(
        kinds[Int.random(in: 0..<kinds.count, using: &generator)], recordName: Name("r\(number)"), recordType: "Note")
    }
    return .modifyRecords(
      ModifyRecords(zoneID: zone, operations: operations, isAtomic: Bool.random(using: &generator)))
  }

  private mutating func ask(_ requests: [CloudRequest], of server: Int) {
    for (number, request) in requests.enumerated() {
      servers[server].receive(
        request, ticket: Ticket(number), in: samples.database, from: samples.caller, at: samples.now,
        using: &generator)
    }
    for case .answer(let ticket, .records(let results)) in servers[server].endTurn(using: &generator) {
      guard let zone = requests[ticket.number].recordZoneID else { continue }
      for result in results {
        guard let record = result.record else { continue }
        confirmed[zone.zoneName, default: []].append((record.recordName, record.changeTag))
      }
    }
  }

  /// Every confirmed version has its own tag, and nothing but what was confirmed is there.
  func check() throws {
    for zone in zones.map(\.zoneName) {
      let key = ZoneKey(database: samples.database, zoneName: zone)
      let header = try #require(try shared.committed.zone(key))
      let versions = confirmed[zone] ?? []
      #expect(Set(versions.map(\.tag.text)).count == versions.count, "a tag of \(zone) was given twice")
      let query = FeedQuery(position: 0, isReversed: false, limit: 100, recordTypes: nil)
      let saved = try shared.committed.feed(query, in: key).page.changes.compactMap { change -> Record? in
        if case .saved(let record) = change { record } else { nil }
      }
      #expect(saved.count == header.recordCount)
      for record in saved {
        #expect(versions.last { $0.name == record.recordName }?.tag == record.changeTag, "\(record.recordName)")
      }
    }
    let sequences = try shared.committed.zones(in: samples.database).map(\.databaseSequence)
    #expect(Set(sequences).count == sequences.count, "two zones took the same place in the database's order")
  }
}
