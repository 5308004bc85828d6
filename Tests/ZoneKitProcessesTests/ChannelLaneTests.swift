import Testing
import ZoneKitProcesses

@Suite struct `what a server sends over a channel` {
  private var state = LinkState()
  private var lane = LinkLane(framing: .frames)

  private static let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"

  /// A frame with a whole text, as a server sends it (RFC 6455, 5.2).
  private static func frame(_ text: String) -> [UInt8] {
    let (payload, count) = (Array(text.utf8), text.utf8.count)
    let length: [UInt8] =
      switch count {
      case ..<126: [UInt8(count)]
      case ..<65_536: [126, UInt8(count >> 8), UInt8(count & 0xff)]
      default: [127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
      }
    return [0x81] + length + payload
  }

  /// The frame of an event with that text, in the second version of the protocol.
  private static func event(_ text: String) -> [UInt8] {
    frame("[null,null,\"realtime:a\",\"postgres_changes\",{\"data\":\"\(text)\"}]")
  }

  private static let reply = frame("[null,\"1\",\"phoenix\",\"phx_reply\",{}]")

  private mutating func send(_ bytes: [UInt8], at now: Int64 = 0) {
    lane.receive(bytes, under: &state, .toDevice, at: now)
  }

  private mutating func received(at now: Int64 = 0) -> [UInt8] {
    var received: [UInt8] = []
    while case .bytes(let bytes)? = lane.take(under: state.toDevice, at: now) { received += bytes }
    return received
  }

  @Test mutating func `arrives unchanged however it is split`() {
    let texts = ["a", String(repeating: "b", count: 200), String(repeating: "c", count: 70_000)]
    let all = Array(Self.head.utf8) + texts.flatMap(Self.event) + Self.reply
    for byte in all.prefix(700) { send([byte]) }
    send(Array(all.dropFirst(700)))
    #expect(received() == all)
    #expect(lane.heldBytes == 0)
  }

  @Test mutating func `is whole frames when a cut ends, unless the head is lost`() {
    send(Array(Self.head.utf8))
    state.toDevice.isCut = true
    send(Self.event("lost"))
    state.toDevice.isCut = false
    send(Self.event("comes"))
    #expect(received() == Array(Self.head.utf8) + Self.event("comes"))
    #expect(!lane.isBroken)
    lane = LinkLane(framing: .frames)
    state.toDevice.isCut = true
    send(Array(Self.head.utf8))
    #expect(lane.isBroken)
  }

  @Test mutating func `passes as it is if the server refuses the socket`() {
    let refusal = Array("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\n".utf8) + Array("no".utf8)
    send(refusal)
    #expect(received() == refusal)
  }
}
