import Testing

@testable import ZoneKitEventLoop

@Suite struct WriteBacklogTests {
  /// Takes everything, at most `limit` bytes at a time.
  private func takeAll(_ backlog: inout WriteBacklog, _ limit: Int) -> [UInt8] {
    var taken: [UInt8] = []
    while !backlog.isEmpty {
      let next = backlog.withNext { Array($0.prefix(limit)) }
      taken += next
      backlog.take(next.count)
    }
    return taken
  }

  @Test(arguments: [1, 3, 1_000]) func `gives the bytes in order, in pieces of any size`(limit: Int) {
    let pieces: [[UInt8]] = (0..<500).map { number in [UInt8](repeating: UInt8(number % 251), count: number % 7) }
    var backlog = WriteBacklog()
    backlog.append([9, 9, 1, 2], from: 2)
    for piece in pieces { backlog.append(piece) }
    #expect(backlog.count == 2 + pieces.reduce(0) { $0 + $1.count })
    #expect(takeAll(&backlog, limit) == [1, 2] + pieces.flatMap { $0 })
    #expect(backlog.count == 0)
    backlog.append([7, 8], from: 1)
    #expect(takeAll(&backlog, limit) == [8])
  }

  @Test func `stays empty where all was written already`() {
    var backlog = WriteBacklog()
    backlog.append([1, 2], from: 2)
    backlog.append([])
    #expect(backlog.isEmpty)
  }
}
