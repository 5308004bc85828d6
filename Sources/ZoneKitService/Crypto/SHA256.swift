import ZoneKitCCrypto

/// The hash function SHA-256 (FIPS 180-4) and the message authentication code on it (RFC 2104).
enum SHA256 {
  /// The length of a hash in bytes.
  static let length = Int(SHA256_DIGEST_LENGTH)

  /// The hash of bytes.
  static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: length)
    ZoneKitCCrypto.SHA256(bytes, bytes.count, &digest)
    return digest
  }

  /// The hash of bytes that arrive in pieces.
  final class Stream {
    private let context: OpaquePointer

    /// The hash of no bytes yet.
    init() {
      guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
        preconditionFailure("libcrypto computes SHA-256")
      }
      self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes.
    func add(_ bytes: [UInt8]) {
      let result = EVP_DigestUpdate(context, bytes, bytes.count)
      precondition(result == 1, "libcrypto computes SHA-256 of any bytes")
    }

    /// The hash of all bytes. It is called once.
    func end() -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: length)
      let result = EVP_DigestFinal_ex(context, &digest, nil)
      precondition(result == 1, "libcrypto computes SHA-256 of any bytes")
      return digest
    }
  }

  /// The authentication code of bytes under a key.
  static func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: length)
    var count = UInt32(length)
    let result = HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &code, &count)
    precondition(result != nil && count == UInt32(length), "libcrypto computes HMAC-SHA-256 of any bytes")
    return code
  }
}

/// Compares secrets.
enum ConstantTime {
  /// Whether the bytes are equal. The time that this takes says nothing about them but their lengths.
  static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    first.count == second.count && CRYPTO_memcmp(first, second, first.count) == 0
  }

  /// Whether the texts have equal bytes.
  static func areEqual(_ first: String, _ second: String) -> Bool { areEqual(Array(first.utf8), Array(second.utf8)) }
}
