import Testing
import ZoneKitRecords
import ZoneKitMemoryStores

@testable import ZoneKitSync

@Suite struct `a gate with several paces` {
  private var gate = SyncGate(
    quiet: 250, quietLimit: 2_000, paces: [.localChange: Pace(quiet: 5_000, limit: 30_000)])

  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  @Test mutating func `waits for each reason as long as its pace says`() {
    gate.request(.localChange, now: time(0))
    #expect(gate.deadline == time(5_000))
    gate.request(.localChange, now: time(4_000))
    #expect(gate.deadline == time(9_000))
    for now in stride(from: Int64(8_000), through: 28_000, by: 4_000) { gate.request(.localChange, now: time(now)) }
    #expect(gate.deadline == time(30_000))
  }

  @Test mutating func `starts with the first request that is due and takes the others along`() {
    gate.request(.localChange, now: time(0))
    gate.request(.push, now: time(100))
    #expect(gate.deadline == time(350))
    gate.request(.localChange, now: time(200))
    #expect(gate.deadline == time(350))
    #expect(gate.begin(now: time(350)) == [.push, .localChange])
    gate.finish()
    #expect(gate.deadline == nil)
  }

  @Test mutating func `leaves pushes their quiet time if what they announce may be incomplete`() {
    gate = SyncGate(
      quiet: 250, quietLimit: 2_000, paces: [.localChange: Pace(quiet: 5_000, limit: 30_000)], completesPushes: true)
    gate.request(.push, pace: Pace(quiet: 300, limit: 1_000), now: time(0))
    gate.request(.manual, now: time(100))
    #expect(gate.begin(now: time(100)) == [.manual])
    #expect(gate.leavesPushes)
    gate.finish()
    #expect(gate.deadline == time(300))
    // A message is announced completely, a transaction that was announced just before is not.
    gate.request(.push, pace: .atOnce, now: time(200))
    #expect(gate.begin(now: time(200)) == [.push])
    #expect(gate.leavesPushes)
    gate.finish()
    #expect(gate.begin(now: time(300)) == [.push])
    #expect(!gate.leavesPushes)
    gate.finish()
    #expect(gate.deadline == nil)
  }

  @Test mutating func `takes the pace that a request brings`() {
    gate.request(.push, pace: Pace(quiet: 1_000, limit: 3_000), now: time(0))
    #expect(gate.deadline == time(1_000))
    gate.request(.push, pace: .atOnce, now: time(10))
    #expect(gate.begin(now: time(10)) == [.push])
  }

  @Test mutating func `joins requests for different reasons of one pace`() {
    gate.request(.push, pace: Pace(quiet: 5_000, limit: 30_000), now: time(0))
    gate.request(.localChange, now: time(1_000))
    #expect(gate.deadline == time(6_000))
  }

  @Test mutating func `lets the first request pass where its pace says so`() {
    gate = SyncGate(
      quiet: 250, quietLimit: 2_000, paces: [.push: Pace(quiet: 500, limit: 900, firstAtOnce: true)])
    gate.request(.push, now: time(0))
    #expect(gate.begin(now: time(0)) == [.push])
    gate.finish()
    gate.request(.push, now: time(499))
    #expect(gate.deadline == time(999))
  }

  /// The times at which syncs begin that edits cause, in milliseconds.
  private mutating func begins(ofEditsAt times: [Int64], until end: Int64) -> [Int64] {
    var begins: [Int64] = []
    for now in stride(from: 0, through: end, by: 100) {
      for edit in times where edit == now { gate.request(.localChange, now: time(edit)) }
      guard gate.begin(now: time(now)) != nil else { continue }
      begins.append(now)
      gate.finish()
    }
    return begins
  }

