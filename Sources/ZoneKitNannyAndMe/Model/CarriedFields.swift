import ZoneKitRecords

/// What a record holds beyond the values that this version of the app understands: kept when the object is edited, so
/// that an older app does not delete what a newer one wrote.
package struct CarriedFields: Hashable, Sendable {
  /// The fields whose names or values this version does not know.
  package var rest: Fields
  /// The understood fields that were marked as encrypted, and stay so.
  package var encrypted: [Name]

  /// Nothing to carry along.
  package static let none = CarriedFields(rest: Fields(), encrypted: [])

  init(rest: Fields, encrypted: [Name]) {
    self.rest = rest
    self.encrypted = encrypted
  }

  init(_ reader: FieldReader) { self.init(rest: reader.rest, encrypted: reader.encrypted) }
}
