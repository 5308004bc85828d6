import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitScenarios

@testable import ZoneKitSimulator

/// What the steps about the cloud do to it.
struct CloudStepEffectTests {
  /// A context in which device A is called `id-of-A` and is signed in as nanny.
  private struct Context: CloudStepContext {
    struct Refused: Error {}

    func id(of record: RecordReference) throws(Refused) -> RecordID {
      guard case .named(let name) = record else { throw Refused() }
      return RecordID(recordName: Name(name), zoneID: ZoneID(zoneName: "Items"))
    }

    func deviceID(of device: String) throws(Refused) -> String { "id-of-\(device)" }

    func account(of holder: Holder) throws(Refused) -> Name {
      switch holder {
      case .device: "nanny"
      case .account(let name): Name(name)
      }
    }

    func zone(_ name: String?) throws(Refused) -> ZoneID { ZoneID(zoneName: Name(name ?? "Items")) }

    func subscriptionID() throws(Refused) -> String { "changes" }

    var wall: WallTime { WallTime(milliseconds: 1_000) }
  }

  private static func effect(of line: String) throws -> CloudStepEffect? {
    let scenario = try Scenario(parsing: "scenario \"s\"\ndevices A signed in as nanny\n\(line)\n")
    switch scenario.steps.first?.step {
    case .cloud(let step): return try step.effect(in: Context())
    case .zone(let step): return try step.effect(in: Context())
    default: return nil
    }
  }

  private static let record = RecordID(recordName: "x", zoneID: ZoneID(zoneName: "Items"))

