import ZoneKitWire

/// A request and the outcome of its answer, for a server's log. The query is left out, because it may hold tokens.
struct AnsweredRequest {
  /// The method.
  let method: String
  /// The path.
  let path: String
  /// The status of the answer; nil if the connection was closed instead.
  let status: Int?
  /// The number of bytes of the answer's body; nil if it is sent in parts.
  let bytes: Int?
  /// The time from the head of the request to the answer, in milliseconds.
  let milliseconds: Int64

  /// A request that was answered like that after that time.
  init(_ request: HTTPRequest, _ answer: HTTPExchange.Answer, after milliseconds: Int64) {
    method = request.method
    path = request.path
    self.milliseconds = milliseconds
    switch answer {
    case .awaited, .none: (status, bytes) = (nil, nil)
    case .whole(let reply): (status, bytes) = (reply.status, reply.body.count)
    case .streamed: (status, bytes) = (200, nil)
    case .upgrade: (status, bytes) = (101, nil)
    }
  }
}
