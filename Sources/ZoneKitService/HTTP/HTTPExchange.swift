import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitWire

/// One request on a connection, with its answer. Answers are sent in the order of the requests, independent of when
/// they are given. One call of `reply`, `breakOff`, `stream` or `upgrade` answers an exchange. Later calls are ignored,
/// as are all calls after the connection was closed.
package final class HTTPExchange {
  /// The state of the answer.
  enum Answer {
    case awaited
    case whole(HTTPReply)
    /// The connection is closed instead of an answer.
    case none
    case streamed(HTTPAnswerStream)
    case upgrade(to: String, fields: [HTTPField], (Connection, [UInt8]) -> Void)
  }

  /// The request. Its body is empty if it is received in chunks.
  package internal(set) var request: HTTPRequest
  /// The body if the route receives it in chunks; nil otherwise.
  package let body: HTTPBodyStream?
  /// What web pages of other origins may do with the answer; nil for nothing.
  let crossOrigin: CrossOriginRule?
  /// Called at most once if the client ends its side, or the connection, before the answer.
  package var onAbandon: (() -> Void)?
  /// The state of the answer.
  private(set) var answer = Answer.awaited
  /// Whether the client waits for an interim answer 100 before it sends the body.
  var expectsContinue = false
  /// What a fault did to the request; nil if none met it.
  var fault: String?
  /// Whether the connection is closed after the answer.
  var endsConnection = false
  /// The bytes of memory that are reserved for the body.
  var reserved = 0
  private let way: Way

  /// How the answer reaches the client.
  private enum Way {
    /// `begunAt` is when the head of the request was read, by the loop's clock in nanoseconds.
    case connection(HTTPServerConnection, begunAt: Int64)
    /// Without a connection: the function gets the answer; nil if a connection would be closed instead.
    case none((HTTPReply?) -> Void)
  }

  init(
    _ request: HTTPRequest, body: HTTPBodyStream?, crossOrigin: CrossOriginRule?, on connection: HTTPServerConnection
  ) {
    self.request = request
    self.crossOrigin = crossOrigin
    self.body = body
    way = .connection(connection, begunAt: connection.server.nanoseconds)
  }

  /// A complete request that came over no connection. `answer` is called once, with nil instead of an answer that is not sent.
  init(_ request: HTTPRequest, crossOrigin: CrossOriginRule?, answer: @escaping (HTTPReply?) -> Void) {
    self.request = request
    self.crossOrigin = crossOrigin
    body = nil
    way = .none(answer)
  }

  private var connection: HTTPServerConnection? {
    if case .connection(let connection, _) = way { connection } else { nil }
  }

  /// The host of the client; empty if the connection is over a Unix socket.
  package var clientHost: String {
    guard case .tcp(let host, _)? = connection?.stream.peer else { return "" }
    return host
  }

  /// Whether the client is on this machine.
  var clientIsLocal: Bool { connection?.stream.peer?.isLoopback ?? true }

  /// Whether the connection stays open while the server replaces what it serves.
  var keepsConnection: Bool {
    get { connection?.stream.isPermanent ?? false }
    set { connection?.stream.isPermanent = newValue }
  }

  /// The number of bytes that the answer should have at most, because many answers wait for their clients. A small
  /// answer is always possible.
  package var room: Int { connection?.room ?? AnswerSize.limit }

  /// Counts the size of the answer that is being made, as soon as it is known, and how much work the request takes:
  /// the number of bytes of an answer that takes as long.
  package func note(answerOf size: Int, work: Int) { connection?.note(answerOf: size, work: work) }

  /// Answers with a complete reply.
  package func reply(_ reply: HTTPReply) { set(.whole(reply)) }

  /// Closes the connection instead of an answer. Answers to earlier requests are sent.
  package func breakOff() { set(.none) }

  /// Answers with a complete reply; closes the connection without one.
  package func answer(_ reply: HTTPReply?) {
    if let reply { self.reply(reply) } else { breakOff() }
  }

  /// Answers with a body that is sent in chunks, or in pieces of a body with that length.
  package func stream(
    status: Int = 200, fields: [HTTPField] = [], contentType: String, length: Int? = nil
  ) -> HTTPAnswerStream {
    guard let connection else { preconditionFailure("only a connection takes an answer in chunks") }
    let stream = HTTPAnswerStream(
      HTTPReply(status: status, fields: fields, contentType: contentType), length: length, on: connection)
    set(.streamed(stream))
    return stream
  }

  /// Answers with 101 and passes the connection's stream to `use`, with the bytes that were read after the request. The
  /// request must ask for an upgrade.
  package func upgrade(
    to name: String, fields: [HTTPField] = [], use: @escaping (Connection, [UInt8]) -> Void
  ) {
    precondition(request.upgrade != nil, "only a request that asks for an upgrade can be answered with one")
    set(.upgrade(to: name, fields: fields, use))
  }

  /// The fields with which a web page of another origin may read the answer.
  var crossOriginFields: [HTTPField] { crossOrigin?.fields(for: request) ?? [] }

  /// The client ended its side, or the connection.
  func abandon() {
    let onAbandon = onAbandon
    self.onAbandon = nil
    onAbandon?()
  }

  private func set(_ answer: Answer) {
    guard case .awaited = self.answer else { return }
    self.answer = answer
    onAbandon = nil
    switch way {
    case .connection(let connection, let begunAt):
      let server = connection.server
      server.answered(request, answer, fault: fault, after: server.nanoseconds - begunAt)
      connection.answered()
    case .none(let answered):
      if case .whole(let reply) = answer { answered(reply) } else { answered(nil) }
    }
  }
}
