import ZoneKitWire

/// A whole message on a link of requests.
package enum LinkMessage: Equatable, Sendable {
  /// The device asks.
  case request(HTTPRequest)
  /// The server answers that request.
  case answer(HTTPResponse, to: HTTPRequest)
  /// The connection ended, and no answer to that request will come.
  case unanswered(HTTPRequest)
}
