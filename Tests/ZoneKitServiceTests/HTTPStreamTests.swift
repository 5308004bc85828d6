import Testing
import ZoneKitEventLoop
import ZoneKitWire

@testable import ZoneKitService

/// The kinds of exchange that are not whole: bodies and answers in pieces, and upgrades, over real sockets.
@Suite struct HTTPStreamTests {
  /// What a handler keeps for its test.
  private final class Kept {
    var exchanges: [HTTPExchange] = []
    var stream: HTTPAnswerStream?
    var bytes = 0
    var ends: [HTTPBodyStream.End] = []
    var isReady = false
    var isClosed = false
    var hasPeerEnded = false
  }

  // MARK: Bodies in pieces

  private func route(_ kept: Kept, limit: Int = 1 << 30, pausing: Bool) -> HTTPRoute {
    HTTPRoute(body: { _ in .pieces(limit: limit) }) { exchange in
      kept.exchanges.append(exchange)
      exchange.body?.onPiece = { piece in
        kept.bytes += piece.count
        if pausing { exchange.body?.pause() }
      }
      exchange.body?.onEnd = { end in
        kept.ends.append(end)
        exchange.reply(HTTPReply(text: "\(kept.bytes)"))
      }
    }
  }

  @Test func `a body comes in pieces and its answer behind it`() throws {
    let kept = Kept()
    let rig = try HTTPRig(["pieces": route(kept, pausing: false), "ping": .echoesPath])
    let client = rig.client(sending: post("/pieces", length: 6) + "abc")
    rig.run { kept.bytes == 3 }
    #expect(kept.ends.isEmpty)
    client.send("def" + get("/ping"))
    rig.run { client.responses.count == 2 }
    #expect(kept.ends == [.complete])
    #expect(client.bodies == ["6", "/ping"])
    rig.end()
  }

  @Test func `while a body is paused the client is not read from`() throws {
    let kept = Kept()
    let rig = try HTTPRig(["pieces": route(kept, pausing: true), "ping": .echoesPath])
    let size = 64 << 20
    let client = rig.client(sending: post("/pieces", length: size))
    client.stream.write([UInt8](repeating: 0x61, count: size))
    rig.run { kept.bytes > 0 }
    rig.letThingsHappen()
    #expect(kept.bytes <= 64 * 1024)
    #expect(client.stream.queuedBytes > size / 2)
    let body = try #require(kept.exchanges.first?.body)
    rig.run {
      body.resume()
      return client.responses.count == 1
    }
    #expect(client.bodies == ["\(size)"])
    rig.end()
  }

  @Test func `a body over its limit is broken off and refused`() throws {
    let kept = Kept()
    let rig = try HTTPRig(["pieces": route(kept, limit: 4, pausing: false)])
    let client = rig.client(
      sending: "POST /pieces HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n")
    rig.run { client.isClosed }
    #expect(kept.ends == [.brokenOff])
    #expect(kept.bytes == 3)
    rig.end()
  }

  @Test func `a body whose client goes is broken off`() throws {
    let kept = Kept()
    let rig = try HTTPRig(["pieces": route(kept, pausing: false)])
    let client = rig.client(sending: post("/pieces", length: 6) + "abc")
    rig.run { kept.bytes == 3 }
    client.close()
    rig.run { !kept.ends.isEmpty }
    #expect(kept.ends == [.brokenOff])
    rig.end()
  }

  // MARK: Answers in pieces

  private func streaming(_ kept: Kept) -> HTTPRoute {
    HTTPRoute { exchange in
      let stream = exchange.stream(contentType: "text/plain")
      stream.onReady = { kept.isReady = true }
      stream.onClose = { kept.isClosed = true }
      stream.onPeerEnd = { kept.hasPeerEnded = true }
      kept.stream = stream
    }
  }

  @Test func `an answer leaves piece by piece and the connection goes on behind it`() throws {
    let kept = Kept()
    let rig = try HTTPRig(["stream": streaming(kept), "ping": .echoesPath])
    let client = rig.client(sending: get("/stream") + get("/ping"))
    rig.run { kept.stream != nil }
    let stream = try #require(kept.stream)
    stream.send(Array("one ".utf8))
    rig.run { client.text.contains("one ") }
    #expect(client.responses.isEmpty)
    stream.send([])
    stream.send(Array("two".utf8))
    stream.finish()
    stream.send(Array("dropped".utf8))
    rig.run { client.responses.count == 2 }
    #expect(client.bodies == ["one two", "/ping"])
    #expect(!kept.isClosed)
    rig.end()
  }

  @Test func `an answer in pieces waits for the answers before it`() throws {
    let kept = Kept()
    let rig = try HTTPRig([
      "held": HTTPRoute { kept.exchanges.append($0) }, "stream": streaming(kept), "ping": .echoesPath,
    ])
    let client = rig.client(sending: get("/held") + get("/stream"))
    rig.run { kept.stream != nil }
    kept.stream?.send(Array("streamed".utf8))
    kept.stream?.finish()
    rig.letThingsHappen()
    #expect(client.heard.isEmpty)
    kept.exchanges[0].reply(HTTPReply(text: "held"))
    rig.run { client.responses.count == 2 }
    #expect(client.bodies == ["held", "streamed"])
    rig.end()
  }

