import ZoneKitRecords
import ZoneKitSimulator
import Testing
import ZoneKitCloud

@testable import ZoneKitSync

/// A child is not shown before its parent (sync semantics, scenario 24).
struct PendingReferenceTests {
  enum Link: CaseIterable { case parent, reference, list, ownZone }

  private func child(_ name: Name, of target: Name, by link: Link = .parent) -> RecordEdit {
    var fields = Items.fields(["a": "1"])
    switch link {
    case .parent: break
    case .reference: fields["link"] = .reference(Reference(recordName: target, action: .deleteSelf))
    case .list: fields["links"] = .referenceList([Reference(recordName: target, action: .validate)])
    case .ownZone:
      fields["link"] = .reference(Reference(recordName: target, zoneID: Items.zone, action: .deleteSelf))
    }
    return .save(
      Items.id(name), type: "Item", fields: fields, parent: link == .parent ? target : nil, stamping: .now)
  }

  /// A world whose cloud tells of the child `C` a page before its parent `P`, and whose second device starts without both.
  private func world(
    by link: Link = .parent, pageLimit: Int = 1, extra: [RecordEdit] = []
  ) throws -> World {
    var configuration = CoordinatorConfiguration.items
    configuration.limits.page = pageLimit
    var world = try World(devices: 2, configuration: configuration)
    world.setOnline(1, false)
    try world.edit(0, Items.save("P", ["a": "1"]))
    world.settle()
    try world.edit(0, child("C", of: "P", by: link))
    world.settle()
    for edit in extra {
      try world.edit(0, edit)
      world.settle()
    }
    try world.edit(0, Items.save("P", ["a": "2"]))
    world.settle()
    return world
  }

  private func waits(_ names: Name...) -> [RecordID] { names.map { Items.id($0) } }

  /// Lets time pass in small steps until the second device has read the child's page and not the parent's.
  private func readChildOnly(_ world: inout World) throws {
    world.setDelay(1_000...1_000)
    world.setOnline(1, true)
    for _ in 0..<40 where try world.devices[1].store.record(Items.id("C")) == nil { world.wait(500) }
    #expect(try world.devices[1].store.record(Items.id("P")) == nil)
  }

  @Test(arguments: Link.allCases)
  func `a child whose parent comes a page later is reported with it and after it`(link: Link) throws {
    var world = try world(by: link)
    try readChildOnly(&world)
    #expect(world.shown(on: 1) == [])
    #expect(world.devices[1].coordinator.hiddenRecords == waits("C"))
    world.settle()
    #expect(world.shown(on: 1) == waits("P", "C"))
    #expect(world.devices[1].coordinator.hiddenRecords == [])
    #expect(try world.devices[1].store.values()[.pendingReferences] == nil)
  }

  @Test func `a grandchild waits for the child that waits`() throws {
    var world = try world(extra: [child("G", of: "C")])
    world.setOnline(1, true)
    world.settle()
    #expect(world.shown(on: 1) == waits("P", "C", "G"))
  }

  @Test func `in one page too the parent is reported first`() throws {
    var world = try world(pageLimit: 200)
    world.setOnline(1, true)
    world.settle()
    #expect(world.shown(on: 1) == waits("P", "C"))
  }

  @Test func `after a crash between the pages the child still waits`() throws {
    var world = try world(extra: [Items.save("FREE", ["a": "1"])])
    try readChildOnly(&world)
    world.crash(1)
    #expect(world.devices[1].coordinator.hiddenRecords == waits("C"))
    world.settle()
    #expect(world.shown(on: 1) == waits("FREE", "P", "C"))
    #expect(world.devices[1].coordinator.hiddenRecords == [])
  }

  @Test func `a child without its parent is shown when the feed ends, and that is reported`() throws {
    var world = try world(extra: [Items.save("LAST", ["a": "1"])])
    world.fault(.omitRecords, on: FaultScope(.fetchZoneChanges, deviceID: "B", recordNames: ["P", "LAST"]))
    world.setOnline(1, true)
    world.settle()
    #expect(world.shown(on: 1) == waits("C"))
    #expect(world.facts(of: 1).contains(.shownWithoutTarget(Items.id("C"), missing: "P")))
    #expect(world.devices[1].coordinator.hiddenRecords == [])
  }

  @Test func `a reference that demands nothing keeps nobody waiting`() throws {
    var fields = Items.fields(["a": "\"recordName\":\"X\""])
    fields["link"] = .reference(Reference(recordName: "P"))
    let weak = RecordEdit.save(Items.id("W"), type: "Item", fields: fields, parent: nil, stamping: .now)
    var world = try world(extra: [weak])
    world.setOnline(1, true)
    world.settle()
    #expect(world.shown(on: 1) == waits("W", "P", "C"))
  }

  @Test func `records that lean on each other are shown together, and nothing is said to be missing`() throws {
    var world = try world(extra: [child("X", of: "P"), child("Y", of: "X"), child("X", of: "Y")])
    world.setOnline(1, true)
    world.settle()
    #expect(Set(world.shown(on: 1)) == Set(waits("P", "C", "X", "Y")))
    let missing = world.facts(of: 1).contains { if case .shownWithoutTarget = $0 { true } else { false } }
    #expect(!missing)
  }

  @Test func `a hidden child that is deleted before its parent comes is forgotten`() throws {
    var world = try world()
    try readChildOnly(&world)
    world.setOnline(1, false)
    try world.edit(0, Items.delete("C"))
    world.settle()
    world.setOnline(1, true)
    world.settle()
    #expect(world.devices[1].coordinator.hiddenRecords == [])
    #expect(try world.devices[1].store.records(ofType: "Item").map(\.recordID) == waits("P"))
  }
}
