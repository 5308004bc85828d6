import Testing
import ZoneKitRecords
import ZoneKitMemoryStores

@testable import ZoneKitSync

@Suite struct `the adoption of records at sign-in` {
  private typealias Coordinator = SyncCoordinator<MemoryDeviceStore>
  private var generator = SplitMix64(seed: 1)

  /// A coordinator without an account, with three records and a value.
  private mutating func coordinator(_ rule: Adoption.Rule?) throws -> Coordinator {
    var configuration = Sample.configuration
    configuration.merging.adoptionRule = rule
    var coordinator = try Coordinator(store: MemoryDeviceStore(), configuration: configuration)
    _ = try coordinator.launch(account: nil, at: Sample.moment(1), using: &generator)
    for name in ["C", "A", "B"] as [Name] {
      let fields = try Sample.content(name.text).fields.decoded()
      _ = try coordinator.edit(
        [.save(Sample.id(name), type: "Item", fields: fields, parent: nil, stamping: .asGiven)],
        setting: [AppValueChange("me", .text("A"))], at: Sample.moment(2), using: &generator)
    }
    return coordinator
  }

  private mutating func signIn(_ coordinator: inout Coordinator, as account: Name = "nanny") throws -> [Effect] {
    try coordinator.accountChanged(
      to: account, setting: [AppValueChange("session", .text("s"))], at: Sample.moment(9), using: &generator)
  }

  private func waiting(_ coordinator: Coordinator) throws -> [LocalRecord] {
    try coordinator.store.pending(in: nil, after: 0, limit: 9)
  }

  /// Gives record `A` the account's name and the first place, and leaves `B` out.
  private static let rule: Adoption.Rule = { found in
    var adoption = found
    var own = found.records[1]
    own.recordID = Sample.id(found.account)
    own.recordType = "Person"
    adoption.records = [own, found.records[0]]
    adoption.appValues["count"] = .integer(Int64(found.records.count))
    adoption.appValues["session"] = .text("none")
    return adoption
  }

  @Test mutating func `writes what the app's rule makes of records and values, with the account`() throws {
    var coordinator = try coordinator(Self.rule)
    let commits = coordinator.store.commitCount
    let effects = try signIn(&coordinator)
    #expect(effects.first == .fact(.accountChanged(from: nil, to: "nanny", discarded: 0)))
    #expect(coordinator.account == "nanny")
    let records = try waiting(coordinator)
    #expect(records.map(\.recordID.recordName) == ["nanny", "C"])
    #expect(records.map(\.recordType) == ["Person", "Item"])
    #expect(records.map(\.local) == [Sample.content("A"), Sample.content("C")])
    #expect(try coordinator.store.record(Sample.id("B")) == nil)
    #expect(
      try coordinator.store.appValues() == ["me": .text("A"), "count": .integer(3), "session": .text("s")])
    #expect(try coordinator.store.conflicts(limit: 9) == [])
    // The sync that follows writes nothing before its first answer.
    #expect(coordinator.store.commitCount == commits + 1)
  }

  @Test mutating func `gives the rule the records in the order in which they were written`() throws {
    var coordinator = try coordinator { found throws(StoreError) in
      var adoption = found
      adoption.appValues["names"] = .text(found.records.map(\.recordID.recordName.text).joined(separator: ","))
      return adoption
    }
    _ = try signIn(&coordinator)
    #expect(try coordinator.store.appValues()["names"] == .text("C,A,B"))
  }

  @Test mutating func `changes nothing where the rule refuses`() throws {
    let refusal = StoreError(.failed, "another person has the account's ID", place: "nanny")
    var coordinator = try coordinator { _ throws(StoreError) in throw refusal }
    let before = try waiting(coordinator)
    #expect(throws: refusal) { try signIn(&coordinator) }
    #expect(coordinator.account == nil)
    #expect(try waiting(coordinator) == before)
    #expect(try coordinator.store.appValues() == ["me": .text("A")])
  }

  @Test mutating func `is refused where two records become one`() throws {
    var coordinator = try coordinator { found throws(StoreError) in
      var adoption = found
      adoption.records[0].recordID = found.records[1].recordID
      return adoption
    }
    let error = #expect(throws: StoreError.self) { try signIn(&coordinator) }
    #expect(error?.place == "record A")
    #expect(coordinator.account == nil)
  }

  @Test mutating func `changes nothing where the store fails`() throws {
    var coordinator = try coordinator(Self.rule)
    let broken = StoreError(.failed, "broken", place: "disk")
    coordinator.store.faults = [.beforeCommit(broken)]
    #expect(throws: broken) { try signIn(&coordinator) }
    #expect(coordinator.account == nil)
    #expect(try waiting(coordinator).count == 3)
    #expect(try coordinator.store.appValues() == ["me": .text("A")])
  }

  @Test mutating func `does not take the records of one account to another`() throws {
    var coordinator = try coordinator(Self.rule)
    _ = try signIn(&coordinator)
    _ = try signIn(&coordinator, as: "other")
    #expect(try waiting(coordinator) == [])
    #expect(try coordinator.store.conflicts(limit: 9).map(\.rule) == ["accountChanged", "accountChanged"])
  }

  @Test mutating func `leaves records as they are without a rule, and no values`() throws {
    var coordinator = try coordinator(nil)
    _ = try signIn(&coordinator)
    #expect(try waiting(coordinator).map(\.recordID.recordName) == ["C", "A", "B"])
    #expect(try coordinator.store.appValues() == ["session": .text("s")])
  }
}