  @Test mutating func `counts requests where its pace says so: a steady stream has one first`() {
    gate = SyncGate(
      quiet: 250, quietLimit: 2_000,
      paces: [.localChange: Pace(quiet: 5_000, limit: 30_000, firstAtOnce: true, countsRequests: true)])
    #expect(begins(ofEditsAt: (0...70).map { $0 * 1_000 }, until: 90_000) == [0, 31_000, 62_000, 75_000])
  }

  @Test mutating func `lets the first request of such a pace pass after a sync of another reason`() {
    gate = SyncGate(
      quiet: 250, quietLimit: 2_000,
      paces: [.localChange: Pace(quiet: 5_000, limit: 30_000, firstAtOnce: true, countsRequests: true)])
    gate.request(.launch, now: time(0))
    #expect(gate.begin(now: time(0)) == [.launch])
    gate.request(.localChange, now: time(200))
    gate.request(.localChange, now: time(300))
    gate.finish()
    #expect(gate.deadline == time(200))
    #expect(gate.begin(now: time(400)) == [.localChange])
    gate.finish()
    #expect(begins(ofEditsAt: [1_000, 2_000, 20_000], until: 30_000) == [7_000, 20_000])
  }

  @Test mutating func `sends edits during a back-off of fetching not before their pace`() {
    gate.backOff(until: time(60_000), sparesEdits: true)
    gate.request(.localChange, now: time(0))
    gate.request(.push, now: time(0))
    #expect(gate.begin(now: time(4_999)) == nil)
    #expect(gate.begin(now: time(5_000)) == [.localChange])
    gate.finish()
    #expect(gate.deadline == time(60_000))
  }

  @Test mutating func `takes requests for one reason back`() {
    gate.request(.refresh, now: time(0))
    gate.request(.localChange, now: time(0))
    gate.withdraw(.refresh)
    #expect(gate.deadline == time(5_000))
    gate.withdraw(.localChange)
    #expect(gate.deadline == nil)
    #expect(!gate.isWaiting)
    gate.request(.refresh, at: time(9))
    gate.withdraw(.refresh)
    #expect(gate.deadline == nil)
  }
}

@Suite struct `hints of pushes` {
  private static var configuration: CoordinatorConfiguration {
    var configuration = Sample.configuration
    configuration.traits.feeds = .zones([Sample.zone])
    configuration.pushes.subscriptionID = nil
    configuration.pushes.emptyPushTries = 0
    return configuration
  }

  private func answer(_ request: CloudRequest) -> CloudResponse? {
    switch request {
    case .fetchZoneChanges(let queries): .zoneChanges(queries.map { .changes(Sample.page([], of: $0.zoneID)) })
    case .fetchDatabaseChanges:
      .databaseChanges(
        DatabaseChanges(
          zones: [.changed(Sample.zone, token: ChangeToken("x"))], token: ChangeToken("d1"), moreComing: false))
    default: nil
    }
  }

  /// The types to which each query of a zone was limited.
  private func types(_ cloud: ScriptedCloud) -> [[Name]?] {
    cloud.requests.flatMap { request -> [[Name]?] in
      guard case .fetchZoneChanges(let queries) = request else { return [] }
      return queries.map(\.recordTypes)
    }
  }

  private func push(_ id: String) -> PushNotification { PushNotification(notificationID: id) }

  @Test func `limit the fetch to their types, and only that fetch`() throws {
    var cloud = try ScriptedCloud(Self.configuration)
    try cloud.launch(answer)
    #expect(types(cloud) == [nil])
    cloud.forget()
    cloud.push([push("1"), push("2")], hints: [PushHint(types: ["B", "A"]), PushHint(types: ["C"])], answer)
    #expect(types(cloud) == [["A", "B", "C"]])
    cloud.forget()
    cloud.push([push("3"), push("4")], hints: [PushHint(types: ["A"]), nil], answer)
    #expect(types(cloud) == [nil])
    cloud.forget()
    cloud.sync(.foreground, answer)
    #expect(types(cloud) == [nil])
  }

