import Testing
import ZoneKitRecords
import ZoneKitTables

@Suite struct `pictures and the names of photos` {
  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"), ([0x89] + Array("PNG\r\n\u{1A}\n".utf8), "image/png"),
      ([0, 0, 0, 24] + Array("ftypheic".utf8), "image/heic"),
      ([0, 0, 0, 24] + Array("ftypmif1....".utf8), "image/heic"),
      ([0, 0, 0, 24] + Array("ftypmp42".utf8), nil), (Array("GIF89a".utf8), nil), ([0xFF, 0xD8], nil), ([], nil),
      ([0, 0, 0, 24] + Array("ftyphei".utf8), nil),
    ] as [([UInt8], String?)])
  func `the first bytes of a file show its format`(bytes: [UInt8], mediaType: String?) {
    #expect(PictureFormat(of: bytes)?.mediaType == mediaType)
  }

  @Test func `a name is the first half of a hash`() throws {
    let hash = String(repeating: "0A", count: 32)
    let name = try #require(PhotoName(hash: hash))
    #expect(name.text == String(repeating: "0a", count: 16))
    #expect(
      PhotoName(hash: String(hash.prefix(31))) == nil && PhotoName(hash: String(repeating: "g", count: 64)) == nil)
    let account = UUID(high: 1, low: 2)
    let path = "\(account.text)/persons/x/\(name.text).jpg"
    #expect(PhotoName(path: path, of: account) == name)
    #expect(PhotoName(path: path, of: UUID(high: 1, low: 3)) == nil)
    for other in ["\(account.text)/persons/x/0\(name.text).jpg", "\(account.text)/../\(name.text).jpg", "\(path).png"] {
      #expect(PhotoName(path: other, of: account) == nil, "\(other)")
    }
  }
}
