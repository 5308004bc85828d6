import Testing
import ZoneKitRecords
import ZoneKitMemoryStores

@testable import ZoneKitSync

@Suite struct `the app's values` {
  private var generator = SplitMix64(seed: 1)

  private func coordinator(_ records: [LocalRecord] = []) throws -> SyncCoordinator<MemoryDeviceStore> {
    try SyncCoordinator(store: Sample.ledger(records).store, configuration: Sample.configuration)
  }

  private func save(_ name: Name) throws -> RecordEdit {
    let fields = try Sample.content(name.text).fields.decoded()
    return .save(Sample.id(name), type: "Item", fields: fields, parent: nil, stamping: .asGiven)
  }

  @Test mutating func `are stored with an edit, both or neither`() throws {
    var coordinator = try coordinator()
    let broken = StoreError(.failed, "broken", place: "disk")
    coordinator.store.faults = [.beforeCommit(broken)]
    #expect(throws: broken) {
      try coordinator.edit(
        [save("A")], setting: [AppValueChange("k", .text("v"))], at: Sample.moment(1), using: &generator)
    }
    #expect(try coordinator.store.appValues() == [:])
    _ = try coordinator.edit(
      [save("A")], setting: [AppValueChange("k", .text("v"))], at: Sample.moment(1), using: &generator)
    #expect(try coordinator.store.appValues() == ["k": .text("v")])
    #expect(try coordinator.store.record(Sample.id("A")) != nil)
  }

  @Test mutating func `are stored without an edit, and nothing is sent`() throws {
    var coordinator = try coordinator()
    #expect(
      try coordinator.edit([], setting: [AppValueChange("k", .integer(1))], at: Sample.moment(1), using: &generator)
        == [])
    #expect(try coordinator.store.appValues() == ["k": .integer(1)])
    #expect(coordinator.isIdle)
  }

  @Test mutating func `go with the account, and new ones come with the next`() throws {
    var coordinator = try coordinator()
    _ = try coordinator.edit([], setting: [AppValueChange("old", .integer(1))], at: Sample.moment(1), using: &generator)
    _ = try coordinator.accountChanged(
      to: "other", setting: [AppValueChange("session", .text("s"))], at: Sample.moment(2), using: &generator)
    #expect(try coordinator.store.appValues() == ["session": .text("s")])
    #expect(coordinator.account == "other")
    _ = try coordinator.accountChanged(
      to: "other", setting: [AppValueChange("session", .text("t"))], at: Sample.moment(3), using: &generator)
    #expect(try coordinator.store.appValues() == ["session": .text("t")])
  }

  @Test(arguments: [StoreReset.tokens, .local(keepingPending: true), .local(keepingPending: false)])
  mutating func `survive a reset of what is synced`(reset: StoreReset) throws {
    var coordinator = try coordinator()
    _ = try coordinator.edit(
      [save("A")], setting: [AppValueChange("k", .integer(1))], at: Sample.moment(1), using: &generator)
    _ = try coordinator.reset(reset, at: Sample.moment(2), using: &generator)
    #expect(try coordinator.store.appValues() == ["k": .integer(1)])
  }
}
