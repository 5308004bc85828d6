import ZoneKitWire

/// A request and the outcome of its answer, for a server's log. The query is left out, because it may hold tokens.
struct AnsweredRequest {
  /// The request without its body.
  private let request: HTTPRequest
  /// What a fault did to the request; nil if none met it.
  let fault: String?
  /// The status of the answer; nil if the connection was closed instead.
  let status: Int?
  /// The number of bytes of the answer's body; nil if it is sent in parts.
  let bytes: Int?
  /// The time from the head of the request to the answer, in milliseconds.
  let milliseconds: Int64

  /// A request that was answered like that after that time.
  init(_ request: HTTPRequest, _ answer: HTTPExchange.Answer, fault: String?, after milliseconds: Int64) {
    var head = request
    head.body = []
    self.request = head
    self.fault = fault
    self.milliseconds = milliseconds
    switch answer {
    case .awaited, .none: (status, bytes) = (nil, nil)
    case .whole(let reply): (status, bytes) = (reply.status, reply.body.count)
    case .streamed(let stream): (status, bytes) = (stream.head.status, stream.length)
    case .upgrade: (status, bytes) = (101, nil)
    }
  }

  /// The method.
  var method: String { request.method }

  /// The path.
  var path: String { request.path }

  /// The protocol.
  var family: RequestEndpoint.Family {
    RequestEndpoint.all[RequestEndpoint.number(method: method, path: path)].family
  }

  /// The ID or name of the device that the request names as its protocol does, in `X-Client-Info` or in the query; nil if it
  /// names none.
  var device: String? {
    if let device = SupabaseCredentials(request).deviceID { return device }
    return (try? request.queryItems()["clientId"]).flatMap { $0.isEmpty ? nil : $0 }
  }
}
