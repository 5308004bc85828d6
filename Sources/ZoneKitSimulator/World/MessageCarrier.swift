import ZoneKitRecords
import ZoneKitWire

/// Turns requests and responses into the HTTP messages of an app's protocol and back, as real devices and servers do.
struct MessageCarrier {
  /// The result of parsing a request in the cloud.
  enum Reading {
    case call(Call)
    /// The adapter refuses the request with that reply.
    case refused(HTTPReply)
  }

  private static let context = CallContext(identifier: "simulated", root: "http://cloud")
  let adapter: any ProtocolAdapter
  let database: DatabaseID
  let caller: Caller
  /// Changes the bodies of answers; nil for none.
  var damage: AnswerDamage?

  /// Writes a request as the device does, and parses it as the cloud does.
  func read(_ request: CloudRequest) -> Reading {
    let message = adapter.request(request, of: database, from: caller)
    var reader = HTTPRequestReader()
    guard case .request(let received)? = reader.receive(message.bytes(host: "cloud")).first else {
      preconditionFailure("an adapter writes \(request.words) as something that is no HTTP request")
    }
    do {
      return .call(try adapter.call(of: received, in: Self.context))
    } catch {
      return .refused(error.reply)
    }
  }

  /// Writes the cloud's response as a reply, and parses it as the device does.
  mutating func read(_ response: CloudResponse, to request: CloudRequest) -> CloudResponse {
    switch read(request) {
    case .call(let call): read(call.reply(.answered(response, caller)), to: request)
    case .refused(let reply): read(reply, to: request)
    }
  }

  /// Parses a reply to a request as the device does.
  private mutating func read(_ reply: HTTPReply, to request: CloudRequest) -> CloudResponse {
    var bytes: [UInt8] = []
    let head = HTTPResponseHead(status: reply.status, contentType: reply.contentType, fields: reply.fields)
    var body = reply.body
    damage?.change(&body)
    bytes.appendResponse(head, body: body)
    var parser = HTTPResponseParser()
    guard case .response(let response)? = parser.receive(bytes).first else {
      preconditionFailure("an adapter answers \(request.words) with something that is no HTTP response")
    }
    return adapter.response(response, to: request, from: caller)
  }
}