  @Test func `limit no full fetch`() throws {
    var cloud = try ScriptedCloud(Self.configuration)
    try cloud.launch(answer)
    cloud.forget()
    var isRefused = false
    cloud.push([push("1")], hints: [PushHint(types: ["A"])]) { request in
      guard case .fetchZoneChanges = request, !isRefused else { return answer(request) }
      isRefused = true
      return .zoneChanges([.failed(Sample.zone, CloudError(.changeTokenExpired, "no"))])
    }
    #expect(types(cloud) == [["A"], nil])
  }

  @Test func `limit no fetch where the database's feed is read`() throws {
    var configuration = Self.configuration
    configuration.traits.feeds = .database
    var cloud = try ScriptedCloud(configuration)
    try cloud.launch(answer)
    cloud.forget()
    cloud.push([push("1")], hints: [PushHint(types: ["A"])], answer)
    #expect(types(cloud) == [nil])
  }

  @Test(
    arguments: [
      (PushHint(quiet: 0, limit: 0), 0), (PushHint(quiet: 300, limit: 1_000), 300), (PushHint(), 250),
    ] as [(PushHint, Int64)])
  func `say how long the device waits for more`(hint: PushHint, wait: Int64) throws {
    var cloud = try ScriptedCloud(Self.configuration)
    try cloud.launch(answer)
    cloud.forget()
    let start = cloud.time + 10_000
    cloud.push([push("1")], hints: [hint], answer)
    #expect(types(cloud).count == 1)
    // A request takes 1 ms.
    #expect(cloud.time == start + wait + 1)
  }

  @Test(arguments: [(nil, true), (["Item"], true), (["Other"], false)] as [(Set<Name>?, Bool)])
  func `are missed only for types that are announced`(types: Set<Name>?, isDrought: Bool) throws {
    var configuration = Self.configuration
    configuration.traits.announcedTypes = types
    var cloud = try ScriptedCloud(configuration)
    try cloud.launch(answer)
    let change = Sample.record("A", Sample.content("a"), at: cloud.time + 10_000)
    cloud.wait(100_000)
    cloud.sync(.foreground) { request in
      guard case .fetchZoneChanges = request else { return answer(request) }
      return .zoneChanges([.changes(Sample.page([.saved(change)], token: "t2"))])
    }
    #expect(cloud.facts.contains(.drought) == isDrought)
  }
}

@Suite struct `a background refresh` {
  private typealias Coordinator = SyncCoordinator<MemoryDeviceStore>
  private var generator = SplitMix64(seed: 1)

  /// A coordinator whose first sync has ended.
  private mutating func coordinator() throws -> Coordinator {
    var configuration = Sample.configuration
    configuration.traits.feeds = .zones([Sample.zone])
    configuration.pushes.subscriptionID = nil
    var coordinator = try Coordinator(store: MemoryDeviceStore(), configuration: configuration)
    let effects = try coordinator.launch(account: "nanny", at: Sample.moment(0), using: &generator)
    _ = try answer(effects, &coordinator, at: 1)
    return coordinator
  }

  private func request(_ effects: [Effect]) -> RequestID? {
    for case .send(let id, _) in effects { return id }
    return nil
  }

  private mutating func answer(
    _ effects: [Effect], _ coordinator: inout Coordinator, at now: Int64
  ) throws -> [Effect] {
    let page = CloudResponse.zoneChanges([.changes(Sample.page([]))])
    return coordinator.received(
      try #require(request(effects)), .success(page), at: Sample.moment(now), using: &generator)
  }

  private mutating func refresh(_ coordinator: inout Coordinator, at now: Int64) -> [Effect] {
    coordinator.requestSyncIfNeeded(reason: .refresh, at: Sample.moment(now), using: &generator)
  }

  @Test mutating func `ends well with its sync, and once`() throws {
    var coordinator = try coordinator()
    let effects = refresh(&coordinator, at: 100_000)
    #expect(coordinator.nextDeadline == MonotonicTime(milliseconds: 130_000))
    #expect(
      try answer(effects, &coordinator, at: 100_001)
        == [
          .fact(.pageMerged(Sample.zone, records: 0, moreComing: false)),
          .fact(.syncFinished([.refresh], records: 0, pages: 1)), .fact(.refreshEnded(isWell: true)),
        ])
    #expect(coordinator.tick(at: Sample.moment(130_000), using: &generator) == [])
  }

