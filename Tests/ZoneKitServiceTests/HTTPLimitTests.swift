import Testing
import ZoneKitEventLoop
import ZoneKitWire

@testable import ZoneKitService

/// What an HTTP server does not wait for, and what it has no room for.
@Suite struct HTTPLimitTests {
  private static let chunked = "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

  /// A server that echoes bodies, and one held exchange.
  private func rig(_ more: [String: HTTPRoute] = [:]) throws -> HTTPRig {
    let echo = HTTPRoute { $0.reply(HTTPReply(status: 200, body: $0.request.body)) }
    return try HTTPRig(["echo": echo, "ping": .echoesPath].merging(more) { $1 })
  }

  /// A route whose requests are work for a whole turn each.
  private func fillsTurn(_ note: @escaping () -> Void) -> HTTPRoute {
    HTTPRoute {
      note()
      $0.note(answerOf: 0, work: HTTPLoad.turnWork)
      $0.reply(HTTPReply(text: "large"))
    }
  }

  /// Lets that many milliseconds pass on the clock of the server's time limits.
  private func pass(_ milliseconds: Int64, in rig: HTTPRig) {
    let now = rig.loop.now
    for step in stride(from: 0, to: milliseconds, by: Int(HTTPTimeLimits.lateStep)) {
      rig.server.checkTimeLimits(at: now + step)
    }
    rig.server.checkTimeLimits(at: now + milliseconds)
  }

  @Test(arguments: [
    ("GET /ping HT", HTTPTimeLimits.head), (post("/echo", length: 5) + "abcd", HTTPTimeLimits.body),
    (HTTPLimitTests.chunked + "4\r\nabcd", HTTPTimeLimits.body),
  ])
  func `a request that does not end is answered with 408, behind the answers before it`(
    request: String, limit: Int64
  ) throws {
    let rig = try rig()
    let client = rig.client(sending: get("/ping/1") + request)
    rig.run { client.responses.count == 1 }
    pass(limit - 1_000, in: rig)
    rig.letThingsHappen()
    #expect(client.responses.count == 1)
    pass(limit, in: rig)
    rig.run { client.isClosed }
    #expect(client.responses.map(\.status) == [200, 408])
    rig.end()
  }

  @Test func `a connection without requests is closed, and one that waits for an answer is not`() throws {
    var held: [HTTPExchange] = []
    let rig = try rig(["held": HTTPRoute { held.append($0) }])
    let silent = rig.client()
    let idle = rig.client(sending: get("/ping"))
    let waiting = rig.client(sending: get("/held"))
    rig.run { idle.responses.count == 1 && held.count == 1 }
    pass(HTTPTimeLimits.first, in: rig)
    rig.run { silent.isClosed }
    #expect(!idle.isClosed)
    pass(HTTPTimeLimits.idle, in: rig)
    rig.run { idle.isClosed }
    #expect(idle.responses.map(\.status) == [200])
    pass(1_000_000, in: rig)
    held[0].reply(HTTPReply(text: "at last"))
    rig.run { waiting.responses.count == 1 }
    #expect(waiting.bodies == ["at last"])
    rig.end()
  }

  @Test func `what arrived while this process was suspended is read before anything is closed`() throws {
    let rig = try rig()
    let client = rig.client(sending: get("/ping"))
    rig.run { client.responses.count == 1 }
    let now = rig.loop.now
    rig.server.checkTimeLimits(at: now)
    rig.server.checkTimeLimits(at: now + HTTPTimeLimits.idle)
    client.send(get("/ping"))
    rig.run { client.responses.count == 2 || client.isClosed }
    #expect(client.responses.count == 2)
    rig.end()
  }

  @Test func `a client that reads nothing of its answer is let go`() throws {
    let body = [UInt8](repeating: 0x61, count: 16 << 20)
    let rig = try rig(["big": HTTPRoute { $0.reply(HTTPReply(status: 200, body: body)) }])
    let client = rig.client()
    client.stream.pauseReading()
    client.send(get("/big"))
    rig.letThingsHappen()
    pass(HTTPTimeLimits.unread, in: rig)
    client.stream.resumeReading()
    rig.run { client.isClosed }
    #expect(client.responses.isEmpty)
    rig.end()
  }

  @Test func `a body for which there is no memory is refused at once, and the connection goes on`() throws {
    let rig = try rig()
    let size = HTTPLimits.body
    let others = (0..<HTTPLoad.bodyLimit / size).map { _ in rig.client(sending: post("/echo", length: size) + "x") }
    rig.letThingsHappen()
    let client = rig.client(sending: post("/echo", length: size))
    rig.run { client.responses.count == 1 }
    #expect(client.responses.map(\.status) == [503])
    client.send(String(repeating: "x", count: size) + post("/echo", length: 3) + "abc")
    rig.run { client.responses.count == 2 }
    #expect(client.bodies.last == "abc")
    for other in others { other.close() }
    rig.letThingsHappen()
    let last = rig.client(sending: post("/echo", length: size) + String(repeating: "x", count: size))
    rig.run { last.responses.count == 1 }
    #expect(last.responses.map(\.status) == [200])
    #expect(rig.server.load.bodies == 0)
    rig.end()
  }

