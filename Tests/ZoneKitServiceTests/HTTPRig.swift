import Testing
import ZoneKitEventLoop
import ZoneKitWire

@testable import ZoneKitService

/// An HTTP server on a loopback socket and clients of it, all on one loop, with a watchdog that fails a test instead of
/// letting it hang.
final class HTTPRig {
  let loop: Loop
  let server: HTTPServer
  private let listener: Listener
  private let watchdog: Timer
  private let firstTurn: Timer

  init(_ routes: [String: HTTPRoute]) throws {
    let loop = try Loop()
    self.loop = loop
    let server = HTTPServer(HTTPRoutes(routes), loop: loop)
    self.server = server
    listener = try Listener(at: .tcp(host: "127.0.0.1", port: 0), on: loop) { server.accept($0) }
    firstTurn = Timer(on: loop) {}
    watchdog = Timer(on: loop) {
      Issue.record("what the test waits for did not happen within 30 s")
      loop.stop()
    }
  }

  /// Where the server listens.
  var address: Address { listener.address }

  /// A client of the server.
  func client() -> Client { Client(of: address, on: loop) }

  /// A client that has sent that text.
  func client(sending text: String) -> Client {
    let client = client()
    client.send(text)
    return client
  }

  /// Runs turns of the loop until the condition holds at the end of one.
  func run(until condition: @escaping () -> Bool) {
    loop.onTurnEnd = { [server, loop] in
      server.endTurn()
      if condition() { loop.stop() }
    }
    firstTurn.schedule(after: 0)
    watchdog.schedule(after: 30_000)
    loop.run()
    watchdog.cancel()
  }

  /// Lets another client ask and be answered, several times: what can happen without further events has happened then.
  func letThingsHappen() {
    for _ in 0..<5 {
      let other = client(sending: get("/ping"))
      run { other.responses.count == 1 }
      other.close()
    }
  }

  /// Closes all and checks that nothing stays open.
  func end() {
    loop.closeAll()
    #expect(loop.openHandles == 0)
  }

  /// A client that keeps what it hears.
  final class Client {
    let stream: Connection
    private(set) var heard: [UInt8] = []
    private(set) var responses: [HTTPResponse] = []
    private(set) var isClosed = false
    private var parser = HTTPResponseParser(bodyLimit: 1 << 30)

    init(of address: Address, on loop: Loop) {
      stream = Connection(to: address, on: loop)
      stream.onRead = { [weak self] in self?.received($0) }
      stream.onClose = { [weak self] _ in self?.isClosed = true }
    }

    private func received(_ bytes: UnsafeRawBufferPointer) {
      heard += bytes
      for event in parser.receive(Array(bytes)) {
        if case .response(let response) = event { responses.append(response) }
      }
    }

    func send(_ text: String) { stream.write(Array(text.utf8)) }

    func close() { stream.close() }

    /// Everything that came, as text.
    var text: String { String(decoding: heard, as: UTF8.self) }

    /// The bodies of the answers, as text.
    var bodies: [String] { responses.map { String(decoding: $0.body, as: UTF8.self) } }
  }
}

/// A GET request of HTTP/1.1 with further lines in its head.
func get(_ path: String, _ lines: String...) -> String {
  "GET \(path) HTTP/1.1\r\nHost: h\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
}

/// A POST request whose body follows.
func post(_ path: String, length: Int) -> String {
  "POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n"
}

extension HTTPReply {
  /// A reply with a text.
  init(text: String) { self.init(status: 200, contentType: "text/plain", body: Array(text.utf8)) }
}

extension HTTPRoute {
  /// Answers every request with its path.
  static var echoesPath: HTTPRoute { HTTPRoute { $0.reply(HTTPReply(text: $0.request.path)) } }
}
