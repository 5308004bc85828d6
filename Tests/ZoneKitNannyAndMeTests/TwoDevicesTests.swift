import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSync
import Testing

/// The order in which two devices that were offline come back.
private let orders = [[0, 1], [1, 0]]

/// Two edits of one bottle that are made apart, and what must come of them.
struct ApartEdits: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var lines: [String]
  /// How long after the first edit the second is made, in minutes.
  var distance: Double
  var volume: Int64?
  var placename: String?

  static let cases = [
    ApartEdits(
      testDescription: "the same field", lines: ["bottleVolume 150", "bottleVolume 90"], distance: 1, volume: 90),
    ApartEdits(
      testDescription: "different fields", lines: ["bottleVolume 150", "placename home"], distance: 1, volume: 150,
      placename: "home"),
    // Equal stamps and ends: the greater canonical bytes win, and "150" is less than "90".
    ApartEdits(
      testDescription: "equal stamps", lines: ["bottleVolume 150", "bottleVolume 90"], distance: 0, volume: 90),
  ]
}

struct TwoDevicesTests {
  @Test func `a share file imported on one device arrives whole on the other, and importing it again sends nothing`()
    throws
  {
    var family = try Family()
    try family.importing(SampleFile.text(), on: 0)
    try family.settle()
    #expect(try family.exported(on: 0) == SampleFile.text())
    #expect(try family.exported(on: 1) == SampleFile.text())
    let requests = family.requestCount
    #expect(try family.importing(SampleFile.text(), on: 0).unchanged.count == 5)
    #expect(try family.importing(SampleFile.text(), on: 1).unchanged.count == 5)
    try family.wait(minutes: 10)
    #expect(family.requestCount == requests)
  }

  @Test(arguments: ApartEdits.cases, orders)
  func `edits made apart end the same on both devices, and both journals hold both versions`(
    edits: ApartEdits, order: [Int]
  ) throws {
    var family = try Family()
    try family.run("log feeding bottle volume 120", on: 0)
    try family.settle()
    let action = try #require(family.devices[1].app.log.list().first)
    for index in order { family.setOnline(false, index) }
    try family.run("edit \(action.shortID) \(edits.lines[0])", on: 0)
    try family.wait(minutes: edits.distance)
    try family.run("edit \(action.shortID) \(edits.lines[1])", on: 1)
    let versions = try family.devices.map { try $0.store.record(action.id)?.local }
    for index in order {
      family.setOnline(true, index)
      try family.settle()
    }
    for device in family.devices {
      let log = device.app.log.list()
      #expect(log == family.devices[0].app.log.list())
      #expect(log.map(\.bottleVolume) == [edits.volume])
      #expect(log.map(\.placename) == [edits.placename])
      let entries = try device.store.conflicts(limit: 10)
      #expect(entries.map(\.recordID) == [action.id])
      #expect(entries.allSatisfy { entry in versions.allSatisfy { [entry.local, entry.server].contains($0) } })
    }
    try expectPeace(in: &family)
  }

  @Test(arguments: orders)
  func `of two sleeps started offline the earlier ends where the other starts, on both devices`(order: [Int]) throws {
    var family = try Family()
    for index in order { family.setOnline(false, index) }
    try family.run("start sleep", on: 0)
    try family.wait(minutes: 10)
    try family.run("start sleep", on: 1)
    let started = family.devices.compactMap { $0.app.log.list().first }
    var ended = started[0]
    ended.endDate = started[1].startDate
    for index in order {
      family.setOnline(true, index)
      try family.settle()
    }
    for device in family.devices {
      #expect(device.app.log.list() == [started[1], ended])
      #expect(device.app.profiles.profiles == [NannyZone.firstProfile(of: "nanny")])
      let entries = try device.store.conflicts(limit: 10).filter { $0.rule == "oneRunning" }
      #expect(entries.map(\.recordID) == [ended.id])
      #expect(entries.map(\.winner) == [.merged])
      #expect(entries.first?.local == RecordContent(started[0]))
    }
    try expectPeace(in: &family)
  }

  @Test func `a baby named on one device shows its name on the other without a command there`() throws {
    var family = try Family()
    try family.run("log diaper pee", on: 1)
    try family.settle()
    try family.run("profile name Mia", on: 0)
    try family.wait(minutes: 0.1)
    #expect(family.devices[1].app.currentProfile?.name == "Mia")
    try expectPeace(in: &family)
  }

  /// Nothing waits to be sent, and nobody has anything to ask any more.
  private func expectPeace(in family: inout Family) throws {
    let requests = family.requestCount
    try family.wait(minutes: 10)
    #expect(family.requestCount == requests)
    #expect(try family.devices.map { try $0.store.census().pending } == [0, 0])
  }
}
