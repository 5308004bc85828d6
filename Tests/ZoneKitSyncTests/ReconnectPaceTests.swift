import ZoneKitRecords
import Testing

@testable import ZoneKitSync

/// How fast a device comes back to the push service.
struct ReconnectPaceTests {
  private static func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  @Test func `waits double up to five seconds while no connection is made`() {
    var pace = ReconnectPace()
    #expect((0..<8).map { _ in pace.next(at: Self.time(0)) } == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
  }

  @Test func `a connection that is cut as soon as it is made slows the device down all the same`() {
    var pace = ReconnectPace()
    var waits: [Int64] = []
    for second: Int64 in 0..<4 {
      _ = pace.welcomed(at: Self.time(second * 1_000))
      waits.append(pace.next(at: Self.time(second * 1_000 + 10)))
    }
    #expect(waits == [100, 200, 400, 800])
  }

  @Test func `a connection that lasted begins the waits anew`() {
    var pace = ReconnectPace()
    for _ in 0..<5 { _ = pace.next(at: Self.time(0)) }
    _ = pace.welcomed(at: Self.time(1_000))
    #expect(pace.next(at: Self.time(6_000)) == 100)
    #expect(pace.next(at: Self.time(6_000)) == 200)
  }

  @Test func `only the first welcome of a connection counts`() {
    var pace = ReconnectPace()
    var firsts = [pace.welcomed(at: Self.time(0)), pace.welcomed(at: Self.time(4_000))]
    let wait = pace.next(at: Self.time(5_000))
    #expect(wait == 100, "the connection lasted since its first welcome")
    firsts.append(pace.welcomed(at: Self.time(6_000)))
    pace.connectedAnew()
    firsts.append(pace.welcomed(at: Self.time(7_000)))
    #expect(firsts == [true, false, true, true])
  }
}
