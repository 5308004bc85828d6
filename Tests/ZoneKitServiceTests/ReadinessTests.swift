import Testing
import ZoneKitRecords

@testable import ZoneKitService

@Suite struct `whether a server can commit` {
  private let full = StoreError(.full, "no space", place: "a")

  @Test func `is found out once for all who ask while the disk is tried, and again after a while`() {
    var readiness = Readiness()
    #expect(readiness.asked(at: 0) == .tryDisk)
    #expect(readiness.asked(at: 1) == .wait)
    readiness.tried(nil, at: 5)
    #expect(readiness.asked(at: 4 + Readiness.interval) == .known(nil))
    #expect(readiness.asked(at: 5 + Readiness.interval) == .tryDisk)
    readiness.tried(full, at: 2_000)
    #expect(readiness.asked(at: 2_001) == .known(full))
  }

  @Test func `is denied after a failed commit until one succeeds`() {
    var readiness = Readiness()
    readiness.failed(full, at: 0)
    #expect(readiness.asked(at: 1) == .known(full))
    readiness.committed()
    #expect(readiness.asked(at: 2) == .tryDisk)
  }

  @Test func `is found out anew some time after a failed commit, because clients may be kept away`() {
    var readiness = Readiness()
    readiness.failed(full, at: 0)
    #expect(readiness.asked(at: Readiness.memory - 1) == .known(full))
    #expect(readiness.asked(at: Readiness.memory) == .tryDisk)
  }

  @Test(arguments: [StoreError.Kind.readOnly, .busy, .corrupt, .interrupted])
  func `does not depend on one file that fails alone`(kind: StoreError.Kind) {
    var readiness = Readiness()
    readiness.failed(StoreError(kind, "a file", place: "a"), at: 0)
    #expect(readiness.asked(at: 1) == .tryDisk)
  }
}
