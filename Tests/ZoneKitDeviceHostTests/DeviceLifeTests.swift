import ZoneKitDeviceHost
import ZoneKitRecords
import Testing

private typealias Effect = DeviceLife.Effect

private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

private func push(_ id: String, info: NotificationInfo = .silent) -> PushNotification {
  PushNotification(subject: .database, notificationID: id, info: info)
}

@Suite struct DeviceLifeTests {
  /// How a device comes to a state, and what a silent push does then.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var prepare: @Sendable (inout DeviceLife) -> Void
    var expected: [DeviceLife.Effect]
    var state: DeviceLife.State
    var testDescription: String { name }
  }

  static let woken: [DeviceLife.Effect] = [.run(until: at(130_000)), .hand(push("n"))]

  static let rows: [Row] = [
    Row(
      name: "in front: at once", prepare: { _ = $0.launched(at: at(0)) }, expected: [.hand(push("n"))],
      state: .foreground),
    Row(
      name: "in front with low power: at once",
      prepare: {
        _ = $0.launched(at: at(0))
        _ = $0.lowPowerChanged(isOn: true, at: at(0))
      }, expected: [.hand(push("n"))], state: .foreground),
    Row(
      name: "just gone to the background: handed, and the time to run starts anew",
      prepare: {
        _ = $0.launched(at: at(0))
        _ = $0.enteredBackground(at: at(90_000))
      }, expected: woken, state: .background(until: at(130_000))),
    Row(
      name: "suspended: woken",
      prepare: {
        _ = $0.launched(at: at(0))
        _ = $0.enteredBackground(at: at(0))
        _ = $0.tick(at: at(30_000))
      }, expected: woken, state: .background(until: at(130_000))),
    Row(
      name: "never opened: started in the background", prepare: { _ in }, expected: [.launch] + woken,
      state: .background(until: at(130_000))),
    Row(
      name: "crashed: started in the background",
      prepare: {
        _ = $0.launched(at: at(0))
        _ = $0.ended(at: at(1))
      }, expected: [.launch] + woken, state: .background(until: at(130_000))),
    Row(
      name: "force-quit: discarded",
      prepare: {
        _ = $0.launched(at: at(0))
        _ = $0.forceQuit(at: at(1))
      }, expected: [.discard(push("n"), .forceQuit)], state: .forceQuit),
    Row(
      name: "force-quit, then the device restarted: started in the background",
      prepare: {
        _ = $0.forceQuit(at: at(1))
        _ = $0.rebooted(at: at(2))
      }, expected: [.launch] + woken, state: .background(until: at(130_000))),
    Row(
      name: "off: discarded", prepare: { _ = $0.poweredOff(at: at(1)) },
      expected: [.discard(push("n"), .poweredOff)], state: .off),
    Row(
      name: "low power: held", prepare: { _ = $0.lowPowerChanged(isOn: true, at: at(0)) },
      expected: [.hold(push("n"), .lowPower)], state: .notRunning),
    Row(
      name: "background refresh off: held", prepare: { _ = $0.backgroundRefreshChanged(isOn: false, at: at(0)) },
      expected: [.hold(push("n"), .refreshOff)], state: .notRunning),
    Row(
      name: "budget spent: held",
      prepare: { for time in 0..<3 as Range<Int64> { _ = $0.pushArrived(push("b"), at: at(time)) } },
      expected: [.hold(push("n"), .budget)], state: .background(until: at(30_002))),
  ]

  @Test(arguments: rows) func `a silent push meets the app`(row: Row) {
    var life = DeviceLife()
    row.prepare(&life)
    #expect(life.pushArrived(push("n"), at: at(100_000)) == row.expected)
    #expect(life.state == row.state)
  }

  // MARK: Holding

  @Test func `only the newest push is held, and opening the app delivers it at once`() {
    var life = DeviceLife()
    _ = life.lowPowerChanged(isOn: true, at: at(0))
    #expect(life.pushArrived(push("1"), at: at(1)) == [.hold(push("1"), .lowPower)])
    #expect(
      life.pushArrived(push("2"), at: at(2)) == [.discard(push("1"), .overwritten), .hold(push("2"), .lowPower)])
    #expect(life.heldPush == push("2"))
    #expect(life.nextDeadline == nil)
    #expect(life.launched(at: at(3)) == [.hand(push("2"))])
    #expect(life.heldPush == nil)
  }

  @Test func `an app that comes to the front gets what is held`() {
    var life = DeviceLife(policy: DeviceLife.Policy(budget: 0))
    _ = life.launched(at: at(0))
    _ = life.enteredBackground(at: at(0))
    _ = life.tick(at: at(30_000))
    #expect(life.pushArrived(push("n"), at: at(40_000)) == [.hold(push("n"), .budget)])
    #expect(life.nextDeadline == nil, "without a budget nothing but the user helps")
    #expect(life.tick(at: at(90_000_000)) == [])
    #expect(life.enteredForeground(at: at(90_000_001)) == [.hand(push("n"))])
  }

  @Test(arguments: [
    (DeviceLife.DiscardReason.forceQuit, DeviceLife.State.forceQuit), (.appEnded, .notRunning), (.poweredOff, .off),
  ])
  func `what is held goes with the app`(reason: DeviceLife.DiscardReason, state: DeviceLife.State) {
    var life = DeviceLife()
    _ = life.launched(at: at(0))
    _ = life.enteredBackground(at: at(0))
    _ = life.backgroundRefreshChanged(isOn: false, at: at(0))
    _ = life.pushArrived(push("n"), at: at(1))
    let effects =
      switch state {
      case .forceQuit: life.forceQuit(at: at(2))
      case .off: life.poweredOff(at: at(2))
      default: life.ended(at: at(2))
      }
    #expect(effects == [.discard(push("n"), reason)])
    #expect(life.state == state)
    #expect(life.enteredForeground(at: at(3)) == (state == .off ? [] : [.launch]))
  }

  @Test func `what low power or the refresh switch kept is delivered when both allow it`() {
    var life = DeviceLife()
    _ = life.lowPowerChanged(isOn: true, at: at(0))
    _ = life.backgroundRefreshChanged(isOn: false, at: at(0))
    _ = life.pushArrived(push("n"), at: at(0))
    #expect(life.lowPowerChanged(isOn: false, at: at(5)) == [])
    #expect(
      life.backgroundRefreshChanged(isOn: true, at: at(10)) == [.launch, .run(until: at(30_010)), .hand(push("n"))])
  }

  @Test func `a push with nothing for the app does not wake it, nor push a held one out`() {
    let alert = push("alert", info: NotificationInfo(alertBody: "Hello"))
    var life = DeviceLife()
    _ = life.lowPowerChanged(isOn: true, at: at(0))
    _ = life.pushArrived(push("n"), at: at(0))
    #expect(life.pushArrived(alert, at: at(0)) == [.discard(alert, .notForApp)])
    #expect(life.launched(at: at(1)) == [.hand(push("n"))])
    #expect(life.pushArrived(alert, at: at(2)) == [.hand(alert)])
  }

  // MARK: Budget and delay

  @Test func `the fourth push of an hour waits until the first is an hour old`() {
    var life = DeviceLife()
    for time in [0, 600_000, 1_200_000] as [Int64] {
      #expect(life.pushArrived(push("n"), at: at(time)).last == .hand(push("n")))
      #expect(life.tick(at: at(time + 30_000)) == [.suspend])
    }
    #expect(life.pushArrived(push("4"), at: at(1_300_000)) == [.hold(push("4"), .budget)])
    #expect(life.nextDeadline == at(3_600_000))
    #expect(life.tick(at: at(3_599_999)) == [])
    #expect(life.tick(at: at(3_600_000)) == [.run(until: at(3_630_000)), .hand(push("4"))])
    #expect(life.pushArrived(push("5"), at: at(3_600_001)) == [.hold(push("5"), .budget)])
    #expect(life.tick(at: at(4_200_000)) == [.suspend, .run(until: at(4_230_000)), .hand(push("5"))])
  }

  @Test func `pushes to an app in front cost no budget`() {
    var life = DeviceLife(policy: DeviceLife.Policy(budget: 1))
    _ = life.launched(at: at(0))
    for _ in 0..<10 { #expect(life.pushArrived(push("n"), at: at(1)) == [.hand(push("n"))]) }
    _ = life.enteredBackground(at: at(2))
    #expect(life.pushArrived(push("n"), at: at(3)) == [.run(until: at(30_003)), .hand(push("n"))])
    #expect(life.pushArrived(push("n"), at: at(4)) == [.hold(push("n"), .budget)])
  }

  // MARK: The app's life

  @Test func `an app in the background runs for half a minute, then is suspended`() {
    var life = DeviceLife()
    _ = life.launched(at: at(0))
    #expect(life.enteredBackground(at: at(10)) == [.run(until: at(30_010))])
    #expect(life.isRunning)
    #expect(life.nextDeadline == at(30_010))
    #expect(life.tick(at: at(30_009)) == [])
    #expect(life.tick(at: at(30_010)) == [.suspend])
    #expect(!life.isRunning)
    #expect(life.nextDeadline == nil)
    #expect(life.enteredForeground(at: at(40_000)) == [])
    #expect(life.isRunning)
  }

  @Test func `an app that came back to the front in time is not suspended`() {
    var life = DeviceLife()
    _ = life.launched(at: at(0))
    _ = life.enteredBackground(at: at(0))
    _ = life.enteredForeground(at: at(10))
    #expect(life.nextDeadline == nil)
    #expect(life.tick(at: at(30_000)) == [])
  }

  @Test func `events that do not fit the state change nothing`() {
    var life = DeviceLife()
    #expect(life.enteredBackground(at: at(0)) == [])
    #expect(life.ended(at: at(0)) == [])
    #expect(life.state == .notRunning)
    _ = life.poweredOff(at: at(0))
    #expect(life.forceQuit(at: at(0)) == [])
    #expect(life.enteredForeground(at: at(0)) == [])
    #expect(life.launched(at: at(0)) == [])
    #expect(life.state == .off)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `each push is handed over, discarded or held, once, and the budget is kept`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let policy = DeviceLife.Policy(
      budget: Int.random(in: 0...3, using: &generator), budgetWindow: 1_000, backgroundTime: 50)
    var life = DeviceLife(policy: policy)
    var clock: Int64 = 0
    var ends: [String: Int] = [:]
    var grants: [Int64] = []
    for number in 0..<300 {
      clock += Int64.random(in: 0...200, using: &generator)
      let wasInFront = life.state == .foreground
      let isArrival = number % 2 == 0
      let effects =
        isArrival
        ? life.pushArrived(push("\(number)"), at: at(clock)) : step(&life, at: at(clock), using: &generator)
      var hasRun = false
      for effect in effects {
        switch effect {
        case .run: hasRun = true
        case .hand(let push), .discard(let push, _): ends[push.notificationID ?? "", default: 0] += 1
        case .launch, .suspend, .hold: break
        }
      }
      if hasRun, !wasInFront { grants.append(clock) }
    }
    if let held = life.heldPush?.notificationID { ends[held, default: 0] += 1 }
    #expect(ends.count == 150)
    #expect(ends.values.allSatisfy { $0 == 1 })
    for (place, time) in grants.enumerated() {
      #expect(grants[...place].count { $0 > time - 1_000 } <= policy.budget)
    }
  }

  private func step(
    _ life: inout DeviceLife, at time: MonotonicTime, using generator: inout SplitMix64
  ) -> [DeviceLife.Effect] {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0: life.launched(at: time)
    case 1...2: life.enteredForeground(at: time)
    case 3...6: life.enteredBackground(at: time)
    case 7: life.forceQuit(at: time)
    case 8: life.ended(at: time)
    case 9: life.poweredOff(at: time)
    case 10...11: life.rebooted(at: time)
    case 12: life.lowPowerChanged(isOn: Bool.random(using: &generator), at: time)
    case 13: life.backgroundRefreshChanged(isOn: Bool.random(using: &generator), at: time)
    default: life.tick(at: time)
    }
  }
}
