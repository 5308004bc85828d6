import Testing
import ZoneKitRecords

@testable import ZoneKitWire

@Suite struct `the file of a form` {
  private static let type = "multipart/form-data; boundary=limit"
  private static let file = "\r\n--limi\r\n--limi\r\rt" + String(repeating: "x\r\n-", count: 50)

  private func cut(_ form: String, in size: Int) throws(HTTPError) -> (file: String, isComplete: Bool)? {
    guard var cutter = FormFileCutter(Self.type) else { return nil }
    let bytes = Array(form.utf8)
    var file: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      file += try cutter.take(Array(bytes[start..<min(bytes.count, start + size)]))
    }
    return (String(decoding: file, as: UTF8.self), cutter.isComplete)
  }

  private static func part(_ disposition: String, _ body: String) -> String {
    "--limit\r\nContent-Disposition: form-data; \(disposition)\r\nContent-Type: image/png\r\n\r\n\(body)\r\n"
  }

  @Test(arguments: [1, 2, 3, 7, 64, 10_000])
  func `is cut out exactly, whatever pieces the form arrives in`(size: Int) throws {
    let form = Self.part("name=\"files\"; filename=\"a.png\"", Self.file) + "--limit--\r\n"
    let cut = try #require(try cut(form, in: size))
    #expect(cut.file == Self.file && cut.isComplete)
  }

  @Test(arguments: [1, 5, 10_000])
  func `is the first part that is a file, with something before and behind it`(size: Int) throws {
    let form =
      "preamble\r\n" + Self.part("name=\"note\"", "text") + Self.part("name=files", "one")
      + Self.part("name=\"b\"; filename=\"b\"", "two") + "--limit--\r\nepilogue"
    let cut = try #require(try cut(form, in: size))
    #expect(cut.file == "one" && cut.isComplete)
  }

  @Test func `may be empty`() throws {
    let cut = try #require(try cut(Self.part("name=\"files\"", "") + "--limit--", in: 4))
    #expect(cut.file == "" && cut.isComplete)
  }

  @Test func `is not complete without its last boundary, or if no part is a file`() throws {
    let whole = Self.part("name=\"files\"", "bytes")
    #expect(try cut(whole + "--limi", in: 3)?.isComplete == false)
    #expect(try cut(Self.part("name=\"note\"", "x") + "--limit--", in: 3)?.isComplete == false)
    #expect(try cut("--limit--", in: 3)?.isComplete == false)
  }

  @Test func `is not looked for without end`() {
    let long = String(repeating: "x", count: 20_000)
    #expect(throws: HTTPError.self) { try cut(long, in: 1_000) }
    #expect(throws: HTTPError.self) { try cut("--limit\r\nA: \(long)", in: 1_000) }
    #expect(throws: HTTPError.self) { try cut("x--limit\r\n", in: 1_000) }
  }

  @Test func `needs a boundary in the media type`() {
    #expect(FormFileCutter("multipart/form-data") == nil)
    #expect(FormFileCutter("multipart/mixed; boundary=a") == nil)
    #expect(FormFileCutter("Multipart/Form-Data; charset=utf-8; boundary=\"a b\"") != nil)
  }
}
