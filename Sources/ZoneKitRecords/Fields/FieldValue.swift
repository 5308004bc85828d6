/// The value of one field, one case for each type that a record can hold.
///
/// `==` follows Swift, for which two spellings of "é" are one string; whether records have the same content is decided on
/// their `EncodedFields`, byte by byte.
public enum FieldValue: Hashable, Sendable {
  /// A text.
  case string(String)
  /// A whole number.
  case int64(Int64)
  /// Finite; the wire refuses anything else.
  case double(Double)
  /// Bytes.
  case bytes([UInt8])
  /// Bytes that the writer marked as encrypted.
  case encryptedBytes([UInt8])
  /// A moment.
  case timestamp(WallTime)
  /// A pointer to another record.
  case reference(Reference)
  /// A place on Earth.
  case location(Location)
  /// A list of texts.
  case stringList([String])
  /// A list of whole numbers.
  case int64List([Int64])
  /// A list of finite numbers.
  case doubleList([Double])
  /// A list of byte strings.
  case bytesList([[UInt8]])
  /// A list of moments.
  case timestampList([WallTime])
  /// A list of references.
  case referenceList([Reference])
  /// A list of places.
  case locationList([Location])
  /// An empty list whose element type is not known.
  case unknownList

  /// The type that the value is written with.
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
    case .stringList: .stringList
    case .int64List: .int64List
    case .doubleList: .doubleList
    case .bytesList: .bytesList
    case .timestampList: .timestampList
    case .referenceList: .referenceList
    case .locationList: .locationList
    case .unknownList: .unknownList
    }
  }

  /// The references that the value holds: one, several in a list, or none.
  public var references: [Reference] {
    switch self {
    case .reference(let reference): [reference]
    case .referenceList(let references): references
    default: []
    }
  }
}
