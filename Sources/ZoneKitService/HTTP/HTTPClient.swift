import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitWire

/// A client of one server over one persistent connection. Requests are sent at once, and answers come in the order of
/// the requests.
package final class HTTPClient {
  /// Called with the answer to a request, or with the reason why there is none.
  package typealias Completion = (Result<HTTPResponse, MissingAnswer>) -> Void

  /// The time without requests after which a connection is replaced, in milliseconds. It is shorter than the time after
  /// which a server closes it, so that no request is lost because the server closes the connection at the same time.
  static let idleLimit: Int64 = 30_000

  private let address: Address
  private let host: String
  private let loop: Loop
  private var link: Link?

  /// One connection and its requests that wait for an answer.
  private final class Link {
    let stream: Connection
    var parser = HTTPResponseParser()
    var waiting: [Completion] = []
    var isConnected = false
    /// When the last request was sent or the last answer came.
    var usedAt: Int64 = 0

    init(_ stream: Connection) { self.stream = stream }
  }

  /// A client of the server at that address.
  package init(address: Address, loop: Loop) {
    self.address = address
    self.loop = loop
    host = address.isUnix ? "localhost" : "\(address)"
  }

  /// The number of requests that wait for an answer.
  var waiting: Int { link?.waiting.count ?? 0 }

  /// Whether a request was written to the server and its answer is missing.
  var awaitsAnswer: Bool { link.map { $0.isConnected && !$0.waiting.isEmpty } ?? false }

  /// Sends a request. The completion is called once, but not inside this call.
  package func send(_ request: ClientRequest, completion: @escaping Completion) {
    dropIdle()
    let link = link ?? connect()
    link.usedAt = loop.now
    link.waiting.append(completion)
    link.stream.write(request.bytes(host: host))
  }

  /// Closes a connection that was not used for a long time.
  private func dropIdle() {
    guard let link, link.waiting.isEmpty, loop.now - link.usedAt >= Self.idleLimit else { return }
    drop(link)
    link.stream.close()
  }

  /// Closes the connection. Requests without an answer fail.
  package func close() { link?.stream.close() }

  private func connect() -> Link {
    let link = Link(Connection(to: address, on: loop))
    self.link = link
    link.stream.onConnected = { link.isConnected = true }
    link.stream.onRead = { [unowned self] bytes in
      for event in link.parser.receive(bytes.bindMemory(to: UInt8.self).span) { self.take(event, on: link) }
    }
    link.stream.onClose = { [weak self] reason in
      self?.drop(link)
      if let event = link.parser.finish(), case .response(let response) = event, !link.waiting.isEmpty {
        link.waiting.removeFirst()(.success(response))
      }
      Self.fail(link, because: reason)
    }
    return link
  }

  private func take(_ event: HTTPResponseParser.Event, on link: Link) {
    switch event {
    case .response(let response):
      link.usedAt = loop.now
      // An answer without a request means that the following answers cannot be assigned to requests either.
      guard !link.waiting.isEmpty else { return link.stream.close() }
      if !response.keepAlive { drop(link) }
      link.waiting.removeFirst()(.success(response))
    case .failed:
      link.stream.close()
    }
  }

  /// Forgets a connection. The next request opens a new one.
  private func drop(_ old: Link) {
    if link === old { link = nil }
  }

  private static func fail(_ link: Link, because reason: CloseReason) {
    let waiting = link.waiting
    link.waiting = []
    for completion in waiting {
      completion(.failure(link.isConnected ? .answerLost(text(reason)) : .notSent(text(reason))))
    }
  }

  private static func text(_ reason: CloseReason) -> String {
    switch reason {
    case .closedHere: "the connection was closed here"
    case .endedByPeer: "the server closed the connection"
    case .failed(let error): "\(error)"
    }
  }
}
