import ZoneKitRecords
import Testing

@Suite struct JSONBase64Tests {
  // RFC 4648, 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `the examples of the standard hold`(plain: String, text: String) {
    #expect(Base64.encode([UInt8](plain.utf8)) == text)
    #expect(Base64.decode(text) == [UInt8](plain.utf8))
  }

  @Test func `all bytes come back at every length`() {
    for length in 0...300 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ length) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
    #expect(Base64.encode([0xFB, 0xFF, 0xFE]) == "+//+")
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zg===", "=", "==", "===", "====", "Zg==Zg==", "Zm9v=", "Z=9v", "Zm=v", "Zm9-", "Zm9_", "Zm9v\n",
    "Zm 9", "Zh==", "Zm9=", "Zm8=Zm8=", "Zé==", "Zm9v====",
  ])
  func `anything but the one text of some bytes is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
