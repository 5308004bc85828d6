/// The type of a field as it is written on the wire and in files (CloudKit Web Services, b.4).
public enum FieldType: String, CaseIterable, Hashable, Sendable {
  case string = "STRING"
  case int64 = "INT64"
  case double = "DOUBLE"
  case bytes = "BYTES"
  case encryptedBytes = "ENCRYPTED_BYTES"
  case timestamp = "TIMESTAMP"
  case reference = "REFERENCE"
  case location = "LOCATION"
  case stringList = "STRING_LIST"
  case int64List = "INT64_LIST"
  case doubleList = "DOUBLE_LIST"
  case bytesList = "BYTES_LIST"
  case timestampList = "TIMESTAMP_LIST"
  case referenceList = "REFERENCE_LIST"
  case locationList = "LOCATION_LIST"
  /// An empty list whose element type is not known yet.
  case unknownList = "UNKNOWN_LIST"
}
