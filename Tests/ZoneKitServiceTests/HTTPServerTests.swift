import Testing
import ZoneKitRecords
import ZoneKitWire

@testable import ZoneKitService

/// Requests with whole bodies and whole answers, over real sockets.
@Suite struct HTTPServerTests {
  /// Exchanges that a test answers when it wants to.
  private final class Held {
    var exchanges: [HTTPExchange] = []
    var route: HTTPRoute { HTTPRoute { self.exchanges.append($0) } }
  }

  @Test func `answers leave in the order of the requests, whenever they are given`() throws {
    let held = Held()
    let rig = try HTTPRig(["held": held.route, "now": .echoesPath, "ping": .echoesPath])
    let client = rig.client(sending: get("/held/1") + get("/now/2") + get("/held/3"))
    rig.run { held.exchanges.count == 2 }
    held.exchanges[1].reply(HTTPReply(text: "third"))
    rig.letThingsHappen()
    #expect(client.bodies.isEmpty)
    held.exchanges[0].reply(HTTPReply(text: "first"))
    rig.run { client.responses.count == 3 }
    #expect(client.bodies == ["first", "/now/2", "third"])
    rig.end()
  }

  @Test func `a request with two credentials is refused in every route, and the connection goes on`() throws {
    let rig = try HTTPRig(["ping": .echoesPath])
    let twice = ["Authorization: a", "authorization: b"]
    let client = rig.client(
      sending: get("/ping", twice[0], twice[1]) + get("/none?apikey=a&apikey=a") + get("/ping", twice[0]))
    rig.run { client.responses.count == 3 }
    #expect(client.responses.map(\.status) == [400, 400, 200])
    #expect(client.bodies[0].contains("The request has Authorization twice; send it once."))
    rig.end()
  }

  @Test func `an exchange is answered once`() throws {
    let rig = try HTTPRig([
      "twice": HTTPRoute {
        $0.reply(HTTPReply(text: "one"))
        $0.reply(HTTPReply(text: "two"))
        $0.breakOff()
      }
    ])
    let client = rig.client(sending: get("/twice") + get("/twice"))
    rig.run { client.responses.count == 2 }
    #expect(client.bodies == ["one", "one"])
    rig.end()
  }

  @Test func `a request whose client ends its side or vanishes is given up, and one that is answered is not`() throws {
    let held = Held()
    let rig = try HTTPRig(["held": held.route, "ping": .echoesPath])
    let (ended, vanished) = (rig.client(sending: get("/held/1")), rig.client(sending: get("/held/2")))
    rig.run { held.exchanges.count == 2 }
    let answered = rig.client(sending: get("/held/3"))
    rig.run { held.exchanges.count == 3 }
    var given: [String] = []
    for exchange in held.exchanges { exchange.onAbandon = { given.append(exchange.request.path) } }
    held.exchanges[2].reply(HTTPReply(text: "done"))
    rig.run { answered.responses.count == 1 }
    ended.stream.shutdownAfterWrites()
    vanished.close()
    answered.close()
    rig.run { given.count == 2 }
    rig.letThingsHappen()
    #expect(given.sorted() == ["/held/1", "/held/2"])
    rig.end()
  }

  @Test func `no more requests of one client are taken at once than the limit`() throws {
    let held = Held()
    let rig = try HTTPRig(["held": held.route, "ping": .echoesPath])
    let limit = HTTPServerConnection.requestsPerTurn
    let client = rig.client(sending: String(repeating: get("/held"), count: 3 * limit))
    rig.run { held.exchanges.count == limit }
    rig.letThingsHappen()
    #expect(held.exchanges.count == limit)
    var answered = 0
    while answered < 3 * limit {
      held.exchanges[answered].reply(HTTPReply(text: "\(answered)"))
      answered += 1
      rig.run { held.exchanges.count > answered || answered == 3 * limit }
    }
    rig.run { client.responses.count == answered }
    #expect(client.bodies == (0..<answered).map(String.init))
    rig.end()
  }

  @Test func `a client that does not read its answers is not read from`() throws {
    var served = 0
    let body = [UInt8](repeating: 0x61, count: 1 << 20)
    let rig = try HTTPRig([
      "big": HTTPRoute {
        served += 1
        $0.reply(HTTPReply(status: 200, body: body))
      }, "ping": .echoesPath,
    ])
    let client = rig.client()
    client.stream.pauseReading()
    client.send(String(repeating: get("/big"), count: 100))
    rig.run { served > 0 }
    rig.letThingsHappen()
    #expect(served < 50)
    client.stream.resumeReading()
    rig.run { client.responses.count == 100 }
    #expect(served == 100)
    rig.end()
  }

