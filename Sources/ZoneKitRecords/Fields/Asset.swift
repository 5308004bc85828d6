/// An asset: bytes that the cloud keeps beside a record, whose field names them (CloudKit Web Services, b.5).
public struct Asset: Hashable, Sendable {
  /// The SHA-256 hash of the bytes as base64; empty if a writer named them by a receipt alone.
  public var fileChecksum: String
  /// The number of bytes.
  public var size: Int64
  /// The proof that the bytes were uploaded, which a writer sends; nil for the asset of a record.
  public var receipt: String?

  /// An asset with that checksum and size.
  public init(fileChecksum: String, size: Int64, receipt: String? = nil) {
    self.fileChecksum = fileChecksum
    self.size = size
    self.receipt = receipt
  }
}

extension Asset {
  /// The length of a SHA-256 hash in bytes.
  package static let hashLength = 32

  /// The SHA-256 hash in hexadecimal digits, which is the name of the file with the bytes; nil if the checksum is not one.
  package var hash: String? { Self.hash(of: fileChecksum) }

  /// The hexadecimal digits of a checksum; nil if it is not the base64 text of a SHA-256 hash.
  package static func hash(of checksum: String) -> String? {
    guard let bytes = Base64.decode(checksum), bytes.count == hashLength else { return nil }
    return Hexadecimal.text(bytes)
  }
}

extension FieldValue {
  /// The assets in the value: one, those of a list, or none.
  package var assets: [Asset] {
    switch self {
    case .asset(let asset): [asset]
    case .assetList(let assets): assets
    default: []
    }
  }
}
