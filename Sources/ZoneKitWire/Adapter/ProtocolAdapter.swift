import ZoneKitRecords

/// A protocol between devices and the cloud: the conversion of requests and responses to HTTP messages and back, for
/// both sides. An adapter works on values only, so a simulated network can carry its bytes too.
package protocol ProtocolAdapter: ClientAdapter {
  /// The first path segments of the protocol's requests.
  var roots: [String] { get }

  /// Converts an HTTP request to a call. Throws the reply if the HTTP request is not valid.
  func call(of request: HTTPRequest, in context: CallContext) throws(CallRefusal) -> Call

  /// The reply to a request that is refused before it is read.
  func reply(refusing request: HTTPRequest, with error: CloudError, in context: CallContext) -> HTTPReply
}

/// What an adapter may need for an answer besides the request.
package struct CallContext: Hashable, Sendable {
  /// An ID of the answer, to find it in a log.
  package var identifier: String
  /// The server's own URL, such as `http://127.0.0.1:7440`.
  package var root: String

  /// The context of one request.
  package init(identifier: String, root: String) {
    self.identifier = identifier
    self.root = root
  }
}

/// The reply to an HTTP request that is not a valid request of the protocol.
package struct CallRefusal: Error, Hashable, Sendable {
  /// The reply, in the protocol's own form.
  package let reply: HTTPReply

  /// A refusal with that reply.
  package init(_ reply: HTTPReply) { self.reply = reply }
}
