import Testing
import ZoneKitRecords

@testable import ZoneKitWire

@Suite struct `assets over CloudKit Web Services` {
  private static let database = DatabaseID(
    container: "iCloud.a/b", environment: .development, user: "nanny", scope: .private)
  private static let checksum = Base64.encode([UInt8](repeating: 0xFB, count: 32))
  private static let url =
    "http://h:1/assets/iCloud.a%2Fb/development/nanny/private/" + "-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s"

  private func linked(_ fields: Fields) -> String {
    var output: [UInt8] = []
    AssetLinks(root: "http://h:1", database: Self.database).append(EncodedFields(fields).utf8.span, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `get a URL in the answer, one each in a list`() throws {
    var fields = Fields()
    fields["photo"] = .asset(Asset(fileChecksum: Self.checksum, size: 3))
    fields["photos"] = .assetList([Asset(fileChecksum: "a", size: 1), Asset(fileChecksum: "b+/=", size: 2)])
    let json = try JSON(parsing: Array(linked(fields).utf8))
    let photo = try #require(json["photo"]?["value"])
    #expect(photo["downloadURL"]?.string == Self.url)
    #expect(photo["fileChecksum"]?.string == Self.checksum && photo["size"]?.integer == 3)
    let list = json["photos"]?["value"]?.array ?? []
    #expect(list.map { $0["downloadURL"]?.string?.split(separator: "/").last } == ["a", "b-_"])
  }

  @Test func `are not found in texts and names that look like them`() {
    var fields = Fields()
    fields["fileChecksum"] = .string(#"{"fileChecksum":"x"}"#)
    fields["list"] = .stringList([#"{"fileChecksum":"x"}"#, "{"])
    fields["reference"] = .reference(Reference(recordName: #"{"fileChecksum":"x"#))
    #expect(linked(fields) == String(decoding: EncodedFields(fields).utf8, as: UTF8.self))
  }

  private func request(_ method: String, _ target: String, _ fields: String = "") throws -> HTTPRequest {
    var parser = HTTPRequestParser()
    let bytes = Array("\(method) \(target) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n".utf8)
    var position = 0
    var body: [UInt8] = []
    guard case .head(let request)? = parser.next(bytes.span, at: &position, into: &body) else {
      throw HTTPError(status: 400, reason: "no request")
    }
    return request
  }

  @Test func `are asked for by their URL`() throws {
    let path = String(Self.url.dropFirst("http://h:1".count))
    for method in ["GET", "HEAD"] {
      #expect(try AssetCall(request(method, path)) == .download(checksum: Self.checksum, in: Self.database))
    }
    #expect(try AssetCall(request("POST", "/assets/upload/t-1")) == .upload(token: "t-1"))
    #expect(throws: RequestFailure.methodNotAllowed(["GET", "HEAD"])) { try AssetCall(request("POST", path)) }
    #expect(throws: RequestFailure.methodNotAllowed(["POST"])) { try AssetCall(request("GET", "/assets/upload/t")) }
    for wrong in [
      "/assets", "/assets/", path + "A", path + "/x", "/assets/c/testing/u/private/x", "/assets/c/development/u/x/y",
    ] {
      #expect(throws: RequestFailure.notFound("there is no asset at \(wrong)")) { try AssetCall(request("GET", wrong)) }
    }
  }

  private func download(_ fields: String = "", size: Int = 10) throws -> AssetDownload {
    AssetDownload(of: "c", size: size, to: try request("GET", "/x", fields), uuid: "u")
  }

  private func field(_ name: String, _ answer: AssetDownload) -> String? {
    answer.head.fields.first { $0.name == name }?.value
  }

  @Test func `are sent whole, with what a client needs to keep them`() throws {
    let answer = try download()
    #expect(answer.head.status == 200 && answer.range == 0..<10)
    #expect(answer.head.contentType == "application/octet-stream")
    #expect(field("ETag", answer) == "\"c\"" && field("Accept-Ranges", answer) == "bytes")
    #expect(field("X-Content-Type-Options", answer) == "nosniff")
    #expect(try download(size: 0).range == 0..<0)
  }

  @Test func `are sent in the part that is asked for`() throws {
    for (asked, range, text) in [
      ("bytes=2-4", 2..<5, "bytes 2-4/10"), ("bytes=8-", 8..<10, "bytes 8-9/10"), ("bytes=-3", 7..<10, "bytes 7-9/10"),
    ] {
      let answer = try download("Range: \(asked)\r\n")
      #expect(answer.head.status == 206 && answer.range == range && field("Content-Range", answer) == text)
    }
    let beyond = try download("Range: bytes=10-\r\n")
    #expect(beyond.head.status == 416 && beyond.range == nil && field("Content-Range", beyond) == "bytes */10")
    #expect(try download("Range: bytes=2-4\r\nIf-Range: \"other\"\r\n").range == 0..<10)
    #expect(try download("If-None-Match: \"c\"\r\n").head.status == 304)
  }
}
