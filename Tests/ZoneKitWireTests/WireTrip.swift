import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitWire

/// Carries messages between the client's half and the server's half as bytes.
enum WireTrip {
  /// The server's view of a client's request.
  static func received(_ request: ClientRequest) throws -> HTTPRequest {
    var reader = HTTPRequestReader()
    return try #require(reader.receive(request.bytes(host: "h")).first?.request)
  }

  /// The client's view of a server's reply.
  static func received(_ reply: HTTPReply) throws -> HTTPResponse {
    var bytes: [UInt8] = []
    bytes.appendResponse(
      HTTPResponseHead(status: reply.status, contentType: reply.contentType, fields: reply.fields), body: reply.body)
    var parser = HTTPResponseParser()
    guard case .response(let response)? = parser.receive(bytes).first else {
      throw RowError(.notServed, "the reply is none to the client")
    }
    return response
  }
}
