import ZoneKitWire

/// A complete message on a request link.
package enum LinkMessage: Equatable, Sendable {
  /// A request of the device.
  case request(HTTPRequest)
  /// The server's answer to a request.
  case answer(HTTPResponse, to: HTTPRequest)
  /// A request whose connection ended before its answer.
  case unanswered(HTTPRequest)

  /// Whether it is a request for a WebSocket (RFC 6455, 4.1).
  var opensWebSocket: Bool {
    guard case .request(let request) = self else { return false }
    return request.fields["Upgrade"]?.lowercased() == "websocket"
  }
}
