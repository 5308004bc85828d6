/// Reads whole requests, for a reader that takes everything that comes: it has no back-pressure.
package struct HTTPRequestReader: Sendable {
  /// What bytes can lead to.
  package enum Event: Equatable, Sendable {
    /// A request is whole.
    case request(HTTPRequest)
    /// The client waits for an interim 100 before it sends the body of its next request.
    case continueExpected
    /// The bytes are no request; nothing more comes.
    case refused(HTTPError)
  }

  private var parser: HTTPRequestParser
  private var head: HTTPRequest?
  private var body: [UInt8] = []

  /// A reader for a new connection that takes bodies of up to `bodyLimit` bytes.
  package init(bodyLimit: Int = HTTPLimits.body) { parser = HTTPRequestParser(bodyLimit: bodyLimit) }

  /// Whether no request has begun that is not whole.
  package var isIdle: Bool { parser.isIdle }

  /// Takes the bytes of one read.
  package mutating func receive(_ bytes: Span<UInt8>) -> [Event] {
    var events: [Event] = []
    var position = 0
    while let event = parser.next(bytes, at: &position, into: &body) {
      switch event {
      case .head(let request): head = request
      case .continueExpected: events.append(.continueExpected)
      case .end: if let request = takeRequest() { events.append(.request(request)) }
      case .refused(let error): events.append(.refused(error))
      }
    }
    return events
  }

  /// Takes the bytes of one read.
  package mutating func receive(_ bytes: [UInt8]) -> [Event] { receive(bytes.span) }

  private mutating func takeRequest() -> HTTPRequest? {
    guard var request = head else { return nil }
    request.body = body
    head = nil
    body = []
    return request
  }
}
