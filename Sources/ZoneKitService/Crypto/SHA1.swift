import ZoneKitCCrypto

/// The hash function SHA-1 (FIPS 180-4), for the handshake of a WebSocket only: it proves that a server has read the
/// request, and protects nothing (RFC 6455, 4.2.2).
enum SHA1 {
  /// The hash of bytes.
  static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    ZoneKitCCrypto.SHA1(bytes, bytes.count, &digest)
    return digest
  }
}
