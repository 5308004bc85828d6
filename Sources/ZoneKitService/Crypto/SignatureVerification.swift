import ZoneKitCCrypto
import ZoneKitWire

/// Verifies signatures of ECDSA on the curve P-256 with SHA-256 (FIPS 186-5).
enum SignatureVerification {
  /// Whether a signature in DER is that of a message under a public key in DER (RFC 5480). False for what is not in that
  /// form.
  static func isSigned(_ message: [UInt8], _ signature: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard let key = key(publicKey) else { return false }
    defer { EVP_PKEY_free(key) }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
    return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }

  /// Whether the bytes are a public key on the curve P-256 in DER, and nothing else.
  static func isPublicKey(_ publicKey: [UInt8]) -> Bool {
    guard let key = key(publicKey) else { return false }
    EVP_PKEY_free(key)
    return true
  }

  private static func key(_ bytes: [UInt8]) -> OpaquePointer? {
    bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var place = buffer.baseAddress
      guard let key = d2i_PUBKEY(nil, &place, buffer.count) else { return nil }
      guard place == buffer.baseAddress.map({ $0 + buffer.count }), isOnP256(key) else {
        EVP_PKEY_free(key)
        return nil
      }
      return key
    }
  }

  private static func isOnP256(_ key: OpaquePointer) -> Bool {
    var name = [CChar](repeating: 0, count: 32)
    var length = 0
    guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return false }
    return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) == "prime256v1"
  }
}

extension Cryptography {
  /// The functions of libcrypto.
  static let libcrypto = Cryptography(
    hash: { SHA256.hash($0) }, code: { SHA256.authenticationCode(of: $0, key: $1) },
    areEqual: { ConstantTime.areEqual($0, $1) }, isSigned: { SignatureVerification.isSigned($0, $1, by: $2) })
}
