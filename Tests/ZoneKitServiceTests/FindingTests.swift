import Testing

@testable import ZoneKitService

/// What `zonekit doctor` says of a disk.
struct FindingTests {
  @Test(arguments: [
    (true, 1, Finding.State.note), (false, 14, .problem), (false, 15, .ok), (false, 30_000, .ok),
    (false, 30_001, .note),
  ])
  func `a sync is too quick to be one, sane, or slow`(isInMemory: Bool, microseconds: Int64, state: Finding.State) {
    let findings = Finding.disk(isInMemory: isInMemory, microseconds: microseconds, freeBytes: 1 << 40)
    #expect(findings.map(\.state) == [state, .ok])
    #expect((findings[0].remedy == nil) == (state == .ok))
  }

  @Test(arguments: [((200 << 20) - 1, Finding.State.problem), (200 << 20, .ok)])
  func `a disk that is nearly full is a problem`(freeBytes: Int64, state: Finding.State) {
    #expect(Finding.disk(isInMemory: false, microseconds: 100, freeBytes: freeBytes)[1].state == state)
  }
}
