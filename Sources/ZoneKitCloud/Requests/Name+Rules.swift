import ZoneKitRecords

extension Name {
  /// Whether this is the name of the default zone.
  package var isDefaultZone: Bool { self == ZoneID.defaultZone.zoneName }

  /// Whether this can be the name of a record or zone: 1 to 255 characters (CloudKit Web Services, g). Characters are
  /// counted as Unicode scalars, so that the size of a name is limited.
  var hasLegalLength: Bool {
    !text.isEmpty && text.unicodeScalars.prefix(Name.lengthLimit + 1).count <= Name.lengthLimit
  }

  /// Whether this is a name that only the cloud gives to records and zones, such as `_defaultZone`. Apple's documentation
  /// of `CKRecord.ID` says that names of records must not begin with an underscore.
  var isReserved: Bool { text.utf8.first == UInt8(ascii: "_") }

  /// Whether this can be the name of a field or record type: a letter, then letters, digits and underscores, at most
  /// 255 of them (CloudKit Web Services, b.3).
  var isIdentifier: Bool {
    guard text.utf8.count <= Name.lengthLimit, let first = text.utf8.first, first.isLetter else { return false }
    return text.utf8.allSatisfy { $0.isLetter || $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
}
