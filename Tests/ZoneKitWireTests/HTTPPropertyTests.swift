import Testing
import ZoneKitRecords
import ZoneKitWire

@Suite struct HTTPPropertyTests {
  @Test(arguments: 0..<20)
  func `pipelined requests are the same however they are cut`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      let sent = (0..<Int.random(in: 1...6, using: &random)).map { _ in randomRequest(&random) }
      let bytes = sent.flatMap(\.bytes)
      let whole = requestOutcome(bytes, cuts: [])
      #expect(whole.compactMap(\.request?.body) == sent.map(\.body))
      #expect(requestOutcome(bytes, cuts: randomCuts(bytes.count, &random)) == whole)
      #expect(requestOutcome(bytes, cuts: Array(1..<bytes.count)) == whole)
    }
  }

  @Test(arguments: 0..<20)
  func `changed requests are taken or refused alike however they are cut`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      var bytes = (0..<2).flatMap { _ in randomRequest(&random).bytes }
      mutate(&bytes, &random)
      let whole = requestOutcome(bytes, cuts: [])
      #expect(requestOutcome(bytes, cuts: randomCuts(bytes.count, &random)) == whole)
    }
  }

  @Test(arguments: 0..<20)
  func `changed responses are taken or failed alike however they are cut`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<250 {
      let body = randomBody(&random)
      var bytes: [UInt8] = random.next() % 2 == 0 ? [UInt8]("HTTP/1.1 100 Continue\r\n\r\n".utf8) : []
      bytes += chunkedOrCounted("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n", body, &random)
      #expect(responseOutcome(bytes, cuts: []).map { $0.response?.body } == [body])
      if random.next() % 4 > 0 { mutate(&bytes, &random) }
      #expect(responseOutcome(bytes, cuts: randomCuts(bytes.count, &random)) == responseOutcome(bytes, cuts: []))
    }
  }

  @Test func `a prefix of a request is never taken for one`() {
    let bytes = [UInt8](
      "PUT /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n".utf8)
    for length in 0..<bytes.count {
      var parser = HTTPRequestReader()
      #expect(parser.receive(Array(bytes[..<length])).isEmpty)
      #expect(parser.isIdle == (length == 0))
    }
    #expect(requestOutcome(bytes, cuts: []).count == 1)
  }

  /// What a parser hands out for bytes cut at some places; waiting for 100 depends on the cuts and is left out.
  private func requestOutcome(_ bytes: [UInt8], cuts: [Int]) -> [HTTPRequestReader.Event] {
    var parser = HTTPRequestReader()
    var events: [HTTPRequestReader.Event] = []
    for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
      events += parser.receive(bytes.span.extracting(start..<end))
    }
    return events.filter { $0 != .continueExpected }
  }

  private func responseOutcome(_ bytes: [UInt8], cuts: [Int]) -> [HTTPResponseParser.Event] {
    var parser = HTTPResponseParser()
    var events: [HTTPResponseParser.Event] = []
    for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
      events += parser.receive(bytes.span.extracting(start..<end))
    }
    return events + (parser.finish().map { [$0] } ?? [])
  }

  private func randomCuts(_ count: Int, _ random: inout SplitMix64) -> [Int] {
    (0..<Int.random(in: 0...12, using: &random)).map { _ in Int.random(in: 0...count, using: &random) }.sorted()
  }

  private func randomRequest(_ random: inout SplitMix64) -> (bytes: [UInt8], body: [UInt8]) {
    let method = ["GET", "POST", "PUT"].randomElement(using: &random) ?? "GET"
    var head = "\(method) /\(random.next() % 1_000)?a=%20 HTTP/1.1\r\nHost: localhost:7440\r\n"
    for _ in 0..<random.next() % 4 { head += "X-\(random.next() % 100):  value \(random.next()) \r\n" }
    if random.next() % 4 == 0 { head += "Expect: 100-continue\r\n" }
    if random.next() % 4 == 0 { head += "Connection: keep-alive\r\n" }
    if method == "GET" { return ([UInt8]((head + "\r\n").utf8), []) }
    let body = randomBody(&random)
    return (chunkedOrCounted(head, body, &random), body)
  }

  private func randomBody(_ random: inout SplitMix64) -> [UInt8] {
    (0..<random.next() % 200).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  private func chunkedOrCounted(_ head: String, _ body: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    guard random.next() % 2 == 0 else {
      return [UInt8]((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
    }
    var bytes = [UInt8]((head + "Transfer-Encoding: chunked\r\n\r\n").utf8)
    var rest = body[...]
    while !rest.isEmpty {
      let chunk = rest.prefix(Int.random(in: 1...80, using: &random))
      bytes += [UInt8]((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + [0x0D, 0x0A]
      rest = rest.dropFirst(chunk.count)
    }
    return bytes + [UInt8]("0\r\n\r\n".utf8)
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let telling = [UInt8](" \r\n\t:;0\0/".utf8)
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch random.next() % 4 {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[place] = telling.randomElement(using: &random) ?? 0
      case 2: bytes.remove(at: place)
      default: bytes.insert(telling.randomElement(using: &random) ?? 0, at: place)
      }
    }
  }
}
