import Testing
import ZoneKitWebSocket

/// A server's and a client's framer, whose bytes are passed on by the test.
private struct Pair {
  let server = MessageFramer(.server)
  let client = MessageFramer(.client)

  /// Passes the client's output to the server, in pieces of that size.
  func toServer(pieces: Int = .max) -> [MessageFramer.Event] { pass(client.takeOutput(), to: server, pieces) }

  /// Passes the server's output to the client, in pieces of that size.
  func toClient(pieces: Int = .max) -> [MessageFramer.Event] { pass(server.takeOutput(), to: client, pieces) }

  private func pass(_ bytes: [UInt8], to framer: MessageFramer, _ size: Int) -> [MessageFramer.Event] {
    var events: [MessageFramer.Event] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      events += Array(rest.prefix(size)).withUnsafeBytes { framer.receive($0) }
      rest = rest.dropFirst(size)
    }
    return events
  }
}

private func text(_ string: String) -> MessageFramer.Event { .text(Array(string.utf8)) }

private func receive(_ bytes: [UInt8], _ framer: MessageFramer) -> [MessageFramer.Event] {
  bytes.withUnsafeBytes { framer.receive($0) }
}

/// A masked frame with a mask of zeros, which leaves the payload as it is.
private func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
  [first, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
}

struct MessageFramerTests {
  @Test(arguments: [1, 2, 3, 7, 4096, Int.max])
  func `messages arrive whole and in order, however the bytes are cut`(size: Int) {
    let pair = Pair()
    let messages = ["", "a", "ä€😀", String(repeating: "x", count: 126), String(repeating: "y", count: 70_000)]
    for message in messages { pair.client.send(text: Array(message.utf8)) }
    #expect(pair.toServer(pieces: size) == messages.map(text))
    for message in messages { pair.server.send(text: Array(message.utf8)) }
    #expect(pair.toClient(pieces: size) == messages.map(text))
  }

  @Test func `a client masks its frames and a server does not`() {
    let pair = Pair()
    pair.server.send(text: Array("hello".utf8))
    #expect(pair.server.takeOutput() == [0x81, 5] + Array("hello".utf8))
    pair.client.send(text: Array("hello".utf8))
    let masked = pair.client.takeOutput()
    #expect(masked.count == 11)
    #expect(masked[1] == 0x85)
  }

  @Test func `the fragments of a message become one message`() {
    let framer = MessageFramer(.server)
    #expect(receive(frame(0x01, Array("he".utf8)), framer).isEmpty)
    #expect(receive(frame(0x89, []), framer).isEmpty, "a ping may come between fragments")
    #expect(receive(frame(0x80, Array("llo".utf8)), framer) == [text("hello")])
    #expect(framer.takeOutput() == [0x8A, 0], "the ping is answered with a pong")
  }

  @Test func `a close is answered and ends the connection with the peer's code`() {
    let pair = Pair()
    pair.client.close(code: 1000)
    #expect(pair.toServer() == [.closed(code: 1000)])
    #expect(pair.server.isFinished)
    #expect(pair.toClient() == [.closed(code: 1000)])
    #expect(pair.client.isFinished)
  }

  @Test func `a close without a code is reported as 1005`() {
    #expect(receive(frame(0x88, []), MessageFramer(.server)) == [.closed(code: 1005)])
  }

  @Test func `nothing is received or sent after the end`() {
    let framer = MessageFramer(.server)
    _ = receive(frame(0x88, [0x03, 0xE8]), framer)
    _ = framer.takeOutput()
    framer.send(text: Array("late".utf8))
    #expect(framer.takeOutput().isEmpty)
    #expect(receive(frame(0x81, Array("late".utf8)), framer).isEmpty)
  }

