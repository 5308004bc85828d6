import ZoneKitRecords

extension BabyAction {
  /// Reads a record's fields. Without a known category or a start it is refused. A missing stamp counts as 1970, the
  /// oldest. A value that this version does not know counts as absent and is preserved.
  package init(id: RecordID, fields: Fields) throws(RefusedRecord) {
    var reader = FieldReader(fields)
    guard let category: Category = reader.choice(ActionKeys.category) else {
      throw RefusedRecord("the field category must be one of \(Category.list)")
    }
    guard let startDate = reader.time(ActionKeys.startDate) else {
      throw RefusedRecord("the field startDate must be a TIMESTAMP")
    }
    self.init(id: id, category: category, startDate: startDate, profile: nil, updatedAt: .oldestStamp)
    endDate = reader.time(ActionKeys.endDate)
    diaperType = reader.choice(ActionKeys.diaperType)
    feedingType = reader.choice(ActionKeys.feedingType)
    bottleType = reader.choice(ActionKeys.bottleType)
    bottleVolume = reader.integer(ActionKeys.bottleVolume, in: Self.volumes)
    latitude = reader.number(ActionKeys.latitude)
    longitude = reader.number(ActionKeys.longitude)
    placename = reader.string(ActionKeys.placename)
    profile = reader.reference(ActionKeys.profile)
    profile?.action = .deleteSelf
    updatedAt = reader.time(ActionKeys.updatedAt) ?? .oldestStamp
    carried = CarriedFields(reader)
  }

  /// The record's fields, with the preserved ones.
  package var fields: Fields {
    var writer = FieldWriter(over: carried)
    writer.set(ActionKeys.category, .string(category.rawValue))
    writer.set(ActionKeys.startDate, .timestamp(startDate))
    writer.set(ActionKeys.endDate, endDate.map(FieldValue.timestamp))
    writer.set(ActionKeys.diaperType, (diaperType?.rawValue).map(FieldValue.string))
    writer.set(ActionKeys.feedingType, (feedingType?.rawValue).map(FieldValue.string))
    writer.set(ActionKeys.bottleType, (bottleType?.rawValue).map(FieldValue.string))
    writer.set(ActionKeys.bottleVolume, bottleVolume.map(FieldValue.int64))
    writer.set(ActionKeys.latitude, latitude.map(FieldValue.double))
    writer.set(ActionKeys.longitude, longitude.map(FieldValue.double))
    writer.set(ActionKeys.placename, placename.map(FieldValue.string))
    writer.set(ActionKeys.profile, profile.map(FieldValue.reference))
    writer.set(ActionKeys.updatedAt, .timestamp(updatedAt))
    return writer.fields
  }
}

extension WallTime {
  /// The stamp of a record that has none or that no user has edited. Any user's edit is newer.
  static let oldestStamp = WallTime(milliseconds: 0)
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  /// All cases as text: `pee, poo, both`.
  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
