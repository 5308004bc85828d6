/// The type of a field, with its name in files and in the web services (CloudKit Web Services, b.4).
public enum FieldType: String, CaseIterable, Hashable, Sendable {
  /// A text.
  case string = "STRING"
  /// A 64-bit integer.
  case int64 = "INT64"
  /// A finite floating-point number.
  case double = "DOUBLE"
  /// Bytes.
  case bytes = "BYTES"
  /// Bytes that the writer marked as encrypted.
  case encryptedBytes = "ENCRYPTED_BYTES"
  /// A time in milliseconds since 1970.
  case timestamp = "TIMESTAMP"
  /// A reference to another record.
  case reference = "REFERENCE"
  /// A geographic location.
  case location = "LOCATION"
  /// Bytes that are kept beside the record.
  case asset = "ASSETID"
  /// A list of texts.
  case stringList = "STRING_LIST"
  /// A list of integers.
  case int64List = "INT64_LIST"
  /// A list of floating-point numbers.
  case doubleList = "DOUBLE_LIST"
  /// A list of byte strings.
  case bytesList = "BYTES_LIST"
  /// A list of times.
  case timestampList = "TIMESTAMP_LIST"
  /// A list of references.
  case referenceList = "REFERENCE_LIST"
  /// A list of locations.
  case locationList = "LOCATION_LIST"
  /// A list of assets.
  case assetList = "ASSETID_LIST"
  /// An empty list whose element type is unknown.
  case unknownList = "UNKNOWN_LIST"
}
