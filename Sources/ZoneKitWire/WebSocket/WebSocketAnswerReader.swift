import ZoneKitRecords

/// Reads the server's answer to a client's opening handshake (RFC 6455, 4.1). The result does not depend on how the bytes
/// are split into reads.
package struct WebSocketAnswerReader: Sendable {
  /// What the answer is.
  package enum Answer: Equatable, Sendable {
    /// The socket is open. The bytes after the answer belong to its first messages.
    case opened(rest: [UInt8])
    /// The server refused, or the answer is none to the handshake; the reason as a sentence.
    case refused(String)
  }

  private var head = HTTPHeadReader()
  private let proof: String

  /// A reader of the answer whose proof is the SHA-1 `hash` of the key's proof text.
  package init(hash: [UInt8]) { proof = Base64.encode(hash) }

  /// Takes bytes of the server. Returns the answer when its head is complete.
  package mutating func receive(_ bytes: [UInt8]) -> Answer? {
    var position = 0
    do throws(HTTPError) {
      guard let text = try head.take(bytes.span, at: &position) else { return nil }
      let answer = try HTTPReceivedResponseHead(text)
      guard answer.status == 101 else { return .refused("the service answered \(answer.status)") }
      guard answer.fields["Upgrade"]?.lowercased() == WebSocketHandshake.upgrade,
        answer.fields["Sec-WebSocket-Accept"] == proof
      else { return .refused("the service did not prove that it has read the key") }
      return .opened(rest: Array(bytes[position...]))
    } catch {
      return .refused(error.reason)
    }
  }
}
