import ZoneKitEventLoop
import Testing

@Suite struct TimerTests {
  @Test func `timers fire in the order of their times and never early`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let loop = rig.loop
    let start = loop.now
    var fired: [Int64] = []
    for delay in [30, 10, 20] as [Int64] {
      Timer(on: loop) {
        #expect(loop.now >= start + delay)
        fired.append(delay)
        if fired.count == 3 { loop.stop() }
      }.schedule(at: start + delay)
    }
    rig.run()
    #expect(fired == [10, 20, 30])
  }

  @Test func `a timer can be set again from its own closure`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var count = 0
    var timer: Timer?
    timer = Timer(on: rig.loop) {
      count += 1
      if count == 5 { rig.loop.stop() } else { timer?.schedule(after: 1) }
    }
    timer?.schedule(after: 0)
    rig.run()
    #expect(count == 5)
    #expect(timer?.isScheduled == false)
    timer = nil
  }

  @Test func `a later set time replaces the earlier one`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var order: [String] = []
    let moved = Timer(on: rig.loop) {
      order.append("moved")
      rig.loop.stop()
    }
    let fixed = Timer(on: rig.loop) { order.append("fixed") }
    moved.schedule(after: 1)
    fixed.schedule(after: 5)
    moved.schedule(after: 15)
    rig.run()
    #expect(order == ["fixed", "moved"])
  }

  @Test func `a cancelled or closed timer does not fire`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var fired: [String] = []
    let cancelled = Timer(on: rig.loop) { fired.append("cancelled") }
    let closed = Timer(on: rig.loop) { fired.append("closed") }
    let last = Timer(on: rig.loop) {
      fired.append("last")
      rig.loop.stop()
    }
    cancelled.schedule(after: 1)
    closed.schedule(after: 1)
    last.schedule(after: 10)
    cancelled.cancel()
    closed.close()
    closed.schedule(after: 1)
    rig.run()
    #expect(fired == ["last"])
  }

  /// libuv computes how long to sleep from the time that it read at the start of the turn.
  @Test func `a timer is not late by the duration of the turn that set it`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let loop = rig.loop
    var set: Int64 = 0
    var late: Int64 = 0
    let next = Timer(on: loop) {
      late = loop.now - set
      loop.stop()
    }
    let first = Timer(on: loop) {}
    loop.onTurnEnd = {
      guard set == 0 else { return }
      let start = loop.now
      while loop.now < start + 400 {}
      set = loop.now
      next.schedule(after: 0)
    }
    first.schedule(after: 0)
    rig.run()
    #expect(late < 300)
  }

  @Test func `a time long gone by fires in the next turn`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var fired = 0
    let timer = Timer(on: rig.loop) {
      fired += 1
      rig.loop.stop()
    }
    timer.schedule(at: .min / 2)
    rig.run()
    #expect(fired == 1)
  }
}
