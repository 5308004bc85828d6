import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitWire

@Suite struct `a client's requests for objects` {
  private let sender = SupabaseSender(key: "k", token: "t", deviceID: "D")

  private func call(_ request: ClientRequest) throws -> ObjectCall { try ObjectCall(WireTrip.received(request)) }

  @Test func `an upload arrives with its bytes, its type and its path`() throws {
    let request = ClientRequest(
      uploading: [1, 2, 0, 255], mediaType: "image/png", to: "a/persons/b c/d.jpg", in: "photos", from: sender)
    guard case .upload("photos", "a/persons/b c/d.jpg", let upload, replaces: true) = try call(request) else {
      Issue.record("another call")
      return
    }
    #expect(upload.bytes == [1, 2, 0, 255] && upload.contentType == "image/png")
  }

  @Test func `a download arrives with its path`() throws {
    let request = ClientRequest(downloading: "a/persons/b/d.jpg", from: "photos", as: sender)
    #expect(try call(request) == .download(bucket: "photos", path: "a/persons/b/d.jpg"))
  }

  @Test(
    arguments: [
      (400, #"{"statusCode":"403","error":"Unauthorized","message":"Invalid JWT"}"#, 403, "Invalid JWT"),
      (400, #"{"statusCode":413,"message":"too large"}"#, 413, "too large"), (503, "", 503, "the service answered 503"),
      (400, #"{"statusCode":"7","message":"odd"}"#, 400, "odd"),
    ])
  func `the status of a refusal is the one in its body`(
    status: Int, body: String, read: Int, message: String
  ) throws {
    let reply = HTTPReply(status: status, contentType: "application/json", body: Array(body.utf8))
    let refusal = ServiceRefusal(ofObjects: try WireTrip.received(reply))
    #expect(refusal.status == read && refusal.message == message)
  }
}
