import ZoneKitRecords

/// An entry of the baby log: a sleep, a diaper change or a feeding.
package struct BabyAction: Hashable, Sendable {
  /// The record ID. Its name is an uppercase UUID.
  package var id: RecordID
  /// The category.
  package var category: Category
  /// The start.
  package var startDate: WallTime
  /// The end; nil while the action is running.
  package var endDate: WallTime?
  /// The content of a changed diaper.
  package var diaperType: DiaperType?
  /// The kind of feeding.
  package var feedingType: FeedingType?
  /// The content of the bottle.
  package var bottleType: BottleType?
  /// The volume that was drunk from the bottle, in millilitres.
  package var bottleVolume: Int64?
  /// The latitude in degrees north.
  package var latitude: Double?
  /// The longitude in degrees east.
  package var longitude: Double?
  /// The name of the place.
  package var placename: String?
  /// The profile to which it belongs; nil if the writer gave none.
  package var profile: Reference?
  /// The stamp of the last edit, made by `StampClock`.
  package var updatedAt: WallTime
  /// Further content of the record that this version preserves.
  package var carried = CarriedFields.none

  /// The record type.
  package static let recordType: Name = "BabyAction"
  /// The plausible volumes in millilitres.
  package static let volumes: ClosedRange<Int64> = 0...5000

  /// An action of that category without details.
  package init(
    id: RecordID, category: Category, startDate: WallTime, endDate: WallTime? = nil, profile: Name?, updatedAt: WallTime
  ) {
    self.id = id
    self.category = category
    self.startDate = startDate
    self.endDate = endDate
    self.profile = profile.map { Reference(recordName: $0, action: .deleteSelf) }
    self.updatedAt = updatedAt
  }

  /// Whether it has not ended.
  package var isRunning: Bool { endDate == nil }

  /// The duration in milliseconds; nil while it is running.
  package var duration: Int64? {
    endDate.map { $0.milliseconds.subtractingReportingOverflow(startDate.milliseconds).partialValue }
  }

  /// The parent record: the profile.
  package var parent: Name? { profile?.recordName }
}
