import Testing
import ZoneKitDeviceHost
import ZoneKitRecords

struct TransferProgressTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  @Test func `the lines of a send have a bar, a count, a rate and what is left, and come once a second`() {
    var progress = TransferProgress(.send, total: 400, at: at(0))
    var lines: [String] = []
    for number in 1...400 {
      if let line = progress.advanced(at: at(Int64(number) * 10), every: 1_000) { lines.append(line) }
    }
    #expect(
      lines == [
        "sending [#####---------------] 25%, 100 of 400, 100/s, 3 s left",
        "sending [##########----------] 50%, 200 of 400, 100/s, 2 s left",
        "sending [###############-----] 75%, 300 of 400, 100/s, 1 s left",
        "sending [####################] 100%, 400 of 400, 100/s, 0 s left",
      ])
    #expect(progress.summary(at: at(4_000)) == "400 records sent in 4 s")
  }

  @Test func `a send of less than a second has one line, for its last record`() {
    var progress = TransferProgress(.send, total: 40, at: at(0))
    #expect(progress.summary(at: at(1)) == nil)
    let lines = (1...40).compactMap { progress.advanced(at: at(Int64($0)), every: 1_000) }
    #expect(lines == ["sending [####################] 100%, 40 of 40, 1000/s, 0 s left"])
  }

  @Test func `records that are added during a send belong to it`() {
    var progress = TransferProgress(.send, total: 1, at: at(0))
    _ = progress.advanced(at: at(0), every: 0)
    #expect(progress.advanced(at: at(2_000), every: 0) == "sending [####################] 100%, 2 of 2, 1/s, 0 s left")
  }

  @Test func `a slow send says how many minutes are left`() {
    var progress = TransferProgress(.send, total: 1_000, at: at(0))
    for _ in 1..<10 { _ = progress.advanced(at: at(0), every: 10_000) }
    #expect(
      progress.advanced(at: at(10_000), every: 1_000)
        == "sending [--------------------] 1%, 10 of 1000, 1/s, 16 min 30 s left")
  }

  @Test func `the lines of a fetch have a count and a rate, because nobody knows its end`() {
    var progress = TransferProgress(.fetch, at: at(0))
    let lines = (1...20).compactMap { progress.advanced(by: 200, at: at(Int64($0) * 150), every: 1_000) }
    #expect(lines == ["fetching: 1400 records, 1333/s", "fetching: 2800 records, 1333/s"])
    #expect(progress.summary(at: at(3_000)) == "4000 records fetched in 3 s")
  }

  @Test func `the first things of a burst are reported one by one, and the others are counted`() {
    var burst = BurstProgress(of: .pushes)
    var lines: [String?] = []
    for number in 0..<130 {
      switch burst.arrived(at: at(Int64(number) * 20), every: 1_000) {
      case .alone: #expect(number < BurstProgress.threshold && burst.nextDeadline == nil)
      case .counted(let line): lines.append(line)
      }
    }
    #expect(lines.count == 120)
    #expect(
      lines.compactMap(\.self) == ["receiving: 51 notifications, 51/s", "receiving: 101 notifications, 50/s"])
    #expect(burst.nextDeadline == at(129 * 20 + 1_000))
    #expect(burst.tick(at: at(129 * 20 + 999)) == nil)
    #expect(burst.tick(at: at(129 * 20 + 1_000)) == "and 120 notifications received in 2 s")
    #expect(burst.nextDeadline == nil && burst.tick(at: at(10_000)) == nil)
    #expect(burst.arrived(at: at(10_000), every: 1_000) == .alone)
  }

  @Test func `things that arrive with pauses are never counted`() {
    var burst = BurstProgress(of: .photos)
    for number in 0..<100 {
      #expect(burst.arrived(at: at(Int64(number) * BurstProgress.quiet), every: 0) == .alone)
    }
  }
}
