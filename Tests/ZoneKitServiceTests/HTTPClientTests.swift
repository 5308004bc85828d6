import Testing
import ZoneKitEventLoop
import ZoneKitWire

@testable import ZoneKitService

/// The client against the server, and against servers that break off or talk nonsense, over real sockets.
@Suite struct HTTPClientTests {
  /// What a client was told, in order: the body, or the kind of failure.
  private final class Told {
    var all: [String] = []

    func completion(_ name: String) -> HTTPClient.Completion {
      { answer in
        switch answer {
        case .success(let response): self.all.append("\(name): \(String(decoding: response.body, as: UTF8.self))")
        case .failure(.notSent): self.all.append("\(name): not sent")
        case .failure(.answerLost): self.all.append("\(name): answer lost")
        }
      }
    }
  }

  /// A server that sends that text to everybody who asks, and then ends.
  private func listen(_ rig: HTTPRig, saying text: String) throws -> Listener {
    try Listener(at: .tcp(host: "127.0.0.1", port: 0), on: rig.loop) { stream in
      stream.onRead = { _ in
        stream.write(Array(text.utf8))
        stream.shutdownAfterWrites()
      }
    }
  }

  @Test func `requests go out at once and answers come in their order`() throws {
    let rig = try HTTPRig(["a": .echoesPath])
    let client = HTTPClient(address: rig.address, loop: rig.loop)
    let told = Told()
    for number in 1...3 {
      client.send(ClientRequest(getting: "/a/\(number)"), completion: told.completion("\(number)"))
    }
    #expect(told.all.isEmpty)
    rig.run { told.all.count == 3 }
    #expect(told.all == ["1: /a/1", "2: /a/2", "3: /a/3"])
    rig.end()
  }

  @Test func `method, fields, media type and body reach the server`() throws {
    var seen: HTTPRequest?
    let rig = try HTTPRig([
      "a": HTTPRoute {
        seen = $0.request
        $0.reply(HTTPReply(text: "ok"))
      }
    ])
    let client = HTTPClient(address: rig.address, loop: rig.loop)
    let told = Told()
    client.send(
      ClientRequest("PUT", "/a?b=c", fields: [HTTPField("X-Key", "k")], contentType: "text/plain", body: [0x61]),
      completion: told.completion("put"))
    rig.run { !told.all.isEmpty }
    let request = try #require(seen)
    #expect(request.method == "PUT")
    #expect(request.target == "/a?b=c")
    #expect(request.fields["X-Key"] == "k")
    #expect(request.fields["Content-Type"] == "text/plain")
    #expect(request.body == [0x61])
    rig.end()
  }

  @Test func `without a server nothing was sent`() throws {
    let rig = try HTTPRig([:])
    let gone = try listen(rig, saying: "")
    let address = gone.address
    gone.close()
    let client = HTTPClient(address: address, loop: rig.loop)
    let told = Told()
    client.send(ClientRequest(getting: "/"), completion: told.completion("a"))
    rig.run { !told.all.isEmpty }
    #expect(told.all == ["a: not sent"])
    rig.end()
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", "nonsense\r\n\r\n"])
  func `a connection that ends before an answer loses the answers to all requests on it`(text: String) throws {
    let rig = try HTTPRig([:])
    let server = try listen(rig, saying: text)
    let client = HTTPClient(address: server.address, loop: rig.loop)
    let told = Told()
    for name in ["a", "b"] { client.send(ClientRequest(getting: "/"), completion: told.completion(name)) }
    rig.run { told.all.count == 2 }
    #expect(told.all == ["a: answer lost", "b: answer lost"])
    rig.end()
  }

  @Test func `an answer that ends with its connection is whole, and the next request connects again`() throws {
    let rig = try HTTPRig([:])
    let server = try listen(rig, saying: "HTTP/1.1 200 OK\r\n\r\nall")
    let client = HTTPClient(address: server.address, loop: rig.loop)
    let told = Told()
    for _ in 0..<2 {
      let count = told.all.count
      client.send(ClientRequest(getting: "/"), completion: told.completion("a"))
      rig.run { told.all.count > count }
    }
    #expect(told.all == ["a: all", "a: all"])
    rig.end()
  }

  @Test func `closing fails what waits, once`() throws {
    let rig = try HTTPRig(["held": HTTPRoute { _ in }, "ping": .echoesPath])
    let client = HTTPClient(address: rig.address, loop: rig.loop)
    let told = Told()
    client.send(ClientRequest(getting: "/held"), completion: told.completion("a"))
    rig.letThingsHappen()
    client.close()
    #expect(told.all.isEmpty)
    rig.run { !told.all.isEmpty }
    rig.letThingsHappen()
    #expect(told.all == ["a: answer lost"])
    rig.end()
  }
}