  @Test mutating func `is given up when its time is over, without a failure`() throws {
    var coordinator = try coordinator()
    let effects = refresh(&coordinator, at: 100_000)
    #expect(coordinator.tick(at: Sample.moment(129_999), using: &generator) == [])
    #expect(coordinator.tick(at: Sample.moment(130_000), using: &generator) == [.fact(.refreshEnded(isWell: false))])
    #expect(coordinator.isIdle)
    let late = try #require(request(effects))
    #expect(try answer(effects, &coordinator, at: 130_001) == [.fact(.lateAnswer(late))])
    #expect(
      coordinator.requestSyncIfNeeded(reason: .foreground, at: Sample.moment(130_002), using: &generator).contains(
        .fact(.syncStarted([.foreground]))))
  }

  @Test mutating func `leaves the other reasons of its sync to another one`() throws {
    var coordinator = try coordinator()
    _ = coordinator.receivedPush(
      PushNotification(notificationID: "1"), at: Sample.moment(100_000), using: &generator)
    _ = refresh(&coordinator, at: 100_000)
    #expect(coordinator.tick(at: Sample.moment(130_000), using: &generator) == [.fact(.refreshEnded(isWell: false))])
    #expect(
      coordinator.tick(at: Sample.moment(130_250), using: &generator).first == .fact(.syncStarted([.push])))
  }

  @Test mutating func `waits for the sync that runs, and its time counts from the grant`() throws {
    var coordinator = try coordinator()
    let running = coordinator.requestSyncIfNeeded(reason: .foreground, at: Sample.moment(100_000), using: &generator)
    #expect(refresh(&coordinator, at: 100_010) == [.fact(.syncRequested(.refresh))])
    let next = try answer(running, &coordinator, at: 100_020)
    #expect(next.contains(.fact(.syncStarted([.refresh]))))
    #expect(!next.contains(.fact(.refreshEnded(isWell: true))))
    #expect(coordinator.tick(at: Sample.moment(130_010), using: &generator) == [.fact(.refreshEnded(isWell: false))])
  }

  @Test mutating func `is taken back where no sync began in its time`() throws {
    var coordinator = try coordinator()
    let running = coordinator.requestSyncIfNeeded(reason: .foreground, at: Sample.moment(100_000), using: &generator)
    _ = refresh(&coordinator, at: 100_000)
    #expect(coordinator.tick(at: Sample.moment(130_000), using: &generator) == [.fact(.refreshEnded(isWell: false))])
    let end = try answer(running, &coordinator, at: 130_001)
    #expect(end.last == .fact(.syncFinished([.foreground], records: 0, pages: 1)))
    #expect(coordinator.isIdle)
  }

  @Test mutating func `does not end well where its sync fails`() throws {
    var coordinator = try coordinator()
    let id = try #require(request(refresh(&coordinator, at: 100_000)))
    let effects = coordinator.received(
      id, .failure(CloudError(.networkFailure, "no")), at: Sample.moment(100_001), using: &generator)
    #expect(effects.last == .fact(.refreshEnded(isWell: false)))
  }

  @Test mutating func `ends at once where nobody is signed in`() throws {
    var coordinator = try coordinator()
    _ = try coordinator.accountChanged(to: nil, at: Sample.moment(9), using: &generator)
    #expect(
      refresh(&coordinator, at: 100_000) == [.fact(.syncRequested(.refresh)), .fact(.refreshEnded(isWell: true))])
    #expect(coordinator.nextDeadline == nil)
  }
}
