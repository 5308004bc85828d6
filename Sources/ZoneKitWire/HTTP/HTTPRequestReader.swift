/// Reads complete requests, for callers that need no back-pressure.
package struct HTTPRequestReader: Sendable {
  /// An event of the reader.
  package enum Event: Equatable, Sendable {
    /// A request is complete.
    case request(HTTPRequest)
    /// The client waits for an interim 100 before it sends the body of its next request.
    case continueExpected
    /// The bytes are not a request. No more events follow.
    case refused(HTTPError)
  }

  private var parser: HTTPRequestParser
  private var head: HTTPRequest?
  private var body: [UInt8] = []

  /// A reader for a new connection, for bodies of at most `bodyLimit` bytes.
  package init(bodyLimit: Int = HTTPLimits.body) { parser = HTTPRequestParser(bodyLimit: bodyLimit) }

  /// Whether no request is incomplete.
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
