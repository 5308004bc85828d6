import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSimulator
import Testing
import ZoneKitCloud

@testable import ZoneKitSync

/// Feeds that give an empty token, which means the same as none (CloudKit Web Services, c.6). No fault of the cloud's gives
/// one to a device that has a token, so a coordinator over the device's disk is asked without its world.
struct EmptyTokenTests {
  /// Device B's coordinator, and the requests that it sent.
  private struct Rig {
    var world: World
    var coordinator: SyncCoordinator<MemoryDeviceStore>
    var requests: [CloudRequest] = []
    var facts: [DeviceFact] = []
    private var generator = SplitMix64(seed: 1)

    /// Two devices hold `R` with the text "1"; B's process is dead, and `R` has another text on the cloud.
    init() throws {
      world = try World(devices: 2)
      try world.edit(0, Items.save("R", ["a": "1"]))
      world.settle()
      world.kill(1)
      try world.edit(0, Items.save("R", ["a": "2"]))
      world.settle()
      coordinator = try SyncCoordinator(store: world.devices[1].store, configuration: .items)
      let effects = try coordinator.launch(account: "nanny", at: world.moment(of: 1), using: &generator)
      carryOut(effects) { _ in nil }
      requests = []
    }

    /// One sync, whose requests are answered so, or by the cloud where that is nil.
    mutating func sync(_ answer: (CloudRequest) -> CloudResponse?) {
      world.wait(10_000)
      let effects = coordinator.requestSyncIfNeeded(reason: .manual, at: world.moment(of: 1), using: &generator)
      carryOut(effects, answer)
    }

    private mutating func carryOut(_ effects: [Effect], _ answer: (CloudRequest) -> CloudResponse?) {
      var effects = effects
      while !effects.isEmpty, requests.count < 100 {
        switch effects.removeFirst() {
        case .send(let id, let request):
          requests.append(request)
          let response = answer(request) ?? world.ask(request, as: "nanny", deviceID: coordinator.deviceID)
          effects += coordinator.received(id, .success(response), at: world.moment(of: 1), using: &generator)
        case .fact(let fact): facts.append(fact)
        case .remoteChange: break
        }
      }
    }

    /// The tokens with which the database's feed was asked.
    var databaseTokens: [ChangeToken?] {
      requests.compactMap { request -> ChangeToken?? in
        if case .fetchDatabaseChanges(let token, _) = request { .some(token) } else { nil }
      }
    }
  }

  @Test func `a database's feed that gives an empty token is read from its beginning the next time`() throws {
    var rig = try Rig()
    let token = try #require(rig.coordinator.databaseToken)
    for _ in 0..<2 {
      rig.sync { request in
        guard case .fetchDatabaseChanges = request else { return nil }
        return .databaseChanges(DatabaseChanges(zones: [], token: ChangeToken(""), moreComing: false))
      }
    }
    #expect(rig.databaseTokens == [token, nil])
    rig.sync { _ in nil }
    #expect(rig.coordinator.databaseToken != nil)
  }

  @Test(arguments: [false, true])
  func
    `a feed that promises more behind an empty token is left alone for a while, also where its beginning has another`(
      hasOther: Bool
    ) throws
  {
    var rig = try Rig()
    let other = ChangeToken(hasOther ? "other" : "")
    func next(_ token: ChangeToken?) -> ChangeToken { token?.unlessEmpty == nil ? other : ChangeToken("") }
    rig.sync { request in
      switch request {
      case .fetchDatabaseChanges(let token, _):
        return .databaseChanges(
          DatabaseChanges(zones: [.changed(Items.zone, token: ChangeToken("Z"))], token: next(token), moreComing: true))
      case .fetchZoneChanges(let queries):
        return .zoneChanges(
          queries.map {
            .changes(ZoneChanges(zoneID: $0.zoneID, page: RecordPage(), token: next($0.token), moreComing: true))
          })
      default: return nil
      }
    }
    #expect(rig.facts.contains(.tokenStuck(nil)) && rig.facts.contains(.tokenStuck(Items.zone)))
    #expect(rig.requests.count < 8)
    rig.sync { _ in nil }
    let record = try #require(try rig.coordinator.store.record(Items.id("R")))
    #expect(try record.local?.fields.decoded()["a"] == .string("2"))
  }
}
