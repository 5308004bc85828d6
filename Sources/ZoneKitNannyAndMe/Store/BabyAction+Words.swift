import ZoneKitRecords

extension BabyAction {
  /// The first eight characters of the ID, which commands accept instead of it.
  package var shortID: String { id.shortName }

  /// The category and kind as text, such as `feeding bottle`.
  package var title: String {
    [category.rawValue, diaperType?.rawValue, feedingType?.rawValue].compactMap(\.self).joined(separator: " ")
  }
}

extension RecordID {
  /// The first eight characters of the record's name.
  var shortName: String { String(recordName.text.prefix(8)) }
}
