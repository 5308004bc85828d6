import Testing
import ZoneKitDeviceHost
import ZoneKitRecords

@Suite struct `background refresh` {
  private var refresh = BackgroundRefresh()

  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  @Test mutating func `is asked for in the background, granted half an hour later, and then asked for again first`() {
    #expect(refresh.tick(at: time(9_000_000)) == [])
    #expect(refresh.enteredBackground(at: time(0)) == [.asked])
    #expect(refresh.nextDeadline == time(1_800_000))
    #expect(refresh.tick(at: time(1_799_999)) == [])
    #expect(refresh.tick(at: time(1_800_000)) == [.asked, .begin])
    #expect(refresh.nextDeadline == time(3_600_000))
    refresh.enteredForeground()
    #expect(refresh.nextDeadline == nil)
  }

  @Test mutating func `is refused while the user has turned it off, which is only noted`() {
    #expect(refresh.permissionChanged(isOn: false, at: time(0)) == [])
    #expect(refresh.enteredBackground(at: time(0)) == [.refused])
    #expect(refresh.nextDeadline == nil)
    #expect(refresh.permissionChanged(isOn: true, at: time(5)) == [.asked])
    #expect(refresh.nextDeadline == time(1_800_005))
    #expect(refresh.permissionChanged(isOn: true, at: time(9)) == [])
    #expect(refresh.permissionChanged(isOn: false, at: time(9)) == [])
    #expect(refresh.nextDeadline == nil)
  }
}
