import ZoneKitRecords
import Testing

@testable import ZoneKitSync

@Suite struct `announced changes` {
  private var announced = AnnouncedChanges()
  private let zone = ZoneID(zoneName: "Z")
  private let other = ZoneID(zoneName: "Y")

  private func time(_ milliseconds: Int64) -> WallTime { WallTime(milliseconds: milliseconds) }

  @Test mutating func `are waited for until their zone shows one as new`() {
    announced.announce(zone, committedAt: time(100))
    announced.saw(time(200), in: other)
    announced.saw(time(99), in: zone)
    #expect(announced.read(hasNews: true, tries: 3) == true)
    announced.saw(time(100), in: zone)
    #expect(announced.read(hasNews: true, tries: 3) == false)
    #expect(announced.isEmpty)
  }

  @Test mutating func `of no named zone are answered by any zone`() {
    announced.announce(nil, committedAt: time(100))
    announced.saw(time(100), in: other)
    #expect(announced.read(hasNews: true, tries: 3) == false)
  }

  @Test mutating func `are waited for by the newest of a zone`() {
    announced.announce(zone, committedAt: time(200))
    announced.announce(zone, committedAt: time(100))
    announced.saw(time(150), in: zone)
    #expect(announced.read(hasNews: true, tries: 3) == true)
  }

  @Test mutating func `are looked for a limited number of times, each after twice the wait`() {
    announced.announce(zone, committedAt: time(100))
    var waits: [Int64] = []
    while announced.read(hasNews: false, tries: 3) { waits.append(announced.look(first: 2_000)) }
    #expect(waits == [2_000, 4_000, 8_000])
    #expect(announced.isEmpty)
  }

  @Test mutating func `are given up after one look without news where there was news before`() {
    announced.announce(zone, committedAt: time(100))
    #expect(announced.read(hasNews: true, tries: 3) == true)
    _ = announced.look(first: 1)
    #expect(announced.read(hasNews: false, tries: 3) == false)
  }

  @Test mutating func `without a time are waited for until there is any news, or one look`() {
    announced.announce(zone, committedAt: nil)
    #expect(announced.read(hasNews: false, tries: 3) == true)
    _ = announced.look(first: 1)
    #expect(announced.read(hasNews: false, tries: 3) == false)
    announced.announce(zone, committedAt: nil)
    #expect(announced.read(hasNews: true, tries: 3) == false)
  }

  @Test mutating func `of a listed zone that showed nothing are looked for although there was news elsewhere`() {
    announced.listedWithoutChanges(true)
    #expect(announced.read(hasNews: true, tries: 3) == true)
    _ = announced.look(first: 1)
    announced.listedWithoutChanges(true)
    #expect(announced.read(hasNews: false, tries: 3) == true)
    _ = announced.look(first: 1)
    announced.listedWithoutChanges(false)
    #expect(announced.read(hasNews: false, tries: 3) == false)
  }
}

@Suite struct `the watch over pushes` {
  private var watch = PushWatch()
  private let zone = ZoneID(zoneName: "Z")

  private func moment(_ milliseconds: Int64) -> Moment {
    Moment(wall: WallTime(milliseconds: milliseconds), monotonic: MonotonicTime(milliseconds: milliseconds))
  }

  private func isMissing(_ change: Int64, last: Int64? = nil, now: Int64) -> Bool {
    watch.isMissing(
      for: WallTime(milliseconds: change), lastReceivedAt: last.map { WallTime(milliseconds: $0) }, grace: 100,
      now: WallTime(milliseconds: now))
  }

  @Test mutating func `finds a push missing for a change that is older than it needs`() {
    watch.linkChanged(isOnline: true, at: moment(0))
    #expect(!isMissing(500, now: 600))
    #expect(isMissing(500, now: 601))
  }

  @Test mutating func `finds no push missing if one came since, or if none could arrive`() {
    #expect(!isMissing(500, now: 9_999))
    watch.linkChanged(isOnline: true, at: moment(0))
    #expect(!isMissing(500, last: 500, now: 9_999))
    #expect(isMissing(500, last: 499, now: 9_999))
    watch.linkChanged(isOnline: true, at: moment(700))
    #expect(!isMissing(500, last: 499, now: 9_999))
    watch.linkChanged(isOnline: false, at: moment(800))
    #expect(!isMissing(900, now: 9_999))
  }

  @Test mutating func `traces one sync to a push, and the next one where that one failed`() {
    let push = PushNotification(notificationID: "n")
    watch.received(push, about: zone, at: moment(5))
    let first = watch.last
    #expect(first?.receivedAt == WallTime(milliseconds: 5))
    watch.tookLast()
    #expect(watch.last == nil)
    watch.giveBack(first)
    #expect(watch.last == first)
    watch.received(push, about: zone, at: moment(9))
    watch.giveBack(first)
    #expect(watch.last?.receivedAt == WallTime(milliseconds: 9))
  }
}

@Suite struct `the cloud's clock` {
  private func moment(_ monotonic: Int64, wall: Int64) -> Moment {
    Moment(wall: WallTime(milliseconds: wall), monotonic: MonotonicTime(milliseconds: monotonic))
  }

  @Test func `is the device's and the known offset before the cloud named a time`() {
    #expect(CloudClock().time(at: moment(0, wall: 1_000), offset: nil) == WallTime(milliseconds: 1_000))
    #expect(CloudClock().time(at: moment(0, wall: 1_000), offset: -40) == WallTime(milliseconds: 960))
  }

  @Test func `goes on from the last time that the cloud named where the device's clock was set ahead`() {
    var clock = CloudClock()
    clock.heard(WallTime(milliseconds: 5_000), at: moment(100, wall: 5_000))
    clock.heard(nil, at: moment(150, wall: 5_050))
    #expect(clock.time(at: moment(300, wall: 99_000), offset: 0) == WallTime(milliseconds: 5_200))
    #expect(clock.time(at: moment(300, wall: 5_150), offset: 0) == WallTime(milliseconds: 5_150))
  }
}
