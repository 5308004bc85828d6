import ZoneKitRecords
import ZoneKitTables

extension ClientRequest {
  /// A client's upload of an object, which replaces one at the path.
  package init(
    uploading bytes: [UInt8], mediaType: String, to path: String, in bucket: String, from sender: SupabaseSender
  ) {
    self.init(
      "POST", Self.target(path, bucket), fields: sender.fields + [HTTPField("x-upsert", "true")],
      contentType: mediaType, body: bytes)
  }

  /// A client's download of an object.
  package init(downloading path: String, from bucket: String, as sender: SupabaseSender) {
    self.init("GET", Self.target(path, bucket), fields: sender.fields)
  }

  private static func target(_ path: String, _ bucket: String) -> String {
    let segments = [bucket] + ObjectPath.segments(of: path).map(String.init)
    return "/storage/v1/object/" + segments.map { HTTPPercent.encode($0) }.joined(separator: "/")
  }
}

extension ServiceRefusal {
  /// What a client reads in an answer of the part for objects that is an error. Its real status is in the body.
  package init(ofObjects answer: HTTPResponse) {
    self.init(answer)
    let stated = (try? JSON(parsing: answer.body))?["statusCode"]
    if let code = stated?.string.flatMap({ Int($0) }) ?? stated?.integer.map({ Int($0) }), (400..<600).contains(code) {
      status = code
    }
  }
}