  @Test func `an answer in pieces pauses while its client does not read`() throws {
    let kept = Kept()
    let rig = try HTTPRig(["stream": streaming(kept), "ping": .echoesPath])
    let client = rig.client()
    client.stream.pauseReading()
    client.send(get("/stream"))
    rig.run { kept.stream != nil }
    let stream = try #require(kept.stream)
    let piece = [UInt8](repeating: 0x61, count: 256 << 10)
    var sent = 0
    while sent < 200, !stream.isFull {
      stream.send(piece)
      sent += 1
      rig.letThingsHappen()
    }
    #expect(sent < 200)
    #expect(!kept.isReady)
    client.stream.resumeReading()
    rig.run { kept.isReady }
    #expect(!stream.isFull)
    stream.finish()
    rig.run { client.responses.count == 1 }
    #expect(client.responses[0].body.count == sent * piece.count)
    rig.end()
  }

  @Test func `an answer that is broken off ends the connection without its last chunk`() throws {
    let kept = Kept()
    let rig = try HTTPRig(["stream": streaming(kept), "ping": .echoesPath])
    let client = rig.client(sending: get("/stream") + get("/ping"))
    rig.run { kept.stream != nil }
    kept.stream?.send(Array("half".utf8))
    kept.stream?.breakOff()
    rig.run { client.isClosed }
    #expect(client.text.hasSuffix("4\r\nhalf\r\n"))
    #expect(client.responses.isEmpty)
    rig.end()
  }

  @Test func `a client of HTTP 1.0 gets the pieces without chunks and the end of the connection`() throws {
    let kept = Kept()
    let rig = try HTTPRig(["stream": streaming(kept)])
    let client = rig.client(sending: "GET /stream HTTP/1.0\r\n\r\n")
    rig.run { kept.stream != nil }
    kept.stream?.send(Array("one".utf8))
    kept.stream?.send(Array("two".utf8))
    kept.stream?.finish()
    rig.run { client.isClosed }
    #expect(client.text.hasSuffix("\r\n\r\nonetwo"))
    rig.end()
  }

  @Test func `HEAD gets the head of an answer in pieces`() throws {
    let kept = Kept()
    let rig = try HTTPRig(["stream": streaming(kept)])
    let client = rig.client(sending: "HEAD /stream HTTP/1.1\r\nHost: h\r\n\r\n")
    rig.run { kept.stream != nil }
    kept.stream?.send(Array("unseen".utf8))
    kept.stream?.finish()
    rig.run { client.text.hasSuffix("\r\n\r\n") }
    #expect(!client.text.contains("unseen"))
    rig.end()
  }

  @Test func `the sender learns that its client ended its side, and that it went`() throws {
    let kept = Kept()
    let rig = try HTTPRig(["stream": streaming(kept)])
    let client = rig.client(sending: get("/stream"))
    rig.run { kept.stream != nil }
    client.stream.shutdownAfterWrites()
    rig.run { kept.hasPeerEnded }
    #expect(!kept.isClosed)
    client.close()
    rig.run {
      kept.stream?.send([UInt8](repeating: 0x61, count: 1 << 16))
      return kept.isClosed
    }
    rig.end()
  }

  // MARK: Upgrades

  /// Answers a request with an upgrade to a protocol that sends everything back.
  private func echo(_ exchange: HTTPExchange) {
    exchange.upgrade(to: "echo") { stream, first in
      stream.onRead = { stream.write($0) }
      stream.onEnd = { stream.shutdownAfterWrites() }
      stream.write(first)
    }
  }

  private let asksForEcho = get("/echo", "Connection: Upgrade", "Upgrade: echo")

  @Test func `an upgrade hands the stream over with the bytes behind the request`() throws {
    let rig = try HTTPRig(["echo": HTTPRoute { self.echo($0) }])
    let client = rig.client(sending: asksForEcho + "early ")
    rig.run { client.text.hasSuffix("early ") }
    client.send("late")
    rig.run { client.text.hasSuffix("late") }
    #expect(
      client.text == "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nearly late")
    client.stream.shutdownAfterWrites()
    rig.run { client.isClosed }
    rig.end()
  }

  @Test func `an upgrade waits for earlier answers`() throws {
    let kept = Kept()
    let rig = try HTTPRig([
      "held": HTTPRoute { kept.exchanges.append($0) }, "echo": HTTPRoute { self.echo($0) }, "ping": .echoesPath,
    ])
    let client = rig.client(sending: get("/held") + asksForEcho + "early")
    rig.run { kept.exchanges.count == 1 }
    rig.letThingsHappen()
    #expect(client.heard.isEmpty)
    kept.exchanges[0].reply(HTTPReply(text: "held"))
    rig.run { client.text.hasSuffix("early") }
    #expect(client.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    rig.end()
  }

  @Test func `an upgrade that is given later finds what came meanwhile`() throws {
    let kept = Kept()
    let rig = try HTTPRig(["echo": HTTPRoute { kept.exchanges.append($0) }, "ping": .echoesPath])
    let client = rig.client(sending: asksForEcho + "first ")
    rig.run { kept.exchanges.count == 1 }
    client.send("second")
    rig.letThingsHappen()
    echo(kept.exchanges[0])
    rig.run { client.text.hasSuffix("first second") }
    rig.end()
  }

  @Test func `a request for an upgrade can be answered like any other`() throws {
    let rig = try HTTPRig(["plain": .echoesPath])
    let client = rig.client(sending: get("/plain/1", "Connection: upgrade", "Upgrade: echo") + get("/plain/2"))
    rig.run { client.responses.count == 2 }
    #expect(client.bodies == ["/plain/1", "/plain/2"])
    rig.end()
  }
}
