import ZoneKitCCrypto
import Testing

@Suite struct `libcrypto` {
  @Test func `hashes a request's body as the signing rules ask for`() {
    let body = Array(#"{"zones":[{"zoneName":"_defaultZone"}]}"#.utf8)
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256(body, body.count, &digest)
    var text = [UInt8](repeating: 0, count: 4 * ((digest.count + 2) / 3) + 1)
    let length = EVP_EncodeBlock(&text, digest, Int32(digest.count))
    let base64 = String(decoding: text.prefix(Int(length)), as: UTF8.self)
    #expect(base64 == "bqQ1wc33Rkoo++7wj1lo2NcBj+SFQo8yqQdFI+ms5NA=")
  }
}
