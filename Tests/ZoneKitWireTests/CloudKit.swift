import ZoneKitRecords
import Testing
import ZoneKitWire

/// What the tests of CloudKit Web Services share: requests out of text, answers into text.
enum CloudKit {
  static let caller = Caller(user: "nanny", deviceID: "device-7")

  /// The caller's user record name, as it stands in answers.
  static let owner = "_" + caller.userRecordName.text.dropFirst()

  /// What a server's parser makes of a request with that target and body.
  static func http(_ target: String, _ body: [UInt8] = [], method: String = "POST") -> HTTPRequest? {
    var bytes: [UInt8] = []
    bytes.appendRequest(
      HTTPRequestHead(method: method, target: target, host: "h", contentType: "text/plain"), body: body)
    var parser = HTTPRequestReader()
    guard case .request(let request) = parser.receive(bytes).first else { return nil }
    return request
  }

  /// The request of an endpoint of the private database with that body.
  static func request(_ operation: String, _ body: String) throws -> CloudKitRequest {
    try CloudKitRequest(
      try #require(http("/database/1/iCloud.x/development/private/\(operation)", [UInt8](body.utf8))))
  }

  /// What the endpoint says of that body; nil where it takes it.
  static func refusal(_ operation: String, _ body: String) throws -> RequestFailure? {
    do {
      _ = try request(operation, body)
      return nil
    } catch let failure as RequestFailure {
      return failure
    }
  }

  /// The status and text of the answer to a request.
  static func answer(
    _ response: CloudResponse, to operation: String = "zones/list", _ body: String = "{}"
  ) throws -> (status: Int, text: String) {
    let answer = CloudKitResponse(
      response, to: try request(operation, body), of: caller, uuid: "U-1", root: "http://127.0.0.1:7440")
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }

  /// The one text of a document's content, to compare documents whose members come in another order.
  static func canonical(_ text: String) throws -> String { try JSON(parsing: text).text(.canonical) }

  static func note(
    _ name: Name = "n-1", _ fields: [Field] = [], author: Author? = nil, parent: Name? = nil
  ) -> Record {
    let by = Authorship(
      at: WallTime(milliseconds: 1_767_323_045_000),
      author: author ?? Author(userRecordName: "_user01", deviceID: "local-1"))
    return Record(
      recordName: name, recordType: "Note", fields: EncodedFields(Fields(fields)), changeTag: ChangeTag("1a"),
      created: by, modified: by, parent: parent)
  }
}
