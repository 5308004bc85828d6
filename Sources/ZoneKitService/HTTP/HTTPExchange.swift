import ZoneKitEventLoop
import ZoneKitWire

/// One request on a connection and the answer that it waits for. Answers leave in the order of the requests, whenever they
/// are given. Exactly one of `reply`, `breakOff`, `stream` and `upgrade` answers an exchange; what comes after the first is
/// ignored, and so is all that comes after the client went.
package final class HTTPExchange {
  /// The answer, as far as it is known.
  enum Answer {
    case awaited
    case whole(HTTPReply)
    /// The connection ends without this answer.
    case none
    case streamed(HTTPAnswerStream)
    case upgrade(to: String, fields: [HTTPField], (Connection, [UInt8]) -> Void)
  }

  /// The request; its body is empty where it is taken piece by piece.
  package internal(set) var request: HTTPRequest
  /// The body where the route takes it piece by piece; nil otherwise.
  package let body: HTTPBodyStream?
  /// The answer.
  private(set) var answer = Answer.awaited
  /// Whether the client waits for an interim 100 before it sends the body.
  var expectsContinue = false
  private let connection: HTTPServerConnection

  init(_ request: HTTPRequest, body: HTTPBodyStream?, on connection: HTTPServerConnection) {
    self.request = request
    self.body = body
    self.connection = connection
  }

  /// Answers with a whole reply.
  package func reply(_ reply: HTTPReply) { set(.whole(reply)) }

  /// Ends the connection in place of an answer, as a cable does that is cut before it. Answers to earlier requests leave.
  package func breakOff() { set(.none) }

  /// Answers with a body that is sent piece by piece.
  package func stream(status: Int = 200, fields: [HTTPField] = [], contentType: String) -> HTTPAnswerStream {
    let stream = HTTPAnswerStream(
      HTTPReply(status: status, fields: fields, contentType: contentType), on: connection)
    set(.streamed(stream))
    return stream
  }

  /// Answers with 101 and hands the connection's stream to `use`, with the bytes that were read behind the request. The
  /// request must ask for an upgrade.
  package func upgrade(
    to name: String, fields: [HTTPField] = [], use: @escaping (Connection, [UInt8]) -> Void
  ) {
    precondition(request.upgrade != nil, "only a request that asks for an upgrade can be answered with one")
    set(.upgrade(to: name, fields: fields, use))
  }

  private func set(_ answer: Answer) {
    guard case .awaited = self.answer else { return }
    self.answer = answer
    connection.answered()
  }
}
