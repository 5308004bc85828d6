import ZoneKitRecords
import ZoneKitSimulator
import Testing
import ZoneKitCloud

@testable import ZoneKitSync

/// The subscription is looked for where it has to be, on the cloud (sync semantics, scenarios 11 and 12).
struct SubscriptionTests {
  private static let id = "zonekit-database-changes"

  private func checks(_ world: World, on index: Int = 0) -> [SubscriptionCheck.Origin] {
    world.facts(of: index).compactMap { if case .subscriptionChecked(let origin) = $0 { origin } else { nil } }
  }

  private func subscriptions(_ world: inout World) -> [String] {
    guard case .subscriptions(let results) = world.ask(.listSubscriptions) else { return [] }
    return results.compactMap { if case .subscription(let found) = $0 { found.subscriptionID } else { nil } }
  }

  private static func silent(_ id: String) -> Subscription {
    Subscription(subscriptionID: id, kind: .database, notificationInfo: .silent)
  }

  @Test func `of two devices that start at the same moment one made it and the other found it`() throws {
    var world = try World(devices: 2, launches: false)
    world.start(0)
    world.start(1)
    world.settle()
    #expect((checks(world, on: 0) + checks(world, on: 1)).map(\.rawValue).sorted() == ["created", "found"])
    #expect(subscriptions(&world) == [Self.id])
  }

  @Test func `a subscription that vanished while the app runs is made again within a day`() throws {
    var world = try World(devices: 1)
    world.ask(.modifySubscriptions([.delete(Self.id)]))
    world.wait(86_400_000 + 600_000)
    #expect(subscriptions(&world) == [Self.id])
    #expect(checks(world) == [.created, .created])
  }

  @Test func `one that lost its content-available is replaced within a day`() throws {
    var world = try World(devices: 1)
    world.ask(
      .modifySubscriptions([
        .update(Subscription(subscriptionID: Self.id, kind: .database, notificationInfo: nil))
      ]))
    world.wait(86_400_000 + 600_000)
    #expect(checks(world) == [.created, .replaced])
  }

  @Test func `it is checked once a day and not more often, with any other syncs between`() throws {
    var world = try World(devices: 1)
    for _ in 0..<72 {
      world.wish(0, .foreground)
      world.wait(3_600_000)
    }
    #expect(checks(world) == [.created, .found, .found])
  }

  @Test func `missing pushes lead to a look at once, and to one in ten minutes at most`() throws {
    var world = try World(devices: 2)
    world.ask(.modifySubscriptions([.delete(Self.id)]))
    world.losePushes()
    for number in 0..<30 {
      try world.edit(1, Items.save("R", ["a": "\(number)"]))
      world.wait(120_000)
      world.wish(0, .foreground)
      world.wait(1_000)
    }
    #expect(world.facts(of: 0).contains(.drought))
    #expect(subscriptions(&world) == [Self.id])
    #expect((3...8).contains(checks(world).count))
  }

  @Test func `a check that fails comes again after an hour`() throws {
    var world = try World(devices: 1, launches: false)
    world.refuse(.permissionFailure, on: FaultScope(.lookupSubscriptions))
    world.start(0)
    world.settle()
    #expect(checks(world) == [])
    world.endFaults()
    world.wait(3_600_000)
    #expect(checks(world) == [.created])
  }

  @Test func `what failed of pushes is tried again at once when the user asks for a sync`() throws {
    var world = try World(devices: 1, launches: false)
    world.refuse(.permissionFailure, on: FaultScope(.registerPushToken, .lookupSubscriptions))
    world.start(0)
    world.settle()
    world.endFaults()
    world.wish(0, .foreground)
    world.settle()
    #expect(checks(world) == [], "only the user's own wish goes before the hour")
    world.wish(0, .manual)
    world.wait(5_000)
    let isRegistered = world.facts(of: 0).contains { if case .pushTokenRegistered = $0 { true } else { false } }
    #expect(isRegistered)
    #expect(checks(world) == [.created])
  }

  @Test func `a push token that was not taken is tried again after an hour`() throws {
    var world = try World(devices: 1, launches: false)
    world.refuse(.permissionFailure, on: FaultScope(.registerPushToken))
    world.start(0)
    world.settle()
    world.endFaults()
    world.wait(3_600_000)
    let isRegistered = world.facts(of: 0).contains { if case .pushTokenRegistered = $0 { true } else { false } }
    #expect(isRegistered)
  }

