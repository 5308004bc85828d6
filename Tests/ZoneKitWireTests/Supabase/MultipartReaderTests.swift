import Testing
import ZoneKitRecords
@testable import ZoneKitWire

@Suite struct `a reader of forms` {
  private let form = """
    before\r\n--x\r\nContent-Disposition: form-data; name="cacheControl"\r\n\r\n60\r\n--x\r\n\
    content-disposition: form-data; filename="a;\\"b.jpg"; name=""\r\nContent-Type: image/jpeg \r\n\r\n\
    line\r\n--y\r\n\r\n--x--\r\nafter
    """

  private func parts(_ text: String, boundary: String = "x") -> [MultipartReader.Part]? {
    MultipartReader(Array(text.utf8), boundary: boundary).parts
  }

  @Test func `finds the parts with their names, files, types and bytes`() {
    let bytes = ["60", "line\r\n--y\r\n"].map { Array($0.utf8)[...] }
    #expect(
      parts(form)?.map { [$0.name, $0.fileName, $0.contentType] } == [
        ["cacheControl", nil, nil], ["", "a;\"b.jpg", "image/jpeg"],
      ])
    #expect(parts(form)?.map { Array($0.body) } == bytes.map { Array($0) })
  }

  @Test(arguments: [
    ("multipart/form-data; boundary=abc", "abc"), ("Multipart/Form-Data; charset=utf-8; boundary=\"a b\"", "a b"),
    ("multipart/form-data; BOUNDARY=a;x=1", "a"), ("multipart/form-data", nil), ("multipart/form-data; boundary=", nil),
    ("multipart/mixed; boundary=a", nil), ("multipart/form-data; boundary=\(String(repeating: "a", count: 71))", nil),
  ])
  func `takes the boundary from the media type`(type: String, boundary: String?) {
    #expect(MultipartReader.boundary(of: type) == boundary)
  }

  @Test func `reads what is whole, wherever a form is cut off`() {
    for length in 0...form.utf8.count {
      let cut = Array(form.utf8.prefix(length))
      #expect((MultipartReader(cut, boundary: "x").parts ?? []).count <= 2)
    }
    #expect(parts("--x\r\n\r\n\r\n--x--")?.map { $0.body.count } == [0])
    #expect(parts("--x--") == [] && parts("nothing") == nil && parts("") == nil)
  }

  @Test func `takes any bytes`() {
    var dice = SplitMix64(seed: 4)
    let pieces = ["--x", "\r\n", "--", "x", ":", "Content-Disposition: form-data; filename=", "\"", "\\", ";", "a"]
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0..<30, using: &dice)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &dice)]
      }
      _ = parts(text.joined())
    }
  }

  @Test func `reads a hundred parts and no more`() {
    let part = "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n"
    #expect(parts(String(repeating: part, count: 100) + "--x--")?.count == 100)
    #expect(parts(String(repeating: part, count: 101) + "--x--") == nil)
  }
}

@Suite struct `a range of bytes` {
  @Test(arguments: [
    ("bytes=0-4", HTTPByteRange.part(0..<5) as HTTPByteRange?), ("bytes=5-", .part(5..<10)),
    ("Bytes=-3", .part(7..<10)), ("bytes=-30", .part(0..<10)),
    ("bytes=9-99", .part(9..<10)), ("bytes=10-", .beyondEnd), ("bytes=-0", .beyondEnd), ("bytes=4-2", nil),
    ("bytes=-", nil), ("bytes=a-b", nil), ("bytes=1-2,4-5", nil), ("items=1-2", nil), ("bytes=99999999999-", nil),
    ("bytes=0-0", .part(0..<1)),
  ])
  func `is read, or all bytes are sent`(text: String, range: HTTPByteRange?) {
    #expect(HTTPByteRange(text, of: 10) == range)
  }

  @Test func `dates of header fields name the day of the week`() {
    #expect(WallTime(milliseconds: 784_111_777_000).httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(WallTime(milliseconds: 0).httpDate == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(WallTime(milliseconds: -1).httpDate == "Wed, 31 Dec 1969 23:59:59 GMT")
  }
}
