import ZoneKitRecords

/// The opening handshake of a WebSocket, of both sides (RFC 6455, 4). The proof needs SHA-1, which the caller computes.
package enum WebSocketHandshake {
  /// The protocol's name in the field `Upgrade`.
  package static let upgrade = "websocket"

  /// The key of a client's handshake. Throws 400 for a request that is none, and 426 for another version than 13.
  package static func key(of request: HTTPRequest) throws(HTTPError) -> String {
    guard request.method == "GET", let upgrade = request.upgrade, upgrade.lowercased() == Self.upgrade else {
      throw HTTPError(status: 400, reason: "This path serves WebSockets only; ask with Upgrade: websocket.")
    }
    guard request.fields["Sec-WebSocket-Version"] == "13" else {
      throw HTTPError(status: 426, reason: "The version of the WebSocket protocol must be 13.")
    }
    guard let key = request.fields["Sec-WebSocket-Key"], Base64.decode(key)?.count == 16 else {
      throw HTTPError(status: 400, reason: "Sec-WebSocket-Key must be 16 bytes in base64.")
    }
    return key
  }

  /// The text whose SHA-1 proves that the server has read the key (RFC 6455, 4.2.2).
  package static func proofText(of key: String) -> [UInt8] {
    Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
  }

  /// The fields of the server's answer besides those of every upgrade. `hash` is the SHA-1 of the proof's text.
  package static func answerFields(hash: [UInt8]) -> [HTTPField] {
    [HTTPField("Sec-WebSocket-Accept", Base64.encode(hash))]
  }

  /// The fields of a client's request. `key` is 16 random bytes in base64.
  package static func requestFields(key: String) -> [HTTPField] {
    [
      HTTPField("Connection", "Upgrade"), HTTPField("Upgrade", upgrade), HTTPField("Sec-WebSocket-Version", "13"),
      HTTPField("Sec-WebSocket-Key", key),
    ]
  }
}

/// The reasons for the end of a WebSocket (RFC 6455, 7.4.1).
package enum WebSocketCloseCode: UInt16, Sendable {
  /// The connection has served its purpose.
  case normal = 1000
  /// The server stops, or nothing came from the client for too long.
  case goingAway = 1001
  /// The client sends what this server does not accept.
  case policyViolation = 1008
  /// A message is too large.
  case messageTooBig = 1009
  /// Too much waits for the client; it may connect again at once (IANA registry of close codes).
  case tryAgainLater = 1013
}
