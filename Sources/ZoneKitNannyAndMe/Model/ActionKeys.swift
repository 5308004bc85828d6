import ZoneKitRecords

/// The names of a `BabyAction` record's fields.
package enum ActionKeys {
  /// STRING: the `Category`.
  package static let category: Name = "category"
  /// TIMESTAMP.
  package static let startDate: Name = "startDate"
  /// TIMESTAMP, absent while the action is running.
  package static let endDate: Name = "endDate"
  /// STRING: the `DiaperType`.
  package static let diaperType: Name = "diaperType"
  /// STRING: the `FeedingType`.
  package static let feedingType: Name = "feedingType"
  /// STRING: the `BottleType`.
  package static let bottleType: Name = "bottleType"
  /// INT64, millilitres.
  package static let bottleVolume: Name = "bottleVolume"
  /// DOUBLE, degrees north.
  package static let latitude: Name = "latitude"
  /// DOUBLE, degrees east.
  package static let longitude: Name = "longitude"
  /// STRING.
  package static let placename: Name = "placename"
  /// REFERENCE with DELETE_SELF, also the record's parent.
  package static let profile: Name = "profile"
  /// TIMESTAMP of the last edit.
  package static let updatedAt: Name = "updatedAt"
}
