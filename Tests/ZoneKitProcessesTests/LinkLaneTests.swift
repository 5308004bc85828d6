import ZoneKitRecords
import ZoneKitProcesses
import ZoneKitScenarios
import ZoneKitSimulator
import Testing
import ZoneKitWire

@Suite struct LinkLaneTests {
  private var state = LinkState()

  /// What a lane lets out until a time, joined; "|" stands for the end.
  private func drain(_ lane: inout LinkLane, at now: Int64, _ state: LinkState, _ way: LinkDirection = .toDevice)
    -> String
  {
    var text = ""
    while let passage = lane.take(under: state[way], at: now) {
      switch passage {
      case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
      case .end: text += "|"
      }
    }
    return text
  }

  /// A lane of lines whose greeting has passed.
  private mutating func greetedLane() -> LinkLane {
    var lane = LinkLane(framing: .lines)
    lane.receive("hello\n".utf8, under: &state, .toDevice, at: 0)
    _ = drain(&lane, at: 0, state)
    return lane
  }

  private mutating func say(_ text: String, to lane: inout LinkLane, at now: Int64 = 0) {
    lane.receive(text.utf8, under: &state, .toDevice, at: now)
  }

  @Test mutating func `bytes pass at once, and the end after them`() {
    var lane = LinkLane(framing: .bytes)
    say("ab", to: &lane)
    lane.end(under: state.toDevice, at: 0)
    #expect(drain(&lane, at: 0, state) == "ab|")
    #expect(lane.heldBytes == 0)
  }

  @Test mutating func `a delay holds bytes so long, and a shorter one lets none overtake`() {
    var lane = LinkLane(framing: .bytes)
    state.toDevice.delay = 100
    say("a", to: &lane)
    state.toDevice.delay = 0
    say("b", to: &lane, at: 10)
    #expect(lane.nextDeadline(under: state.toDevice) == 100)
    #expect(drain(&lane, at: 99, state) == "")
    #expect(drain(&lane, at: 100, state) == "ab")
  }

  @Test mutating func `what is cut is swallowed, and the stream is broken`() {
    var lane = LinkLane(framing: .bytes)
    state.toDevice.isCut = true
    say("a", to: &lane)
    #expect(lane.isBroken)
    #expect(drain(&lane, at: 0, state) == "")
    state.toDevice.isCut = false
    say("b", to: &lane)
    #expect(drain(&lane, at: 0, state) == "b")
  }

  @Test mutating func `a cut in the other direction changes nothing`() {
    var lane = LinkLane(framing: .bytes)
    state.toServer.isCut = true
    say("a", to: &lane)
    #expect(drain(&lane, at: 0, state) == "a")
    #expect(!lane.isBroken)
  }

  @Test mutating func `what is clogged waits without a deadline, and comes whole`() {
    var lane = LinkLane(framing: .bytes)
    state.toDevice.isClogged = true
    say("ab", to: &lane)
    #expect(drain(&lane, at: 1_000, state) == "")
    #expect(lane.nextDeadline(under: state.toDevice) == nil)
    #expect(lane.heldBytes == 2)
    state.toDevice.isClogged = false
    #expect(drain(&lane, at: 1_000, state) == "ab")
  }

  @Test mutating func `lines are made whole before anything happens to them`() {
    var lane = greetedLane()
    state.pushFaults.add(.drop, .next(1))
    say("on", to: &lane)
    say("e\ntw", to: &lane)
    say("o\n", to: &lane)
    #expect(drain(&lane, at: 0, state) == "two\n")
  }

  @Test mutating func `the greeting is spared`() {
    var lane = LinkLane(framing: .lines)
    state.pushFaults.add(.drop, .next(1))
    say("hello\none\ntwo\n", to: &lane)
    #expect(drain(&lane, at: 0, state) == "hello\ntwo\n")
  }

  @Test mutating func `a line comes twice`() {
    var lane = greetedLane()
    state.pushFaults.add(.duplicate, .next(1))
    say("one\ntwo\n", to: &lane)
    #expect(drain(&lane, at: 0, state) == "one\none\ntwo\n")
  }