  @Test func `a body without a length is refused when it has grown too large`() throws {
    let rig = try rig()
    for _ in 0..<HTTPLoad.bodyLimit / HTTPLimits.body {
      _ = rig.client(sending: post("/echo", length: HTTPLimits.body))
    }
    rig.letThingsHappen()
    let chunk = "4000\r\n" + String(repeating: "x", count: 0x4000) + "\r\n"
    let client = rig.client(sending: Self.chunked + chunk)
    rig.letThingsHappen()
    #expect(client.responses.isEmpty)
    client.send(String(repeating: chunk, count: 8) + "0\r\n\r\n" + get("/ping"))
    rig.run { client.responses.count == 2 }
    #expect(client.responses.map(\.status) == [503, 200])
    rig.end()
  }

  @Test func `a client that waits for leave to send a body that is refused is not waited for`() throws {
    let rig = try rig()
    for _ in 0..<HTTPLoad.bodyLimit / HTTPLimits.body {
      _ = rig.client(sending: post("/echo", length: HTTPLimits.body))
    }
    rig.letThingsHappen()
    let client = rig.client(
      sending: "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: \(HTTPLimits.body)\r\n\r\n")
    rig.run { client.isClosed }
    #expect(client.responses.map(\.status) == [503])
    rig.end()
  }

  @Test func `a small request does not wait for many large ones`() throws {
    var large = 0
    let rig = try rig(["large": fillsTurn { large += 1 }])
    let greedy = (0..<20).map { _ in rig.client(sending: String(repeating: get("/large"), count: 12)) }
    rig.run { large >= 20 }
    let small = rig.client(sending: get("/ping"))
    rig.run { small.responses.count == 1 }
    #expect(large < 60)
    rig.run { greedy.allSatisfy { $0.responses.count == 12 } }
    rig.end()
  }

  /// In each turn a large request arrives before the others go on, and fills the turn.
  @Test func `a request that waits is not passed by those that arrive later`() throws {
    var large = 0
    let rig = try rig(["large": fillsTurn { large += 1 }])
    let greedy = [rig.client(), rig.client()]
    let small = rig.client()
    rig.letThingsHappen()
    var turn = 0
    var sent = [0, 0]
    rig.run {
      turn += 1
      for index in 0..<2 where turn > index && greedy[index].responses.count == sent[index] {
        greedy[index].send(get("/large"))
        sent[index] += 1
      }
      if turn == 10 { small.send(get("/ping")) }
      return small.responses.count == 1 || large == 200
    }
    #expect(large < 20)
    rig.end()
  }

  @Test func `the room for answers shrinks with what clients have not read`() {
    var load = HTTPLoad()
    #expect(load.room == HTTPLoad.unsentLimit && !load.isShort)
    #expect(load.backlogLimit == HTTPServerConnection.backlogLimit && load.requestLimit > 1)
    load.add(answerOf: 1_000, work: 0)
    #expect(load.room == HTTPLoad.unsentLimit - 1_000)
    load.endTurn(unsent: HTTPLoad.unsentLimit / 2 + 1)
    #expect(load.room == HTTPLoad.unsentLimit / 2 - 1 && load.isShort)
    #expect(load.backlogLimit == 0 && load.requestLimit == 1)
    load.endTurn(unsent: 2 * HTTPLoad.unsentLimit)
    #expect(load.room == 0)
  }

  @Test func `a turn ends when it has taken its time or has enough work`() {
    var load = HTTPLoad()
    load.begin(at: 1_000)
    load.end(at: 999 + HTTPLoad.turnTime)
    #expect(!load.isTurnOver)
    load.begin(at: 1_000 + HTTPLoad.turnTime)
    load.end(at: 1_000 + HTTPLoad.turnTime)
    #expect(load.isTurnOver)
    load.endTurn(unsent: 0)
    #expect(!load.isTurnOver)
    load.add(answerOf: HTTPLoad.turnWork, work: HTTPLoad.turnWork - 1)
    load.end(at: 2_000)
    #expect(!load.isTurnOver)
    load.add(answerOf: 0, work: 1)
    load.end(at: 2_000)
    #expect(load.isTurnOver)
  }

