import Testing
import ZoneKitCloud
import ZoneKitRecords

@testable import ZoneKitStorage

@Suite struct `the marks of zones` {
  @Test func `are written at once by a quiet store, and at most 32 times in a tenth of a second`() {
    var pace = MarkPace()
    for now in 1_000..<1_032 as Range<Int64> {
      #expect(pace.next(at: now) == nil)
      pace.write(at: now)
    }
    #expect(pace.next(at: 1_032) == 1_100)
    #expect(pace.next(at: 1_099) == 1_100)
    #expect(pace.next(at: 1_100) == nil)
    pace.write(at: 1_100)
    #expect(pace.next(at: 1_101) == nil)
    #expect(pace.next(at: 900) == nil, "a clock that was set back")
  }

  @Test func `are those of the last commits after a busy time and after the end`() throws {
    let root = try Folder.makeTemporary()
    defer { #expect(throws: Never.self) { try Folder.remove(root) } }
    func mark() throws -> Int64? {
      try ZoneMarks(observing: root).marks(in: CloudPaths(root: root).relativeFolder(of: CloudSamples.database))["one"]?
        .sequence
    }
    let store = try CloudFiles(root: root, durability: .off)
    for sequence in 1...100 as ClosedRange<Int64> {
      store.stage(CloudSamples.change(of: "one", names: ["a"], sequence: sequence), in: CloudSamples.zone("one"))
      #expect(store.commit() == [])
      #expect(try store.marksDue != nil || mark() == sequence)
    }
    store.writeMarks()
    #expect(try mark() == 100)
    #expect(store.marksDue == nil)
    store.stage(CloudSamples.change(of: "one", names: ["a"], sequence: 101), in: CloudSamples.zone("one"))
    #expect(store.commit() == [])
    store.close()
    #expect(try mark() == 101)
  }
}
