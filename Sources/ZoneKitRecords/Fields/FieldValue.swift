/// The value of one field, one case for each type that a record can hold.
///
/// `==` follows Swift, for which two spellings of "é" are one string; whether records have the same content is decided on
/// their `EncodedFields`, byte by byte.
public enum FieldValue: Hashable, Sendable {
  case string(String)
  case int64(Int64)
  /// Finite; the wire refuses anything else.
  case double(Double)
  case bytes([UInt8])
  case encryptedBytes([UInt8])
  case timestamp(WallTime)
  case reference(Reference)
  case location(Location)
  case stringList([String])
  case int64List([Int64])
  case doubleList([Double])
  case bytesList([[UInt8]])
  case timestampList([WallTime])
  case referenceList([Reference])
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
