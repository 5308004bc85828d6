import ZoneKitRecords

/// Writes an object's values over the preserved fields.
struct FieldWriter {
  /// The fields so far.
  private(set) var fields: Fields
  private let encrypted: [Name]

  init(over carried: CarriedFields) {
    fields = carried.rest
    encrypted = carried.encrypted
  }

  /// Sets a field. A value of nil keeps the preserved field of that name.
  mutating func set(_ name: Name, _ value: FieldValue?) {
    guard let value else { return }
    fields.set(Field(name: name, value: value, isEncrypted: encrypted.contains(name)))
  }
}