  @Test func `a refused record is refused when it is saved, in its zone, and not when it is deleted`() throws {
    let scope = FaultScope(.saveRecords, zoneName: "Items", recordNames: ["x"])
    let fault = Fault(.refuseItems(.planted(.invalidArguments)), on: scope, name: "refuse x of Items")
    #expect(try Self.effect(of: "the cloud refuses record x with invalidArguments") == .replace(fault))
    #expect(
      try Self.effect(of: "the cloud accepts record x again")
        == .remove(named: fault.name, otherwise: "it is not refused"))
  }

  @Test func `a fault for a device names the device as the cloud knows it`() throws {
    let scope = FaultScope(.saveRecords, deviceID: "id-of-A")
    let error = CloudError.planted(.zoneBusy, retryAfterMilliseconds: 2_000)
    #expect(
      try Self.effect(of: "the cloud answers the next 3 saves of A with zoneBusy retry after 2s")
        == .add(Fault(.refuse(error), on: scope, name: "zoneBusy", times: 3)))
    #expect(
      try Self.effect(of: "the cloud loses the answer to the next save of A after 2 others in 50% of cases")
        == .add(Fault(.loseAnswer, on: scope, name: "answer lost", after: 2, times: 1, perMille: 500)))
  }

  @Test func `a full cloud stays full until it has room again`() throws {
    let error = CloudError(.quotaExceeded, "the account's storage is full")
    let fault = Fault(.refuseItems(error), on: FaultScope(.saveRecords), name: "the cloud is full")
    #expect(try Self.effect(of: "the cloud is full") == .replace(fault))
    #expect(
      try Self.effect(of: "the cloud has room again") == .remove(named: fault.name, otherwise: "it is not full"))
  }

  @Test func `a later delay of the feeds replaces the one before`() throws {
    guard case .replace(let first) = try Self.effect(of: "the cloud shows commits 3s late"),
      case .replace(let second) = try Self.effect(of: "the cloud shows commits 5s late")
    else {
      Issue.record("both replace a fault")
      return
    }
    #expect(first.action == .staleFeed(milliseconds: 3_000))
    #expect(second.action == .staleFeed(milliseconds: 5_000))
    #expect(first.name == second.name)
  }

  @Test(
    arguments: [
      ("the cloud loses the subscription of A", .dropSubscription("changes")),
      ("the cloud mutes the subscription of A", .muteSubscription("changes")),
      ("expire all database tokens of A", .expireDatabaseTokens),
      ("purge the zone of A", .purgeZone(record.zoneID)),
      ("purge zone Other of A", .purgeZone(ZoneID(zoneName: "Other"))),
      ("reset the keys of the zone of A", .resetEncryptedData(record.zoneID)),
      ("lose the zone of A", .loseZone(record.zoneID)),
      ("expire all tokens of the zone of A", .expireZoneTokens(record.zoneID)),
      (
        "forget the deletions in the zone of A",
        .purgeTombstones(record.zoneID, before: WallTime(milliseconds: 1_001))
      ),
    ] as [(String, Administration)])
  func `an administrator changes the database of the account`(line: String, deed: Administration) throws {
    #expect(try Self.effect(of: line) == .administer(deed, account: "nanny"))
    #expect(
      try Self.effect(of: line.replacing("of A", with: "of account mum")) == .administer(deed, account: "mum"))
  }

  @Test func `zones are created and deleted by ordinary requests`() throws {
    #expect(
      try Self.effect(of: "create the zone of A") == .ask(.modifyZones([.create(Self.record.zoneID)]), account: "nanny")
    )
    #expect(
      try Self.effect(of: "delete the zone of A") == .ask(.modifyZones([.delete(Self.record.zoneID)]), account: "nanny")
    )
  }

  @Test func `what only one of several devices or accounts has is resolved by the player`() throws {
    #expect(try Self.effect(of: "expire the tokens of A") == .expireTokens(.all, device: "A"))
    #expect(
      try Self.effect(of: "the cloud doubles the subscription of A") == .doubleSubscription("changes", account: "nanny")
    )
    #expect(try Self.effect(of: "the cloud's disk is full") == .fillDisk(.all, true))
    #expect(try Self.effect(of: "the disk of the cloud's accounts is full") == .fillDisk(.accounts, true))
    #expect(try Self.effect(of: "the cloud behaves again") == .removeAll)
  }

  @Test func `a step about a record that is not there is refused`() {
    #expect(throws: Context.Refused.self) {
      try Self.effect(of: "the cloud refuses A's last action with invalidArguments")
    }
  }

  /// The kinds of actions of faults that only a service of tables has.
  private enum TableAction: CaseIterable {
    case reject, rejectItems, staleRows, omitRows, doubleRows, cutSocket, silentJoin, refuseJoin, deafJoin
    case muteHeartbeat, expireTokens, endSession, skewTokens, restamp

    init(_ action: TableFaultAction) {
      self =
        switch action {
        case .reject: .reject
        case .rejectItems: .rejectItems
        case .staleRows: .staleRows
        case .omitRows: .omitRows
        case .doubleRows: .doubleRows
        case .cutSocket: .cutSocket
        case .silentJoin: .silentJoin
        case .refuseJoin: .refuseJoin
        case .deafJoin: .deafJoin
        case .muteHeartbeat: .muteHeartbeat
        case .expireTokens: .expireTokens
        case .endSession: .endSession
        case .skewTokens: .skewTokens
        case .restamp: .restamp
        }
    }
  }

  @Test func `every action of a fault of tables has a sentence`() throws {
    let entries = LanguageReference().sections.filter { ["Tables", "Faults of requests"].contains($0.title) }
      .flatMap(\.entries)
    let faults = try entries.compactMap { entry -> Fault? in
      let line = entry.example.replacing("A's last action", with: "record x")
      let scenario = try Scenario(parsing: "scenario \"s\"\ndevices A, B signed in as nanny\n\(line)\n")
      switch scenario.steps.first?.step {
      case .tables(let step): return Fault(step)
      case .cloud(let step):
        guard case .add(let fault) = try step.effect(in: Context()) else { return nil }
        return fault.forTables
      default: return nil
      }
    }
    let known = faults.compactMap { fault in
      if case .table(let action) = fault.action { TableAction(action) } else { nil }
    }
    #expect(Set(known) == Set(TableAction.allCases))
  }
}