  @Test func `small bodies are taken when large ones are refused, up to a limit of their own`() {
    var load = HTTPLoad()
    let isTaken = load.reserve(HTTPLoad.bodyLimit)
    let isMoreTaken = load.reserve(HTTPLoad.smallBody + 1)
    #expect(isTaken && !isMoreTaken)
    var count = 0
    while load.reserve(HTTPLoad.smallBody) { count += 1 }
    #expect(load.bodies == HTTPLoad.smallBodyLimit)
    load.release(count * HTTPLoad.smallBody)
    let isGrown = load.reserve(HTTPLoad.smallBody + 1, insteadOf: HTTPLoad.smallBody)
    let isSmall = load.reserve(HTTPLoad.smallBody, insteadOf: 1)
    #expect(!isGrown && isSmall)
  }

  @Test func `those who ask for little come first, a new connection among them, and equals in the order of arrival`() {
    /// A connection whose bytes arrived as the given one, after requests of these sizes.
    func order(_ arrival: Int, _ sizes: Int..., waiting: Int = 0) -> HTTPOrder {
      var order = HTTPOrder()
      order.arrived(after: arrival)
      for size in sizes { order.add(size) }
      order.waits(with: waiting)
      return order
    }
    let small = HTTPOrder.small
    let orders = [
      order(1, 64 * small), order(2), order(3, small - 1), order(4, 64 * small, 1, 1), order(5), order(6, small),
      order(7, 2 * small - 1), order(8, 2 * small), order(9, waiting: small), order(10, waiting: small - 1),
    ]
    #expect(orders.sorted(by: <).map(\.arrival) == [2, 3, 5, 10, 6, 7, 9, 8, 4, 1])
  }

  @Test func `those whose requests took long come last, however little they answered`() {
    var slow = HTTPOrder()
    slow.add(10)
    slow.took(milliseconds: 400)
    var large = HTTPOrder()
    large.arrived(after: 1)
    large.add(HTTPLoad.turnWork)
    #expect(large < slow)
    for _ in 1...20 { slow.add(10) }
    #expect(slow < large, "what took long is forgotten after some small ones")
  }

  /// Many connections whose requests are neither small nor large keep the server busy.
  @Test func `a new client and a known one with small requests wait for at most two turns`() throws {
    let medium = HTTPRoute {
      $0.note(answerOf: 0, work: HTTPLoad.turnWork / 20)
      $0.reply(HTTPReply(text: "medium"))
    }
    let small = HTTPRoute {
      $0.note(answerOf: 0, work: 8 << 10)
      $0.reply(HTTPReply(text: "small"))
    }
    let rig = try rig(["medium": medium, "small": small])
    let known = rig.client(sending: get("/small"))
    rig.run { known.responses.count == 1 }
    let greedy = (0..<400).map { _ in rig.client(sending: get("/medium")) }
    var asked = [Int](repeating: 1, count: greedy.count)
    /// In how many turns the condition holds. The greedy clients ask again when they are answered.
    func turns(until condition: @escaping () -> Bool) -> Int {
      var turns = 0
      rig.run {
        for (index, client) in greedy.enumerated() where client.responses.count == asked[index] {
          client.send(get("/medium"))
          asked[index] += 1
        }
        turns += 1
        return condition()
      }
      return turns
    }
    _ = turns { asked.allSatisfy { $0 > 2 } }
    known.send(get("/small"))
    #expect(turns { known.responses.count == 2 } <= 5)
    let new = rig.client(sending: get("/small"))
    // One more turn accepts the connection.
    #expect(turns { new.responses.count == 1 } <= 6)
    rig.end()
  }

  /// Whether waits of the same connection are over, each at its time.
  private func isOver(_ looks: (HTTPWatch.Wait, at: Int64, isShort: Bool)...) -> [Bool] {
    var watch = HTTPWatch()
    return looks.map { watch.isOver($0.0, at: $0.at, isShort: $0.isShort) }
  }

  @Test func `a body may take longer the more of it has come`() {
    let bytes = Int(HTTPTimeLimits.bodyRate) * 10
    let end = HTTPTimeLimits.body + 10_000
    #expect(
      isOver(
        (.body(of: 1, received: 0), at: 0, isShort: false),
        (.body(of: 1, received: bytes), at: end - 1, isShort: false),
        (.body(of: 1, received: bytes), at: end, isShort: false), (.body(of: 2, received: 0), at: end, isShort: false))
        == [false, false, true, false])
  }

  @Test func `a client that reads nothing has less time while memory is short`() {
    let end = HTTPTimeLimits.unreadWhenShort
    #expect(
      isOver(
        (.reading(unsent: 9), at: 0, isShort: true), (.reading(unsent: 9), at: end, isShort: false),
        (.reading(unsent: 9), at: end, isShort: true), (.reading(unsent: 8), at: end, isShort: true))
        == [false, false, true, false])
  }
}
