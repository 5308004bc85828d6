import Testing
import ZoneKitDeviceHost
import ZoneKitRecords

struct TransferProgressTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  @Test func `the lines of a send have a bar, a count, a rate and what is left, and come once a second`() {
    var progress = TransferProgress(total: 400, at: at(0))
    var lines: [String] = []
    for number in 1...400 {
      if let line = progress.sent(at: at(Int64(number) * 10), every: 1_000) { lines.append(line) }
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
    var progress = TransferProgress(total: 40, at: at(0))
    #expect(progress.summary(at: at(1)) == nil)
    let lines = (1...40).compactMap { progress.sent(at: at(Int64($0)), every: 1_000) }
    #expect(lines == ["sending [####################] 100%, 40 of 40, 1000/s, 0 s left"])
  }

  @Test func `records that are added during a send belong to it`() {
    var progress = TransferProgress(total: 1, at: at(0))
    _ = progress.sent(at: at(0), every: 0)
    #expect(progress.sent(at: at(2_000), every: 0) == "sending [####################] 100%, 2 of 2, 1/s, 0 s left")
  }

  @Test func `a slow send says how many minutes are left`() {
    var progress = TransferProgress(total: 1_000, at: at(0))
    for _ in 1..<10 { _ = progress.sent(at: at(0), every: 10_000) }
    #expect(
      progress.sent(at: at(10_000), every: 1_000)
        == "sending [--------------------] 1%, 10 of 1000, 1/s, 16 min 30 s left")
  }
}
