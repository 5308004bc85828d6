/// The functions of cryptography that the rules of access need. A driver supplies them.
package struct Cryptography: Sendable {
  /// The hash of bytes (SHA-256).
  package var hash: @Sendable ([UInt8]) -> [UInt8]
  /// The authentication code of bytes under a key (HMAC with SHA-256).
  package var code: @Sendable (_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8]
  /// Whether bytes are equal, which takes as long as if they were not.
  package var areEqual: @Sendable ([UInt8], [UInt8]) -> Bool
  /// Whether a signature in DER (ECDSA on P-256 with SHA-256) is that of a message under a public key in DER.
  package var isSigned: @Sendable (_ message: [UInt8], _ signature: [UInt8], _ publicKey: [UInt8]) -> Bool

  /// These functions.
  package init(
    hash: @escaping @Sendable ([UInt8]) -> [UInt8], code: @escaping @Sendable ([UInt8], [UInt8]) -> [UInt8],
    areEqual: @escaping @Sendable ([UInt8], [UInt8]) -> Bool,
    isSigned: @escaping @Sendable ([UInt8], [UInt8], [UInt8]) -> Bool
  ) {
    self.hash = hash
    self.code = code
    self.areEqual = areEqual
    self.isSigned = isSigned
  }
}
