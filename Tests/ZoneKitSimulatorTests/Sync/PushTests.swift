import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync
import Testing

/// What pushes do, and what they must not do.
struct PushTests {
  private func push(_ id: String?, subscription: String? = "zonekit-database-changes") -> PushNotification {
    var push = PushNotification(subject: .database, notificationID: id)
    push.subscriptionID = subscription
    return push
  }

  private func count(_ key: DeviceKey, in world: World) throws -> Int64 {
    try world.devices[0].store.values()[key]?.integer ?? 0
  }

  @Test func `the same push again costs no fetch and is counted, also after a restart`() throws {
    var world = try World(devices: 1)
    world.push(0, push("N1"))
    world.settle()
    world.crash(0)
    world.settle()
    let requests = world.requests.count
    for _ in 0..<3 { world.push(0, push("N1")) }
    world.settle()
    #expect(world.requests.count == requests)
    #expect(try count(.pushDuplicates, in: world) == 3)
    #expect(try count(.pushReceived, in: world) == 4)
  }

  @Test func `a push without an ID counts as new each time`() throws {
    var world = try World(devices: 1)
    for expected in 1...2 {
      let requests = world.requests.count
      world.push(0, push(nil))
      world.settle()
      // It yields nothing, so there is a second look.
      #expect(world.requests.count == requests + 2)
      #expect(try count(.pushWithoutID, in: world) == Int64(expected))
    }
  }

  @Test func `a push of an unknown subscription or for another account is counted and causes no fetch`() throws {
    var world = try World(devices: 1)
    let requests = world.requests.count
    world.push(0, push("N1", subscription: "another"))
    #expect(try world.devices[0].store.values()[.pushLastIgnored] == .text("unknownSubscription"))
    var foreign = push("N2")
    foreign.userRecordName = UserRecordName.of(user: "other")
    world.push(0, foreign)
    world.settle()
    #expect(world.requests.count == requests)
    #expect(try count(.pushUnknownSubscription, in: world) == 1)
    #expect(try count(.pushOtherAccount, in: world) == 1)
    #expect(try world.devices[0].store.values()[.pushLastIgnored] == .text("otherAccount"))
    world.push(0, push("N3"))
    world.settle()
    #expect(try world.devices[0].store.values()[.pushLastIgnored] == nil)
  }

  @Test func `pushes during a sync make exactly one more sync after it`() throws {
    var world = try World(devices: 1)
    world.setDelay(500...500)
    world.wish(0, .manual)
    for number in 0..<5 {
      world.wait(20)
      world.push(0, push("N\(number)"))
    }
    world.settle()
    let syncs = world.facts(of: 0).filter { if case .syncStarted = $0 { true } else { false } }
    // The last one looks again, because the pushes were for nothing.
    #expect(syncs.suffix(3) == [.syncStarted([.manual]), .syncStarted([.push]), .syncStarted([.emptyPush])])
  }

  @Test func `a steady stream of pushes does not put a fetch off for more than two seconds`() throws {
    var world = try World(devices: 1)
    let start = world.now
    let requests = world.requests.count
    for number in 0..<30 {
      world.push(0, push("N\(number)"))
      world.wait(100)
    }
    #expect(world.requests[requests].at == start.advanced(byMilliseconds: 2_000))
  }

  @Test(arguments: [(0, 0), (250, 250)] as [(Int64, Int64)])
  func `a push leads to a fetch after the quiet time`(quiet: Int64, expected: Int64) throws {
    var configuration = CoordinatorConfiguration.items
    configuration.pacing.quiet = quiet
    var world = try World(devices: 1, configuration: configuration)
    let start = world.now
    let requests = world.requests.count
    world.push(0, push("N1"))
    world.settle()
    #expect(world.requests[requests].at == start.advanced(byMilliseconds: expected))
  }

  @Test func `the ring remembers a thousand IDs and forgets the oldest with the next one`() throws {
    var world = try World(devices: 1)
    for number in 0..<1_000 { world.push(0, push("N\(number)")) }
    #expect(try world.devices[0].store.isKnown(notificationID: "N0"))
    world.push(0, push("N1000"))
    #expect(try !world.devices[0].store.isKnown(notificationID: "N0"))
    #expect(try world.devices[0].store.isKnown(notificationID: "N1"))
  }

  @Test func `an ID is forgotten after seven days`() throws {
    var world = try World(devices: 1)
    world.push(0, push("N1"))
    world.wait(7 * 86_400_000 + 1)
    world.push(0, push("N2"))
    #expect(try !world.devices[0].store.isKnown(notificationID: "N1"))
  }

  @Test func `a change that comes without its push raises the drought flag, and the next push takes it away`() throws {
    var world = try World(devices: 2)
    world.losePushes()
    try world.edit(1, Items.save("R", ["a": "1"]))
    world.wait(120_000)
    world.wish(0, .foreground)
    world.settle()
    #expect(world.facts(of: 0).contains(.drought))
    #expect(try count(.pushDrought, in: world) == 1)
    world.push(0, push("N1"))
    #expect(try count(.pushDrought, in: world) == 0)
  }

  @Test func `changes made while the device was offline are no drought`() throws {
    var world = try World(devices: 2)
    world.setOnline(0, false)
    try world.edit(1, Items.save("R", ["a": "1"]))
    world.wait(120_000)
    world.setOnline(0, true)
    world.settle()
    #expect(!world.facts(of: 0).contains(.drought))
    #expect(world.shown(on: 0) == [Items.id("R")])
  }

  @Test func `a lost subscription is created again at the next launch, although the device has it as verified`() throws
  {
    var world = try World(devices: 1)
    world.ask(.modifySubscriptions([.delete("zonekit-database-changes")]))
    world.crash(0)
    world.settle()
    world.crash(0)
    world.settle()
    let checks = world.facts(of: 0).filter { if case .subscriptionChecked = $0 { true } else { false } }
    #expect(checks == [.subscriptionChecked(.created), .subscriptionChecked(.created), .subscriptionChecked(.found)])
  }

  @Test func `a mute subscription is replaced`() throws {
    var world = try World(devices: 1, launches: false)
    let mute = Subscription(subscriptionID: "zonekit-database-changes", kind: .database, notificationInfo: nil)
    world.ask(.modifySubscriptions([.create(mute)]))
    world.start(0)
    world.settle()
    #expect(world.facts(of: 0).contains(.subscriptionChecked(.replaced)))
  }
}
