import ZoneKitEventLoop
import Foundation
import ZoneKitProcesses
import ZoneKitScenarios
import enum ZoneKitStorage.Folder
import Testing

@Suite struct LinkProxyTests {
  /// A server that is told what it hears, a link before it and a client, on one loop with a watchdog.
  private final class Rig {
    let loop: Loop
    let server: Listener
    let link: LinkProxy
    var accepted: [Connection] = []
    /// What the server heard, by connection.
    var heard: [String] = []
    /// What the client heard, and how often it was closed.
    var answered = ""
    var closed = 0

    init(_ framing: LinkFraming = .bytes, at address: Address = .tcp(host: "127.0.0.1", port: 0)) throws {
      let loop = try Loop()
      self.loop = loop
      let door = Door()
      server = try Listener(at: .tcp(host: "127.0.0.1", port: 0), on: loop) { door.rig?.accept($0) }
      link = try LinkProxy(at: address, to: server.address, framing: framing, on: loop)
      door.rig = self
    }

    private final class Door { weak var rig: Rig? }

    private func accept(_ connection: Connection) {
      let index = accepted.count
      accepted.append(connection)
      heard.append("")
      connection.onRead = { [unowned self] in heard[index] += String(decoding: $0, as: UTF8.self) }
      connection.onClose = { [unowned self] _ in heard[index] += "|" }
    }

    func client() -> Connection {
      let client = Connection(to: link.address, on: loop)
      client.onRead = { [unowned self] in answered += String(decoding: $0, as: UTF8.self) }
      client.onClose = { [unowned self] _ in closed += 1 }
      return client
    }

    /// Runs the loop until it is so; fails the test where it does not come about.
    func until(_ what: String, _ isSo: @escaping () -> Bool) {
      let watchdog = Timer(on: loop) { [loop] in
        Issue.record("not within 20 s: \(what)")
        loop.stop()
      }
      watchdog.schedule(after: 20_000)
      loop.onTurnEnd = { [loop] in if isSo() { loop.stop() } }
      if !isSo() { loop.run() }
      watchdog.close()
    }

    deinit { loop.closeAll() }
  }

  @Test func `bytes pass both ways, and so does the end`() throws {
    let rig = try Rig()
    let client = rig.client()
    client.write(Array("question".utf8))
    rig.until("the question") { rig.heard == ["question"] }
    rig.accepted[0].write(Array("answer".utf8))
    rig.until("the answer") { rig.answered == "answer" }
    client.close()
    rig.until("the end") { rig.heard == ["question|"] && rig.link.connections == 0 }
  }

  @Test func `the server's end reaches the device behind its last bytes`() throws {
    let rig = try Rig()
    rig.link.change { $0.toDevice.delay = 30 }
    _ = rig.client()
    rig.until("a connection") { rig.accepted.count == 1 }
    rig.accepted[0].write(Array("last words".utf8))
    rig.accepted[0].shutdownAfterWrites()
    rig.until("the end") { rig.closed == 1 }
    #expect(rig.answered == "last words")
  }

  @Test func `a delay each way is waited for`() throws {
    let rig = try Rig()
    rig.link.change {
      $0.toServer.delay = 40
      $0.toDevice.delay = 40
    }
    let client = rig.client()
    let start = rig.loop.now
    client.write(Array("q".utf8))
    rig.until("the question") { rig.heard == ["q"] }
    #expect(rig.loop.now - start >= 40)
    rig.accepted[0].write(Array("a".utf8))
    rig.until("the answer") { rig.answered == "a" }
    #expect(rig.loop.now - start >= 80)
  }

