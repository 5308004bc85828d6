import ZoneKitProcesses
import ZoneKitRecords
import Testing

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
