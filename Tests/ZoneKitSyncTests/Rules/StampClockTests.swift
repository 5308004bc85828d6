import Testing
import ZoneKitRecords

@testable import ZoneKitSync

@Suite struct `the clock of stamps` {
  private static let day = StampClock.tolerance
  private let noon = WallTime(milliseconds: 100 * day)
  private var clock = StampClock()

  private func time(_ milliseconds: Int64) -> WallTime { noon.advanced(byMilliseconds: milliseconds) }

  @Test mutating func `gives the time, and a later stamp for each edit`() {
    #expect(clock.stamp(replacing: nil, wall: noon) == StampClock.Stamp(time: noon, isSuspicious: false))
    #expect(clock.stamp(replacing: nil, wall: noon).time == time(1))
    #expect(clock.stamp(replacing: nil, wall: time(-500)).time == time(2))
    #expect(clock.stamp(replacing: nil, wall: time(9)).time == time(9))
  }

  @Test mutating func `gives a later stamp than the one that is replaced, and goes on from it`() {
    #expect(clock.stamp(replacing: time(500), wall: noon).time == time(501))
    #expect(clock.stamp(replacing: nil, wall: noon).time == time(502))
    #expect(clock.stamp(replacing: time(-500), wall: time(600)).time == time(600))
  }

  @Test mutating func `beats a stamp from the far future, and does not go on from it`() {
    let future = time(Self.day + 5)
    #expect(clock.isFarFuture(future, wall: noon))
    #expect(
      clock.stamp(replacing: future, wall: noon) == StampClock.Stamp(time: time(Self.day + 6), isSuspicious: true))
    #expect(clock.last == noon)
    #expect(clock.stamp(replacing: nil, wall: noon) == StampClock.Stamp(time: time(1), isSuspicious: false))
  }

  @Test mutating func `takes a stamp of exactly a day ahead as one that may be`() {
    #expect(!clock.isFarFuture(time(Self.day), wall: noon))
    #expect(
      clock.stamp(replacing: time(Self.day - 1), wall: noon)
        == StampClock.Stamp(time: time(Self.day), isSuspicious: false))
    #expect(clock.last == time(Self.day))
  }

  @Test mutating func `forgets a last stamp that was given while the clock was wrong`() {
    clock = StampClock(last: time(Self.day + 1))
    #expect(clock.stamp(replacing: nil, wall: noon).time == noon)
  }

  @Test mutating func `goes by the cloud's clock where the two are more than a day apart`() {
    clock.offset = -Self.day
    #expect(clock.stamp(replacing: nil, wall: noon) == StampClock.Stamp(time: noon, isSuspicious: false))
    clock = StampClock(offset: -Self.day - 1)
    #expect(
      clock.stamp(replacing: nil, wall: noon) == StampClock.Stamp(time: time(-Self.day - 1), isSuspicious: true))
    #expect(clock.isFarFuture(noon, wall: noon))
  }
}
