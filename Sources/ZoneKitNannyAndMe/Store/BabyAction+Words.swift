import ZoneKitRecords

extension BabyAction {
  /// The first eight characters of the ID, which commands accept in its place.
  package var shortID: String { id.shortName }

  /// What it is, as text: `feeding bottle`.
  package var title: String {
    [category.rawValue, diaperType?.rawValue, feedingType?.rawValue].compactMap(\.self).joined(separator: " ")
  }
}

extension RecordID {
  /// The first eight characters of the record's name.
  var shortName: String { String(recordName.text.prefix(8)) }
}