  @Test(arguments: [RequestKind.createPushToken, .registerPushToken])
  func `a push token that is not to be had is asked for once an hour, however many pages come`(kind: RequestKind) throws
  {
    var world = try World(devices: 2, launches: false)
    world.refuse(.permissionFailure, on: FaultScope(kind))
    world.start(1)
    world.settle()
    for name in ["A", "B", "C", "D"] as [Name] { try world.edit(1, Items.save(name, ["a": "1"])) }
    world.settle()
    world.start(0)
    world.wait(600_000)
    world.wish(0, .foreground)
    world.wait(600_000)
    let count = world.requests.count { $0.device == 0 && $0.request.kind == kind }
    #expect(count == 1)
  }

  @Test func `a push token that the push service does not know any more is replaced by a new one`() throws {
    var world = try World(devices: 1)
    let old = world.devices[0].coordinator.pushToken
    world.endPushToken(of: 0)
    world.settle()
    let new = world.devices[0].coordinator.pushToken
    #expect(new != nil && new != old)
    #expect(world.facts(of: 0).contains(.pushTokenRegistered(try #require(new))))
  }

  @Test func `the feeds are read once more when subscription and push token have settled, once for both`() throws {
    let world = try World(devices: 1)
    let syncs = world.facts(of: 0).compactMap { if case .syncStarted(let reasons) = $0 { reasons } else { nil } }
    #expect(syncs == [[.launch], [.subscription]])
  }

  @Test(arguments: [nil, 0, 1_000])
  func `a commit without a push, because the push token was new, is fetched when it is visible`(
    diesAfter delay: Int64?
  ) throws {
    var limits = Limits()
    limits.visibleDelay = 4_000
    var configuration = CoordinatorConfiguration.items
    // A feed that is known to be behind would be asked again anyhow.
    configuration.pushes.emptyPushTries = 0
    var world = try World(devices: 2, configuration: configuration, limits: limits)
    let old = world.devices[0].coordinator.pushToken
    world.endPushToken(of: 0)
    try world.edit(1, Items.save("R", ["a": "1"]))
    let end = world.now.advanced(byMilliseconds: 10_000)
    let isNew = world.run(until: end) { ![nil, old].contains($0.devices[0].coordinator.pushToken) }
    #expect(isNew)
    if let delay {
      world.wait(delay)
      world.crash(0)
    }
    world.wait(60_000)
    #expect(world.shown(on: 0).map(\.recordName) == ["R"])
  }

  @Test(arguments: [CloudErrorCode.serverRejectedRequest, .internalError])
  func `the loser of a race to create it finds it, if the cloud refuses duplicates`(code: CloudErrorCode) throws {
    var world = try World(devices: 2, launches: false)
    world.fault(
      .refuseItems(CloudError(code, "duplicates \(Self.id)")), on: FaultScope(.saveSubscriptions), after: 1)
    world.setDelay(100...100)
    world.start(0)
    world.start(1)
    world.settle()
    let created = (checks(world, on: 0) + checks(world, on: 1)).count { $0 == .created }
    #expect(created == 1)
    #expect((checks(world, on: 0) + checks(world, on: 1)).count { $0 == .found } == 1)
    #expect(subscriptions(&world) == [Self.id])
  }

  @Test func `one of an earlier install that does the same is removed, so that a change makes one push`() throws {
    var world = try World(devices: 2, launches: false)
    world.ask(.modifySubscriptions([.create(Self.silent("earlier"))]))
    world.start(0)
    world.start(1)
    world.settle()
    #expect(subscriptions(&world) == [Self.id])
    try world.edit(1, Items.save("R", ["a": "1"]))
    world.settle()
    let earlier = try world.devices[0].store.values()[.pushReceived]?.integer ?? 0
    try world.edit(1, Items.save("R", ["a": "2"]))
    world.settle()
    #expect(try world.devices[0].store.values()[.pushReceived]?.integer == earlier + 1)
  }

  @Test(arguments: [true, false])
  func `one that does the same and comes later is removed within a day, unless the app wants to keep it`(
    removes: Bool
  ) throws {
    var configuration = CoordinatorConfiguration.items
    configuration.pushes.removesExtraSubscriptions = removes
    var world = try World(devices: 1, configuration: configuration)
    world.ask(.modifySubscriptions([.create(Self.silent("later"))]))
    world.wait(86_400_000 + 600_000)
    #expect(subscriptions(&world) == (removes ? [Self.id] : ["later", Self.id]))
    #expect(checks(world) == [.created, .found])
  }

  @Test func `a cloud that does not list what it holds does not spoil the check`() throws {
    var world = try World(devices: 1, launches: false)
    world.refuse(.permissionFailure, on: FaultScope(.listSubscriptions))
    world.start(0)
    world.settle()
    #expect(checks(world) == [.created])
  }
}