  @Test func `a body in chunks reaches the handler whole`() throws {
    let rig = try HTTPRig(["echo": HTTPRoute { $0.reply(HTTPReply(status: 200, body: $0.request.body)) }])
    let client = rig.client(
      sending: "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        + post("/echo", length: 2) + "fg")
    rig.run { client.responses.count == 2 }
    #expect(client.bodies == ["abcde", "fg"])
    rig.end()
  }

  @Test func `a body over the limit of its route is refused`() throws {
    let rig = try HTTPRig([
      "small": HTTPRoute(body: { _ in .whole(limit: 4) }) { $0.reply(HTTPReply(status: 200, body: $0.request.body)) }
    ])
    let client = rig.client(sending: post("/small", length: 4) + "abcd" + post("/small", length: 5) + "abcde")
    rig.run { client.isClosed }
    #expect(client.responses.map(\.status) == [200, 413])
    rig.end()
  }

  @Test func `bytes that are no request get a plain error behind the answers to requests`() throws {
    let rig = try HTTPRig(["now": .echoesPath])
    let client = rig.client(sending: get("/now/1") + "nonsense\r\n\r\n" + get("/now/2"))
    rig.run { client.isClosed }
    #expect(client.responses.map(\.status) == [200, 400])
    let last = try #require(client.responses.last)
    #expect(last.keepAlive == false)
    let error = try JSON(parsing: last.body)
    #expect(error["status"] == 400)
    #expect(error["reason"]?.string?.contains("must begin with a method") == true)
    #expect(error.object?.count == 9)
    rig.end()
  }

  @Test func `a path without a route gets a plain error and the connection goes on`() throws {
    let rig = try HTTPRig(["now": .echoesPath])
    let client = rig.client(sending: get("/nowhere/at/all") + get("/now"))
    rig.run { client.responses.count == 2 }
    #expect(client.responses.map(\.status) == [404, 200])
    #expect(try JSON(parsing: client.responses[0].body)["reason"] == "nothing is served at /nowhere/at/all")
    rig.end()
  }

  @Test func `an answer that is taken away ends the connection behind earlier answers`() throws {
    let rig = try HTTPRig(["now": .echoesPath, "cut": HTTPRoute { $0.breakOff() }])
    let client = rig.client(sending: get("/now/1") + get("/cut") + get("/now/2"))
    rig.run { client.isClosed }
    #expect(client.bodies == ["/now/1"])
    rig.end()
  }

  @Test func `a client that expects 100 gets it only when its turn to be answered has come`() throws {
    let held = Held()
    let rig = try HTTPRig([
      "held": held.route, "echo": HTTPRoute { $0.reply(HTTPReply(text: "body")) }, "ping": .echoesPath,
    ])
    let client = rig.client(
      sending: get("/held") + "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
    rig.run { held.exchanges.count == 1 }
    rig.letThingsHappen()
    #expect(client.text.isEmpty)
    held.exchanges[0].reply(HTTPReply(text: "held"))
    rig.run { client.text.hasSuffix("HTTP/1.1 100 Continue\r\n\r\n") }
    client.send("x")
    rig.run { client.responses.count == 2 }
    #expect(client.bodies == ["held", "body"])
    rig.end()
  }

  @Test func `a client that ends its side in the middle of a request is let go`() throws {
    let rig = try HTTPRig(["now": .echoesPath])
    let client = rig.client(sending: get("/now") + post("/now", length: 5) + "ab")
    rig.run { client.responses.count == 1 }
    client.stream.shutdownAfterWrites()
    rig.run { client.isClosed }
    #expect(client.bodies == ["/now"])
    rig.end()
  }

  @Test func `a page of another origin may call and read`() throws {
    let rig = try HTTPRig(["now": .echoesPath])
    let client = rig.client(
      sending: "OPTIONS /now HTTP/1.1\r\nHost: h\r\nOrigin: http://a\r\n\r\n" + get("/now", "Origin: http://a"))
    rig.run { client.responses.count == 2 }
    #expect(client.responses.map(\.status) == [204, 200])
    #expect(client.responses.map { $0.fields["Access-Control-Allow-Origin"] } == ["http://a", "http://a"])
    #expect(client.responses[0].fields["Access-Control-Allow-Methods"] == "GET, POST, OPTIONS")
    rig.end()
  }
}
