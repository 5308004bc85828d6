import Testing
import ZoneKitDeviceHost
import ZoneKitRecords

struct DeviceClockTests {
  private static func at(_ seconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: seconds * 1_000) }

  @Test func `a new clock is right for all time`() {
    #expect(DeviceClock().offset(at: Self.at(0)) == 0)
    #expect(DeviceClock().offset(at: Self.at(1_000_000)) == 0)
  }

  @Test func `a drift adds to the offset from the moment at which it begins`() {
    var clock = DeviceClock()
    clock.set(offset: 500, at: Self.at(10))
    clock.set(drift: 100, at: Self.at(20))
    #expect(clock.offset(at: Self.at(20)) == 500)
    #expect(clock.offset(at: Self.at(120)) == 510)
    clock.set(drift: -200, at: Self.at(120))
    #expect(clock.offset(at: Self.at(120)) == 510)
    #expect(clock.offset(at: Self.at(220)) == 490)
  }

  @Test func `setting the clock takes away what it had gained and keeps its drift`() {
    var clock = DeviceClock()
    clock.set(drift: 1_000, at: Self.at(0))
    clock.set(offset: 0, at: Self.at(100))
    #expect(clock.offset(at: Self.at(100)) == 0)
    #expect(clock.offset(at: Self.at(101)) == 1)
  }
}
