import Testing
import ZoneKitRecords
import ZoneKitWire

@testable import ZoneKitService

/// The example of CloudKit Web Services, e.3.
@Suite struct `the signature of a server` {
  private static let body = Array(#"{"zones":[{"zoneName":"_defaultZone"}]}"#.utf8)
  private static let path = "/database/1/iCloud.com.example.local/development/public/zones/lookup"
  private static let date = "2026-01-02T03:04:05Z"
  private static let signature =
    "MEQCIGHTNwSGdmKuA3CDh5bk6cWDS4K7nq/N8psng3Ow8yJ0AiBJlEFfcvr41hsHocPZxDLKUjFrfqTAZiAsn4nGJ+byeA=="

  private func key() throws -> [UInt8] {
    try #require(
      Base64.decode(
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEE2qNdlitX0VAuAgJ96C2yIRr30X+RWM6uCzI2FF8BnLGkyKFCNXioClQPFqugMn/4bwlUesUi6K3IpNvxAQodw=="
      ))
  }

  private func isAccepted(
    body: [UInt8] = body, path: String = path, date: String = date, signature: String = signature
  ) throws -> Bool {
    var authentication = Authentication(mode: .strict, .libcrypto)
    authentication.registry.keys = [
      CredentialRegistry.ServerKey(
        name: "example", keyID: "k", publicKey: try key(), reach: CredentialRegistry.Reach())
    ]
    let request =
      "POST \(path) HTTP/1.1\r\nHost: h\r\nX-Apple-CloudKit-Request-KeyID: k\r\n"
      + "x-apple-cloudkit-request-iso8601date: \(date)\r\nX-Apple-CloudKit-Request-SignatureV1: \(signature)\r\n"
      + "Content-Length: \(body.count)\r\n\r\n"
    var parser = HTTPRequestReader()
    guard case .request(let http) = parser.receive(Array(request.utf8) + body).first else { return false }
    let shown = WebCredentials(signature: RequestSignature(http))
    let now = try #require(WallTime(iso8601: Self.date))
    switch authentication.identity(shown, for: .other, in: "c", .development, .public, at: now) {
    case .success: return true
    case .failure(let error):
      #expect(error.code == .authenticationFailed)
      return false
    }
  }

  @Test func `is accepted as in the example`() throws {
    #expect(Base64.encode(SHA256.hash(Self.body)) == "bqQ1wc33Rkoo++7wj1lo2NcBj+SFQo8yqQdFI+ms5NA=")
    #expect(try isAccepted())
  }

  @Test func `is refused if any byte of the body, the date or the path is another one`() throws {
    for index in Self.body.indices {
      var body = Self.body
      body[index] ^= 1
      #expect(try !isAccepted(body: body))
    }
    for index in Self.date.utf8.indices {
      var date = Array(Self.date.utf8)
      date[Self.date.utf8.distance(from: Self.date.startIndex, to: index)] ^= 1
      #expect(try !isAccepted(date: String(decoding: date, as: UTF8.self)))
    }
    for index in 1..<Self.path.utf8.count {
      var path = Array(Self.path.utf8)
      path[index] ^= 1
      #expect(try !isAccepted(path: String(decoding: path, as: UTF8.self)))
    }
    #expect(try !isAccepted(body: Self.body + [0x0A]))
    #expect(try !isAccepted(signature: String(Self.signature.dropLast(4))))
  }

  @Test func `needs a key on the right curve, in the form of a public key`() throws {
    let key = try key()
    #expect(SignatureVerification.isPublicKey(key))
    for other in [[], key + [0], Array(key.dropLast()), [UInt8](repeating: 0, count: 91)] {
      #expect(!SignatureVerification.isPublicKey(other))
    }
  }
}
