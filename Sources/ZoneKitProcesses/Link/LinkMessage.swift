import ZoneKitWire

/// A complete message on a request link.
package enum LinkMessage: Equatable, Sendable {
  /// A request of the device.
  case request(HTTPRequest)
  /// The server's answer to a request.
  case answer(HTTPResponse, to: HTTPRequest)
  /// A request whose connection ended before its answer.
  case unanswered(HTTPRequest)
}
