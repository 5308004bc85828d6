import Testing
import ZoneKitRecords
import ZoneKitSync

@testable import ZoneKitStorage

@Suite struct `a power cut under a device` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: "story") }

  @Test(arguments: [Durability.normal, .full])
  func `at any sync leaves the state after one of its last commits`(durability: Durability) throws {
    let cloud = try TemporaryFolder(inMemory: "cloud")
    let recorder = DiskRecorder(root: folder.path)
    let story = try recorder.recording {
      let story = try DeviceStory(folder: folder + "device", cloud: cloud.path, durability: durability) {
        recorder.note(.acknowledged($0))
      }
      try story.tell()
      return story
    }
    let report = try PowerCut.atEverySync(of: recorder, chances: PowerCut.chances(usual: 3)) { cut, root in
      try problem(of: root + "/device", after: story, durability, cut)
    }
    #expect(report.problems == [])
    #expect(report.points > 70)
    #expect(report.cuts > 150)
  }

  /// What is wrong with the device in that folder; nil if nothing is.
  private func problem(
    of folder: String, after story: DeviceStory, _ durability: Durability, _ cut: PowerCut
  ) throws -> String? {
    let file = try DeviceFile(folder: folder, durability: durability)
    let content = try FileContent(of: file.connection)
    let allowed = allowedSteps(story, durability, cut)
    guard allowed.contains(where: { content == ($0 < 0 ? FileContent() : story.contents[$0]) }) else {
      let step = story.contents.firstIndex(of: content).map { "step \($0)" } ?? "no step"
      return "the content is that of \(step) instead of one of \(allowed)"
    }
    try file.commit(DeviceTransition(values: [ValueChange(.revision, .integer(1 << 40))]))
    return DeviceCheck.faults(in: folder).first.map { "\($0.place): \($0.message)" }
  }

  /// The steps whose content may be left. A device that does not wait for the disk may lose its last commits, but none
  /// before one that it keeps, and none that were there when its file was closed.
  private func allowedSteps(_ story: DeviceStory, _ durability: Durability, _ cut: PowerCut) -> ClosedRange<Int> {
    let newest = min(cut.acknowledged + 1, story.contents.count - 1)
    switch durability {
    case .full: return cut.acknowledged...newest
    case .normal, .off: return (cut.acknowledged < story.closedSteps ? -1 : story.closedSteps - 1)...newest
    }
  }
}
