import ZoneKitRecords
import Testing

@testable import ZoneKitSync

@Suite struct `the gate` {
  private var gate = SyncGate(quiet: 250, quietLimit: 2_000)

  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  @Test mutating func `joins requests until it was quiet for a while`() {
    gate.request(.push, now: time(0))
    gate.request(.push, now: time(200))
    #expect(gate.deadline == time(450))
    #expect(gate.begin(now: time(449)) == nil)
    #expect(gate.begin(now: time(450)) == [.push])
    #expect(gate.isSyncing)
  }

  @Test mutating func `starts a limited time after the first request, however many come`() {
    for now in stride(from: Int64(0), through: 1_900, by: 100) { gate.request(.push, now: time(now)) }
    #expect(gate.deadline == time(2_000))
  }

  @Test mutating func `sends the first edit at once and joins those that follow quickly`() {
    gate.request(.localChange, now: time(0))
    #expect(gate.begin(now: time(0)) == [.localChange])
    gate.finish()
    gate.request(.localChange, now: time(100))
    #expect(gate.deadline == time(350))
  }

  @Test mutating func `never puts an urgent request off for one that can wait`() {
    gate.request(.launch, now: time(0))
    gate.request(.push, now: time(0))
    #expect(gate.begin(now: time(0)) == [.launch, .push])
  }

  @Test mutating func `makes one more sync of all that was asked for during a sync`() {
    gate.request(.launch, now: time(0))
    #expect(gate.begin(now: time(0)) == [.launch])
    gate.request(.push, now: time(10))
    gate.request(.manual, now: time(20))
    #expect(gate.deadline == nil)
    gate.finish()
    #expect(gate.begin(now: time(20)) == [.push, .manual])
    gate.finish()
    #expect(gate.begin(now: time(9_999)) == nil)
  }

  @Test mutating func `keeps everything back as long as the cloud asked, and never shortens that`() {
    gate.request(.manual, now: time(0))
    gate.holdForServer(until: time(900))
    gate.holdForServer(until: time(500))
    #expect(gate.begin(now: time(899)) == nil)
    #expect(gate.begin(now: time(900)) == [.manual])
  }

  @Test mutating func `keeps a retry for later when the app leaves the foreground, because that reads nothing`() {
    gate.request(.retry, at: time(900))
    gate.request(.background, now: time(0))
    #expect(gate.begin(now: time(0)) == [.background])
    gate.finish()
    #expect(gate.begin(now: time(900)) == [.retry])
  }

  @Test mutating func `holds its own reasons back, and another one takes them along`() {
    gate.holdsOwnReasons = true
    gate.request(.localChange, now: time(0))
    gate.request(.push, now: time(0))
    gate.request(.retry, at: time(5))
    gate.request(.fallback, now: time(0))
    #expect(gate.deadline == nil && gate.begin(now: time(9_999)) == nil)
    gate.request(.manual, now: time(10_000))
    #expect(gate.begin(now: time(10_000)) == [.push, .localChange, .manual, .fallback, .retry])
    gate.request(.localChange, now: time(10_001))
    gate.finish()
    #expect(gate.begin(now: time(20_000)) == nil)
    gate.holdsOwnReasons = false
    #expect(gate.begin(now: time(20_000)) == [.localChange])
  }

  @Test mutating func `lets the link and the user through while its own reasons are held`() {
    gate.holdsOwnReasons = true
    gate.request(.reconnect, now: time(0))
    #expect(gate.begin(now: time(0)) == [.reconnect])
  }

  @Test mutating func `lets only the user through a back-off`() {
    gate.backOff(until: time(900))
    gate.request(.foreground, now: time(0))
    #expect(gate.deadline == time(900))
    gate.request(.manual, now: time(0))
    #expect(gate.begin(now: time(0)) == [.foreground, .manual])
    gate.finish()
    gate.request(.foreground, now: time(1))
    gate.endBackoff()
    #expect(gate.deadline == time(1))
  }

  @Test mutating func `keeps the earlier of two requests for later that have one reason`() {
    gate.request(.retry, at: time(500))
    gate.request(.retry, at: time(900))
    gate.request(.emptyPush, at: time(700))
    #expect(gate.isWaiting(for: .retry))
    #expect(gate.begin(now: time(499)) == nil)
    #expect(gate.begin(now: time(500)) == [.retry])
    gate.finish()
    #expect(gate.deadline == time(700))
  }

  @Test mutating func `lets a later look replace an earlier one where the earlier would be too soon`() {
    gate.request(.subscription, at: time(100))
    gate.request(.subscription, notBefore: time(600))
    #expect(gate.deadline == time(600))
  }

  @Test mutating func `takes a sync that asks the feeds for the retry, and one of edits not`() {
    gate.request(.retry, at: time(500))
    gate.request(.localChange, now: time(0))
    #expect(gate.begin(now: time(0)) == [.localChange])
    gate.finish()
    #expect(gate.isWaiting(for: .retry))
    gate.request(.foreground, now: time(10))
    #expect(gate.begin(now: time(10)) == [.foreground])
    #expect(!gate.isWaiting(for: .retry))
  }
}

@Suite struct `the back-off` {
  @Test func `doubles its wait up to a limit, with at most half of it left to chance`() {
    var backoff = Backoff(first: 2_000, limit: 120_000)
    var generator = SplitMix64(seed: 7)
    var full: Int64 = 2_000
    for _ in 0..<10 {
      let wait = backoff.next(using: &generator)
      #expect((full / 2...full).contains(wait))
      full = min(full * 2, 120_000)
    }
    #expect(backoff.failures == 10)
    backoff.reset()
    #expect((1_000...2_000).contains(backoff.next(using: &generator)))
  }

  @Test func `does not overflow, and waits for nothing where nothing is to be waited for`() {
    var generator = SplitMix64(seed: 7)
    var long = Backoff(first: .max / 2, limit: .max)
    for _ in 0..<50 { #expect(long.next(using: &generator) > 0) }
    var none = Backoff(first: -5, limit: -1)
    #expect(none.next(using: &generator) == 0)
  }
}
