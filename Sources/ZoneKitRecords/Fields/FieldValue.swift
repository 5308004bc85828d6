/// The value of a field.
///
/// `==` compares strings as Swift does, for which two Unicode encodings of "é" are equal. To compare the content of
/// records, use the bytes of their `EncodedFields`.
public enum FieldValue: Hashable, Sendable {
  /// A text.
  case string(String)
  /// A 64-bit integer.
  case int64(Int64)
  /// A finite number. The web services refuse any other.
  case double(Double)
  /// Bytes.
  case bytes([UInt8])
  /// Bytes that the writer marked as encrypted.
  case encryptedBytes([UInt8])
  /// A time.
  case timestamp(WallTime)
  /// A reference to another record.
  case reference(Reference)
  /// A geographic location.
  case location(Location)
  /// Bytes that are kept beside the record.
  case asset(Asset)
  /// A list of texts.
  case stringList([String])
  /// A list of integers.
  case int64List([Int64])
  /// A list of finite numbers.
  case doubleList([Double])
  /// A list of byte strings.
  case bytesList([[UInt8]])
  /// A list of times.
  case timestampList([WallTime])
  /// A list of references.
  case referenceList([Reference])
  /// A list of locations.
  case locationList([Location])
  /// A list of assets.
  case assetList([Asset])
  /// An empty list whose element type is unknown.
  case unknownList

  /// The type of the value.
  public var type: FieldType {
    switch self {
    case .string: .string
    case .int64: .int64
    case .double: .double
    case .bytes: .bytes
    case .encryptedBytes: .encryptedBytes
    case .timestamp: .timestamp
    case .reference: .reference
    case .location: .location
    case .asset: .asset
    case .stringList: .stringList
    case .int64List: .int64List
    case .doubleList: .doubleList
    case .bytesList: .bytesList
    case .timestampList: .timestampList
    case .referenceList: .referenceList
    case .locationList: .locationList
    case .assetList: .assetList
    case .unknownList: .unknownList
    }
  }

  /// The references in the value: one, those of a list, or none.
  public var references: [Reference] {
    switch self {
    case .reference(let reference): [reference]
    case .referenceList(let references): references
    default: []
    }
  }
}
