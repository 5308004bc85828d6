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

  /// The circumstances of every request.
  static let context = CallContext(identifier: "simulated", root: "http://cloud")
  let adapter: any ProtocolAdapter
  let database: DatabaseID
  let caller: Caller
  /// Changes the bodies of answers; nil for none.
  var damage: AnswerDamage?

  /// Writes a request as the device does, and parses it as the cloud does.
  func read(_ request: CloudRequest) -> Reading {
    let message = adapter.request(request, of: database, from: caller)
    do {
      return .call(try adapter.call(of: message.received, in: Self.context))
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
    adapter.response(reply.received(damagedBy: &damage), to: request, from: caller)
  }
}

extension ClientRequest {
  /// The request as a server reads it.
  var received: HTTPRequest {
    var reader = HTTPRequestReader()
    let event = BytePieces(of: bytes(host: "cloud")).read { reader.receive(Array($0)) }
    guard case .request(let received) = event else {
      preconditionFailure("\(method) \(target) is read as \(event)")
    }
    return received
  }
}

extension HTTPReply {
  /// The reply as a client reads it. `damage` changes bytes of the body on the way.
  func received(damagedBy damage: inout AnswerDamage?) -> HTTPResponse {
    var bytes: [UInt8] = []
    let head = HTTPResponseHead(status: status, contentType: contentType, fields: fields)
    var body = body
    damage?.change(&body)
    bytes.appendResponse(head, body: body)
    var parser = HTTPResponseParser()
    let event = BytePieces(of: bytes).read { parser.receive(Array($0)) }
    guard case .response(let response) = event else {
      preconditionFailure("a reply of status \(status) is read as \(event)")
    }
    return response
  }
}

extension PushNotification {
  /// The notification as a device reads it from the push socket. Throws if it is written as something else.
  func received() throws(PushLineError) -> PushNotification {
    var reader = LineReader()
    let message = BytePieces(of: PushLine.notification(self).line)
    let line = try message.read { (piece) throws(PushLineError) -> [PushLine] in
      reader.append(piece)
      var lines: [PushLine] = []
      while let line = try reader.next() { lines.append(try PushLine(line: line)) }
      return lines
    }
    guard case .notification(let received) = line else { preconditionFailure("a notification is read as \(line)") }
    return received
  }
}
