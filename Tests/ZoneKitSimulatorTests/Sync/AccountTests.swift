import ZoneKitRecords
import ZoneKitSimulator
import Testing

@testable import ZoneKitSync

/// Accounts that come and go, also while nobody runs the device (sync semantics, scenario 6).
struct AccountTests {
  /// A device of `nanny` that holds `R` on the cloud and `SECRET` unsent.
  private func world(_ configuration: CoordinatorConfiguration = .items) throws -> World {
    var world = try World(devices: 1, configuration: configuration)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    world.setOnline(0, false)
    try world.edit(0, Items.save("SECRET", ["a": "1"]))
    return world
  }

  private func names(_ world: World) throws -> [Name] {
    try world.devices[0].store.records(ofType: "Item").map(\.recordID.recordName)
  }

  /// The process ends and starts again with that account signed in.
  private func restart(_ world: inout World, as account: Name?) {
    world.kill(0)
    world.signIn(0, account)
    world.setOnline(0, true)
    world.start(0)
    world.settle()
  }

  @Test(arguments: ["other", nil] as [Name?])
  func `an account that changed while the app was not running takes the old one's data with it`(account: Name?) throws {
    var world = try world()
    restart(&world, as: account)
    #expect(try names(world) == [])
    #expect(world.held(Items.zone, of: "other").isEmpty)
    #expect(try world.devices[0].store.conflicts(limit: 9).map(\.recordID) == [Items.id("SECRET")])
    #expect(world.facts(of: 0).contains(.accountChanged(from: "nanny", to: account, discarded: 1)))
    restart(&world, as: "nanny")
    #expect(try names(world) == ["R"])
    #expect(try world.devices[0].store.conflicts(limit: 9).count == 1, "what was set aside is still to be found")
  }

  @Test func `an account that changed away and back while the app was not running changed nothing`() throws {
    var world = try world()
    restart(&world, as: "nanny")
    #expect(try names(world) == ["R", "SECRET"])
    #expect(world.held(Items.zone).map(\.recordName) == ["R", "SECRET"])
  }

  @Test func `tokens, stamps and names of one account are not used for another`() throws {
    var world = try world()
    let old = try world.devices[0].store.values()
    let start = world.requests.count
    restart(&world, as: "other")
    let new = try world.devices[0].store.values()
    #expect(new[.deviceID] != old[.deviceID] && new[.pushToken] != old[.pushToken])
    let first = world.requests.dropFirst(start).first {
      if case .fetchDatabaseChanges = $0.request { true } else { false }
    }
    #expect(first?.request == .fetchDatabaseChanges(since: nil, limit: ZoneChangesQuery.pageLimit))
    #expect(try world.devices[0].store.conflicts(limit: 9).count == 1)
  }

  @Test func `while nobody is signed in nothing is asked of the cloud, and edits go on`() throws {
    var world = try world()
    restart(&world, as: nil)
    let start = world.requests.count
    try world.edit(0, Items.save("ALONE", ["a": "1"]))
    world.push(0, PushNotification(subject: .database, notificationID: "N"))
    world.wish(0, .manual)
    world.wait(2 * 86_400_000)
    #expect(world.requests.count == start)
    #expect(try names(world) == ["ALONE"])
  }

  @Test(arguments: CoordinatorConfiguration.SignInRule.allCases)
  func `edits of nobody go to who signs in, or to the journal, and nothing of the last account with them`(
    rule: CoordinatorConfiguration.SignInRule
  ) throws {
    var configuration = CoordinatorConfiguration.items
    configuration.merging.signInRule = rule
    var world = try world(configuration)
    restart(&world, as: nil)
    try world.edit(0, Items.save("B", ["a": "1"]), Items.save("A", ["a": "1"]))
    world.signIn(0, "other")
    world.settle()
    let uploads = rule == .upload
    #expect(world.held(Items.zone, of: "other").map(\.recordName) == (uploads ? ["A", "B"] : []))
    #expect(try world.devices[0].store.conflicts(limit: 9).count == (uploads ? 1 : 3))
    #expect(try world.devices[0].store.census().pending == 0)
  }

  @Test func `an answer for the account that was left changes nothing`() throws {
    var world = try World(devices: 1)
    try world.edit(0, Items.save("R", ["a": "1"]))
    world.settle()
    try world.reset(0, .local(keepingPending: false))
    world.setDelay(1_000...1_000)
    world.settle()
    world.wish(0, .foreground)
    world.wait(500)
    world.signIn(0, "other")
    world.settle()
    let isLate = world.facts(of: 0).contains { if case .lateAnswer = $0 { true } else { false } }
    #expect(isLate)
    #expect(try names(world) == [])
  }

  @Test func `a push that comes before the launch causes no request until the launch names the account`() throws {
    var world = try world()
    world.kill(0)
    var generator = SplitMix64(seed: 1)
    var coordinator = try SyncCoordinator(store: world.devices[0].store, configuration: .items)
    let push = PushNotification(subject: .database, notificationID: "EARLY")
    let early = coordinator.receivedPush(push, at: world.moment(of: 0), using: &generator)
    #expect(!early.contains { if case .send = $0 { true } else { false } })
    #expect(coordinator.nextDeadline == nil)
    var effects = try coordinator.launch(account: "nanny", at: world.moment(of: 0), using: &generator)
    while !effects.isEmpty {
      guard case .send(let id, let request) = effects.removeFirst() else { continue }
      let answer = world.ask(request, as: "nanny", deviceID: coordinator.deviceID)
      effects += coordinator.received(id, .success(answer), at: world.moment(of: 0), using: &generator)
    }
    #expect(world.held(Items.zone).map(\.recordName) == ["R", "SECRET"])
    #expect(try coordinator.store.values()[.pushLastHandledAt] != nil)
  }
}
