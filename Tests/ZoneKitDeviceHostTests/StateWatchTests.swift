import Testing
import ZoneKitDeviceHost
import ZoneKitRecords

struct StateWatchTests {
  @Test func `a state lasts since it was first seen, and another one begins anew`() {
    var watch = StateWatch()
    #expect(watch.since == nil)
    watch.note(.idle, at: WallTime(milliseconds: 1))
    watch.note(.idle, at: WallTime(milliseconds: 2))
    #expect(watch.since == WallTime(milliseconds: 1))
    watch.note(.syncing, at: WallTime(milliseconds: 3))
    watch.note(.idle, at: WallTime(milliseconds: 4))
    #expect(watch.state == .idle && watch.since == WallTime(milliseconds: 4))
  }
}
