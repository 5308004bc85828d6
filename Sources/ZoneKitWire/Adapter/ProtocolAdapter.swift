import ZoneKitRecords

/// One protocol between devices and the cloud: how requests and answers travel as HTTP messages, for the server's side and
/// for the device's. An adapter computes on values only, so a simulated network can carry its bytes as a real one does.
package protocol ProtocolAdapter: Sendable {
  /// The first path segments of the requests that belong to the protocol.
  var roots: [String] { get }

  /// The server's side: what a request asks of the cloud. Throws the reply to a request that asks for nothing.
  func call(of request: HTTPRequest, in context: CallContext) throws(CallRefusal) -> Call

  /// The device's side: the HTTP request that asks for that of a database.
  func request(_ request: CloudRequest, of database: DatabaseID, from caller: Caller) -> ClientRequest

  /// The device's side: what an HTTP answer says. An answer that cannot be read becomes a `CloudError`.
  func response(_ answer: HTTPResponse, to request: CloudRequest, from caller: Caller) -> CloudResponse
}

/// What an adapter may say about the server in an answer.
package struct CallContext: Hashable, Sendable {
  /// Identifies the answer, for people who look for it in a log.
  package var identifier: String
  /// The server's own URL, such as `http://127.0.0.1:7440`.
  package var root: String

  /// The context of one request.
  package init(identifier: String, root: String) {
    self.identifier = identifier
    self.root = root
  }
}

/// Why a request leads to no call.
package struct CallRefusal: Error, Hashable, Sendable {
  /// The reply that says so, in the protocol's own form.
  package let reply: HTTPReply

  /// A refusal with that reply.
  package init(_ reply: HTTPReply) { self.reply = reply }
}
