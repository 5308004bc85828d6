/// The type of a field as it is written on the wire and in files (CloudKit Web Services, b.4).
public enum FieldType: String, CaseIterable, Hashable, Sendable {
  /// A text.
  case string = "STRING"
  /// A whole number of 64 bits.
  case int64 = "INT64"
  /// A finite number.
  case double = "DOUBLE"
  /// Bytes.
  case bytes = "BYTES"
  /// Bytes that the writer marked as encrypted.
  case encryptedBytes = "ENCRYPTED_BYTES"
  /// A moment in milliseconds since 1970.
  case timestamp = "TIMESTAMP"
  /// A pointer to another record.
  case reference = "REFERENCE"
  /// A place on Earth.
  case location = "LOCATION"
  /// A list of texts.
  case stringList = "STRING_LIST"
  /// A list of whole numbers.
  case int64List = "INT64_LIST"
  /// A list of numbers.
  case doubleList = "DOUBLE_LIST"
  /// A list of byte strings.
  case bytesList = "BYTES_LIST"
  /// A list of moments.
  case timestampList = "TIMESTAMP_LIST"
  /// A list of references.
  case referenceList = "REFERENCE_LIST"
  /// A list of places.
  case locationList = "LOCATION_LIST"
  /// An empty list whose element type is not known yet.
  case unknownList = "UNKNOWN_LIST"
}