  @Test mutating func `a push is changed on its way, and a line that is none is not`() throws {
    var lane = greetedLane()
    var push = PushNotification(subject: .database, notificationID: "n-1")
    push.subscriptionID = "db"
    let line = String(decoding: PushLine.notification(push).line, as: UTF8.self)
    for fault in [PushFault.withoutID, .misaddress, .prune, .prune] { state.pushFaults.add(fault, .next(1)) }
    say(line + line + line + "{}\n", to: &lane)
    let lines = drain(&lane, at: 0, state).split(separator: "\n", omittingEmptySubsequences: false)
    let changed = try lines.prefix(3).map { line in
      guard case .notification(let push) = try PushLine(line: ArraySlice(line.utf8)) else {
        throw PushLineError("no notification: \(line)")
      }
      return push
    }
    #expect(changed.map(\.notificationID) == [nil, "n-1", nil])
    #expect(changed.map(\.subscriptionID) == ["db", "a-subscription-that-nobody-knows", "db"])
    #expect(changed.map(\.isPruned) == [false, false, true])
  }

  @Test mutating func `a delayed line is overtaken`() {
    var lane = greetedLane()
    state.pushFaults.add(.delay(TimeSpan(milliseconds: 50)), .next(1))
    say("one\n", to: &lane)
    say("two\n", to: &lane, at: 1)
    #expect(drain(&lane, at: 49, state) == "two\n")
    #expect(lane.nextDeadline(under: state.toDevice) == 50)
    #expect(drain(&lane, at: 50, state) == "one\n")
  }

  @Test mutating func `a swapped line comes right behind the next, or when it is released`() {
    var lane = greetedLane()
    state.pushFaults.add(.swap, .next(1))
    say("one\ntwo\nthree\n", to: &lane)
    #expect(drain(&lane, at: 0, state) == "two\none\nthree\n")
    state.pushFaults.add(.swap, .next(1))
    say("four\n", to: &lane)
    #expect(drain(&lane, at: 0, state) == "")
    lane.releaseSwapped(at: 0)
    #expect(drain(&lane, at: 0, state) == "four\n")
  }

  @Test mutating func `a swapped line comes though the next one is lost`() {
    var lane = greetedLane()
    state.pushFaults.add(.swap, .next(1))
    state.pushFaults.add(.drop, .next(1))
    say("one\ntwo\n", to: &lane)
    #expect(drain(&lane, at: 0, state) == "one\n")
  }

  @Test mutating func `swallowed lines leave a stream of lines whole, a swallowed greeting does not`() {
    var lane = greetedLane()
    state.toDevice.isCut = true
    say("one\n", to: &lane)
    #expect(!lane.isBroken)
    var late = LinkLane(framing: .lines)
    say("hello\n", to: &late)
    #expect(late.isBroken)
  }

  @Test mutating func `a line over the limit is not waited for`() {
    var lane = greetedLane()
    say(String(repeating: "a", count: LinkLane.lineLimit - 1), to: &lane)
    #expect(drain(&lane, at: 0, state).isEmpty)
    #expect(lane.heldBytes == LinkLane.lineLimit - 1)
    say("a", to: &lane)
    #expect(drain(&lane, at: 0, state).utf8.count == LinkLane.lineLimit)
    #expect(lane.heldBytes == 0)
  }

  @Test(arguments: 0..<200) func `a stream is unchanged by any delays`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var lane = LinkLane(framing: Bool.random(using: &random) ? .bytes : .lines)
    var state = LinkState()
    var sent: [UInt8] = []
    var received: [UInt8] = []
    for now in 0..<100 as Range<Int64> {
      state.toDevice.delay = .random(in: 0...20, using: &random)
      state.toDevice.isClogged = Int.random(in: 0..<3, using: &random) == 0
      let bytes = (0..<Int.random(in: 0..<9, using: &random)).map { _ in UInt8.random(in: 8...12, using: &random) }
      sent += bytes
      lane.receive(bytes, under: &state, .toDevice, at: now)
      while case .bytes(let bytes)? = lane.take(under: state.toDevice, at: now) { received += bytes }
      #expect(lane.heldBytes == sent.count - received.count)
    }
    sent.append(0x0A)
    lane.receive([0x0A], under: &state, .toDevice, at: 100)
    state.toDevice.isClogged = false
    while case .bytes(let bytes)? = lane.take(under: state.toDevice, at: 1_000) { received += bytes }
    #expect(received == sent)
  }
}
