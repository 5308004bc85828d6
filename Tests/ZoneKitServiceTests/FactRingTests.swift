import Testing
import ZoneKitRecords

@testable import ZoneKitService

@Suite struct FactRingTests {
  private func ring(_ count: Int, capacity: Int = 4) -> FactRing<Int> {
    var ring = FactRing<Int>(capacity: capacity)
    for number in 0..<count { ring.record(number + 1, at: WallTime(milliseconds: Int64(number))) }
    return ring
  }

  @Test func `a reader gets what is behind its position, oldest first`() {
    let reading = ring(3).read(after: 1)
    #expect(reading.entries.map(\.payload) == [2, 3])
    #expect(reading.entries.map(\.number) == [2, 3])
    #expect(reading.missed == 0)
  }

  @Test(arguments: [(0, 2, [1, 2]), (1, 2, [2, 3]), (2, 2, [3]), (0, 3, [1, 2, 3]), (0, .max, [1, 2, 3])])
  func `a reader may take a part, from the oldest on`(position: UInt64, limit: Int, numbers: [UInt64]) {
    #expect(ring(3).read(after: position, limit: limit).entries.map(\.number) == numbers)
  }

  @Test(arguments: [(4, 0, [1, 2, 3, 4], 0), (5, 0, [2, 3, 4, 5], 1), (11, 2, [8, 9, 10, 11], 5)])
  func `the oldest facts go and a reader learns how many it missed`(
    count: Int, position: UInt64, kept: [Int], missed: UInt64
  ) {
    let reading = ring(count).read(after: position)
    #expect(reading.entries.map(\.payload) == kept)
    #expect(reading.missed == missed)
  }

  @Test(arguments: [3, 4, 1_000] as [UInt64])
  func `a reader that is up to date or ahead gets nothing`(position: UInt64) {
    let reading = ring(3).read(after: position)
    #expect(reading.entries.isEmpty)
    #expect(reading.missed == 0)
  }
}