  @Test(arguments: [
    ([0x81, 0x01, 0x61], UInt16(1002), "a client's frame without a mask"),
    ([0x83, 0x80, 0, 0, 0, 0], 1002, "an unknown opcode"),
    ([0xC1, 0x80, 0, 0, 0, 0], 1002, "a reserved bit"),
    ([0x80, 0x80, 0, 0, 0, 0], 1002, "a continuation of nothing"),
    ([0x81, 0x82, 0, 0, 0, 0, 0xC3, 0x28], 1007, "a text that is not UTF-8"),
    ([0x81, 0xFF, 0, 0, 0, 0, 0, 0x10, 0, 1], 1009, "a message above the limit"),
  ])
  func `bytes that are not valid frames end the connection`(bytes: [UInt8], code: UInt16, what: String) {
    let framer = MessageFramer(.server)
    // The last case is a head alone: its mask and the first byte of its content follow.
    let events = receive(bytes + [0, 0, 0, 0, 0], framer)
    #expect(events == [.closed(code: code)], Comment(rawValue: what))
    #expect(framer.takeOutput() == [0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)])
  }

  @Test func `a fragment of a ping ends the connection without a code`() {
    let framer = MessageFramer(.server)
    #expect(receive(frame(0x09, []), framer) == [.closed(code: 1006)])
    #expect(framer.takeOutput() == [0x88, 0])
  }

  @Test func `of several pings the newest is answered, before what follows`() {
    let framer = MessageFramer(.server)
    framer.send(text: Array("a".utf8))
    let pings = (0..<200).flatMap { frame(0x89, [UInt8($0)]) }
    #expect(receive(pings, framer).isEmpty)
    #expect(receive(frame(0x89, [7]) + frame(0x8A, []), framer).isEmpty)
    #expect((framer.pings, framer.frames) == (201, 202))
    #expect(framer.takeOutput() == [0x8A, 1, 7, 0x81, 1, 0x61])
    #expect(framer.pings == 0)
    #expect(framer.takeOutput().isEmpty)
  }

  @Test func `a close comes after a pong that waits, and nothing follows it`() {
    let framer = MessageFramer(.server)
    #expect(receive(frame(0x89, [1]), framer).isEmpty)
    #expect(receive(frame(0x88, [0x03, 0xE8]) + frame(0x89, [2]), framer) == [.closed(code: 1000)])
    #expect(framer.takeOutput() == [0x8A, 1, 1, 0x88, 2, 0x03, 0xE8])
  }

  @Test func `a client answers the newest ping too`() {
    let pair = Pair()
    pair.server.ping()
    pair.server.ping()
    #expect(pair.toClient().isEmpty)
    #expect(pair.toServer().isEmpty)
    #expect(pair.server.frames == 1)
  }

  @Test func `a message with too many fragments ends the connection`() {
    func fragments(_ count: Int) -> [UInt8] {
      (0..<count).flatMap { frame(($0 == 0 ? 0x01 : 0x00) | ($0 == count - 1 ? 0x80 : 0), [0x61]) }
    }
    let framer = MessageFramer(.server)
    let limit = MessageFramer.fragmentLimit
    for _ in 1...2 {
      #expect(receive(fragments(limit), framer) == [text(String(repeating: "a", count: limit))])
    }
    #expect(receive(fragments(limit + 2), framer) == [.closed(code: 1009)])
    #expect(framer.takeOutput() == [0x88, 2, 0x03, 0xF1])
  }

  @Test func `it is known whether a message is incomplete`() {
    let framer = MessageFramer(.server)
    _ = receive(frame(0x01, [0x61]) + frame(0x89, []), framer)
    #expect(framer.isWithinMessage)
    _ = receive(frame(0x80, [0x61]), framer)
    #expect(!framer.isWithinMessage)
  }

  @Test func `a binary message arrives as one`() {
    let pair = Pair()
    pair.server.send(binary: [1, 0xFF])
    #expect(pair.toClient() == [.binary([1, 0xFF])])
  }

  @Test func `a message of the largest size is accepted`() {
    let pair = Pair()
    let message = [UInt8](repeating: 0x61, count: MessageFramer.messageLimit)
    pair.client.send(text: message)
    #expect(pair.toServer() == [.text(message)])
  }
}
