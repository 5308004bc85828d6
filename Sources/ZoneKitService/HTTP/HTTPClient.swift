import ZoneKitEventLoop
import ZoneKitWire

/// A client of one server over one connection that is kept open: requests go out at once, answers come in their order.
package final class HTTPClient {
  /// Why there is no answer.
  package enum Failure: Error {
    /// The request did not leave: the server cannot be reached.
    case notSent(String)
    /// The request may have been carried out: the connection ended before its answer came.
    case answerLost(String)
  }

  /// Called with the answer to a request, or with why there is none.
  package typealias Completion = (Result<HTTPResponse, Failure>) -> Void

  private let address: Address
  private let host: String
  private let loop: Loop
  private var link: Link?

  /// One connection and the requests that wait for its answers.
  private final class Link {
    let stream: Connection
    var parser = HTTPResponseParser()
    var waiting: [Completion] = []
    var isConnected = false

    init(_ stream: Connection) { self.stream = stream }
  }

  /// A client of the server at that address.
  package init(address: Address, loop: Loop) {
    self.address = address
    self.loop = loop
    host = address.isUnix ? "localhost" : "\(address)"
  }

  /// Sends a request; the completion is called once, never inside this call.
  package func send(_ request: ClientRequest, completion: @escaping Completion) {
    let link = link ?? connect()
    link.waiting.append(completion)
    link.stream.write(request.bytes(host: host))
  }

  /// Closes the connection; requests without an answer fail.
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
      // An answer that nobody asked for makes everything behind it doubtful.
      guard !link.waiting.isEmpty else { return link.stream.close() }
      if !response.keepAlive { drop(link) }
      link.waiting.removeFirst()(.success(response))
    case .failed:
      link.stream.close()
    }
  }

  /// The next request opens a new connection.
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
