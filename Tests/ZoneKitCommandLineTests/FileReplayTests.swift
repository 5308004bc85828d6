import Testing
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitStorage
import ZoneKitSync

@testable import ZoneKitCommandLine

@Suite struct `what simulated devices store, written to real files` {
  @Test func `is the same after every commit and every opening of the file`() throws {
    for app in AppTable.all {
      var swarm = Swarm(apps: [app])
      swarm.minutes = 1
      let outcome = try swarm.story(seed: 4).play(keepsHistories: true)
      #expect(outcome.histories.values.contains { $0.count > 20 })
      #expect(try FileReplay.finding(outcome.histories) == nil)
    }
  }

  @Test func `differs by the part that a file lacks`() throws {
    var outside = DeviceTransition()
    outside.values = [ValueChange(.account, .text("kim"))]
    let folder = try Folder.makeTemporary()
    defer { _ = try? Folder.remove(folder) }
    var replay = try FileReplay("A", in: folder)
    try replay.commit(outside)
    #expect(try replay.difference == nil)
    try DeviceFile(folder: folder, durability: .off).commit(DeviceTransition(erasure: .everything))
    #expect(try replay.difference == "values")
  }

  @Test func `is compared in one story of twenty`() {
    let swarm = Swarm(apps: AppTable.all)
    let count = (1...UInt64(2_000)).count { Story(seed: $0, app: swarm.apps[0]).isOnFiles }
    #expect((70...130).contains(count))
  }
}