  @Test func `what the server sends over a WebSocket passes under the conditions of pushes`() throws {
    let rig = try Rig()
    let pushes = try LinkProxy(
      at: .tcp(host: "127.0.0.1", port: 0), to: rig.server.address, framing: .lines, on: rig.loop)
    rig.link.channels = pushes
    let (socket, other) = (rig.client(), rig.client())
    other.write(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
    socket.write(Array("GET /realtime HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n\r\n".utf8))
    rig.until("both requests") { rig.heard.count == 2 && rig.heard.allSatisfy { $0.hasSuffix("\r\n\r\n") } }
    let head = "HTTP/1.1 101 Switching Protocols\r\n\r\n"
    let server = try #require(rig.heard.firstIndex { $0.contains("websocket") })
    rig.accepted[server].write(Array(head.utf8))
    rig.until("the head") { rig.answered == head }
    pushes.change { $0.toDevice.isCut = true }
    rig.accepted[server].write([0x81, 1, UInt8(ascii: "x")])
    let plain = try #require(rig.accepted.indices.first { $0 != server })
    rig.accepted[plain].write(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
    rig.until("an answer over the other connection") { rig.answered.contains("204") }
    pushes.change { $0.toDevice.isCut = false }
    rig.accepted[server].write([0x81, 1, UInt8(ascii: "y")])
    rig.until("the frame behind the lost one") { rig.answered.hasSuffix("y") }
    #expect(!rig.answered.contains("x") && rig.closed == 0)
    #expect(pushes.connections == 1 && rig.link.connections == 2)
    socket.close()
    rig.until("the end of the socket") { pushes.connections == 0 && rig.link.connections == 1 }
  }

  @Test func `a link cut one way passes the other, stays open, and is closed when it heals`() throws {
    let rig = try Rig()
    let client = rig.client()
    rig.until("a connection") { rig.accepted.count == 1 }
    rig.link.change { $0.toDevice.isCut = true }
    rig.accepted[0].write(Array("lost".utf8))
    client.write(Array("question".utf8))
    rig.until("the question") { rig.heard == ["question"] }
    rig.accepted[0].write(Array("lost too".utf8))
    // The other direction, said later, shows that the earlier bytes have had their time.
    client.write(Array("!".utf8))
    rig.until("the next question") { rig.heard == ["question!"] }
    #expect(rig.answered == "")
    #expect(rig.closed == 0)
    rig.link.change { $0.toDevice.isCut = false }
    rig.until("the end of both") { rig.closed == 1 && rig.heard == ["question!|"] }
    #expect(rig.answered == "")
  }

  @Test func `a clogged link makes the sender wait and gives everything when it opens`() throws {
    let rig = try Rig()
    let client = rig.client()
    rig.until("a connection") { rig.accepted.count == 1 }
    rig.link.change { $0.toDevice.isClogged = true }
    let size = 16 * 1024 * 1024
    rig.accepted[0].write([UInt8](repeating: 0x61, count: size))
    client.write(Array("q".utf8))
    rig.until("the other direction") { rig.heard == ["q"] }
    #expect(rig.answered == "")
    #expect(rig.accepted[0].queuedBytes > 0, "the link took in more than it may keep")
    rig.link.change { $0.toDevice.isClogged = false }
    rig.until("everything") { rig.answered.utf8.count == size }
    #expect(rig.accepted[0].queuedBytes == 0)
  }

  @Test func `an answer is lost after the request has passed`() throws {
    let rig = try Rig()
    rig.link.change { $0.answersToLose = 1 }
    rig.client().write(Array("first".utf8))
    rig.until("the request") { rig.heard == ["first"] }
    rig.accepted[0].write(Array("answer".utf8))
    rig.until("the end") { rig.closed == 1 && rig.heard == ["first|"] }
    #expect(rig.answered == "")
    rig.client().write(Array("again".utf8))
    rig.until("the second request") { rig.heard == ["first|", "again"] }
    rig.accepted[1].write(Array("answer".utf8))
    rig.until("the answer") { rig.answered == "answer" }
  }

  @Test func `a message that is not let through ends its connection, and nothing of it arrives`() throws {
    let rig = try Rig()
    var messages = 0
    rig.link.onMessage = { _ in
      messages += 1
      return messages != 2
    }
    let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
    let client = rig.client()
    client.write(Array(request.utf8))
    rig.until("the first request") { rig.heard == [request] }
    client.write(Array(request.utf8))
    rig.until("the end") { rig.closed == 1 && rig.heard == [request + "|"] }
    // Both requests, and that neither has an answer.
    rig.until("the end of what waited") { messages == 4 }
  }

  @Test func `all connections are closed at once and new ones are taken`() throws {
    let rig = try Rig()
    for _ in 0..<3 { rig.client().write(Array("x".utf8)) }
    rig.until("three") { rig.heard == ["x", "x", "x"] }
    rig.link.closeConnections()
    rig.until("the end of all") { rig.closed == 3 && rig.heard == ["x|", "x|", "x|"] && rig.link.connections == 0 }
    rig.client().write(Array("y".utf8))
    rig.until("a fourth") { rig.heard.last == "y" }
  }

  @Test(arguments: [true, false]) func `a refusing link is as good as none, until it accepts`(isUnix: Bool) throws {
    let folder = try Folder.makeTemporary()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let rig = try Rig(at: isUnix ? .unix(path: "\(folder)/link") : .tcp(host: "127.0.0.1", port: 0))
    rig.client().write(Array("x".utf8))
    rig.until("a connection") { rig.heard == ["x"] }
    rig.link.refuse()
    rig.until("the end") { rig.closed == 1 && rig.heard == ["x|"] }
    var reason: CloseReason?
    let refused = Connection(to: rig.link.address, on: rig.loop)
    refused.onClose = { reason = $0 }
    rig.until("a refusal") { reason != nil }
    guard case .failed(let error) = reason else {
      Issue.record("the link took a connection: \(String(describing: reason))")
      return
    }
    #expect(error.action == "connect to")
    try rig.link.accept()
    rig.client().write(Array("y".utf8))
    rig.until("a new connection") { rig.heard.last == "y" }
  }
}
