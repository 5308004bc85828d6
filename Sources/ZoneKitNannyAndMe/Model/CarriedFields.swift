import ZoneKitRecords

/// The content of a record that this version of the app does not understand. It is preserved when the record is edited,
/// so that an older app does not delete what a newer one wrote.
package struct CarriedFields: Hashable, Sendable {
  /// The fields whose names or values this version does not know.
  package var rest: Fields
  /// The known fields that were marked as encrypted, and stay marked.
  package var encrypted: [Name]

  /// Nothing to preserve.
  package static let none = CarriedFields(rest: Fields(), encrypted: [])

  init(rest: Fields, encrypted: [Name]) {
    self.rest = rest
    self.encrypted = encrypted
  }

  init(_ reader: FieldReader) { self.init(rest: reader.rest, encrypted: reader.encrypted) }
}
