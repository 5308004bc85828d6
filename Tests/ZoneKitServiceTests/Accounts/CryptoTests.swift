import Testing
import ZoneKitRecords
import ZoneKitTableServer

@testable import ZoneKitService

@Suite struct `cryptography` {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    String(
      decoding: bytes.flatMap {
        [Hexadecimal.digit($0 >> 4, isUppercase: false), Hexadecimal.digit($0 & 0xF, isUppercase: false)]
      }, as: UTF8.self)
  }

  @Test func `hashes as the examples of FIPS 180`() {
    #expect(
      hexadecimal(SHA256.hash(bytes("abc"))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hexadecimal(SHA256.hash([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test func `authenticates as the examples of RFC 4231`() {
    let code = SHA256.authenticationCode(of: bytes("what do ya want for nothing?"), key: bytes("Jefe"))
    #expect(hexadecimal(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let long = SHA256.authenticationCode(
      of: bytes("Test Using Larger Than Block-Size Key - Hash Key First"), key: [UInt8](repeating: 0xAA, count: 131))
    #expect(hexadecimal(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    #expect(SHA256.authenticationCode(of: [], key: [1]).count == 32)
  }

  @Test func `hashes passwords as the example of RFC 7914`() {
    let key = PasswordHash.derive("pleaseletmein", salt: bytes("SodiumChloride"))
    #expect(hexadecimal(key) == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
  }

  @Test func `knows a password again, with a salt of its own`() {
    let record = PasswordHash.record(of: "sécret\u{0}x")
    #expect(PasswordHash.isRight("sécret\u{0}x", for: record))
    #expect(!PasswordHash.isRight("sécret", for: record))
    #expect(PasswordHash.record(of: "sécret\u{0}x") != record)
    #expect(!PasswordHash.isRight("", for: PasswordRecord(hash: "?", salt: "?")))
    #expect(!PasswordHash.isRight("", for: PasswordRecord(hash: "", salt: "")))
  }

  @Test func `compares secrets`() {
    #expect(ConstantTime.areEqual("", "") && ConstantTime.areEqual("ab", "ab"))
    #expect(!ConstantTime.areEqual("ab", "ac") && !ConstantTime.areEqual("ab", "abc"))
  }
}
