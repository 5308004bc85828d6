import ZoneKitProcesses
import Testing
import ZoneKitWire

/// What is heard of the messages on a link of requests.
struct LinkListenerTests {
  private static func request(_ path: String, _ body: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private static func answer(_ body: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private static func words(_ messages: [LinkMessage]) -> [String] {
    messages.map { message in
      switch message {
      case .request(let request): "asks \(request.path) \(String(decoding: request.body, as: UTF8.self))"
      case .answer(let answer, let request): "\(request.path) gets \(String(decoding: answer.body, as: UTF8.self))"
      case .unanswered(let request): "\(request.path) gets nothing"
      }
    }
  }

  @Test(arguments: [1, 7, 1_000]) func `answers belong to requests in their order, however the bytes are cut`(size: Int)
  {
    var listener = LinkListener()
    var heard: [String] = []
    func say(_ text: String, _ way: LinkDirection) {
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        heard += Self.words(listener.receive(bytes[start..<min(start + size, bytes.count)].span, way))
      }
    }
    say(Self.request("/a", "1") + Self.request("/b", "2"), .toServer)
    say(Self.answer("one"), .toDevice)
    say(Self.request("/c", "3"), .toServer)
    say(Self.answer("two"), .toDevice)
    heard += Self.words(listener.end())
    #expect(heard == ["asks /a 1", "asks /b 2", "/a gets one", "asks /c 3", "/b gets two", "/c gets nothing"])
    #expect(listener.end().isEmpty)
  }

  @Test func `what is no message is passed over`() {
    var listener = LinkListener()
    #expect(listener.receive(Array("hello\r\n\r\n".utf8).span, .toServer).isEmpty)
    #expect(listener.receive(Array(Self.answer("x").utf8).span, .toDevice).isEmpty)
  }
}
