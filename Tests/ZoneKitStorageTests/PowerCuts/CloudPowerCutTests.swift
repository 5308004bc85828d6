import Testing
import ZoneKitCloud
import ZoneKitRecords

@testable import ZoneKitStorage

@Suite struct `a power cut under the cloud` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: "story") }

  @Test func `at any sync loses nothing that was answered, and keeps no half of a batch`() throws {
    let recorder = DiskRecorder(root: folder.path)
    let story = try recorder.recording {
      var story = try CloudStory(root: folder + "cloud") { recorder.note(.acknowledged($0)) }
      try story.tell()
      return story
    }
    let report = try PowerCut.atEverySync(of: recorder, chances: PowerCut.chances(usual: 1)) { cut, root in
      CloudSurvivor(root: root + "/cloud", story: story, cut: cut).problem()
    }
    #expect(report.problems == [])
    #expect(report.points > 200)
    #expect(report.cuts > 300)
  }
}
