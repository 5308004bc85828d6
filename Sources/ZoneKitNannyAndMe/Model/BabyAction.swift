import ZoneKitRecords

/// One line of the baby log: a sleep, a diaper change or a feeding.
package struct BabyAction: Hashable, Sendable {
  /// The record; its name is an upper-case UUID.
  package var id: RecordID
  /// What kind of thing it is.
  package var category: Category
  /// When it began.
  package var startDate: WallTime
  /// When it ended; nil while it runs.
  package var endDate: WallTime?
  /// What a diaper change found.
  package var diaperType: DiaperType?
  /// How the baby was fed.
  package var feedingType: FeedingType?
  /// What was in the bottle.
  package var bottleType: BottleType?
  /// How much was drunk from the bottle, in millilitres.
  package var bottleVolume: Int64?
  /// Degrees north of the place.
  package var latitude: Double?
  /// Degrees east of the place.
  package var longitude: Double?
  /// The place as text.
  package var placename: String?
  /// The profile it belongs to; nil where the writer named none.
  package var profile: Reference?
  /// When it was last edited, by the stamps of `StampClock`.
  package var updatedAt: WallTime
  /// What the record holds beyond these values.
  package var carried = CarriedFields.none

  /// The record type.
  package static let recordType: Name = "BabyAction"
  /// The volumes that make sense, in millilitres.
  package static let volumes: ClosedRange<Int64> = 0...5000

  /// An action of that category with times and profile and no details.
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

  /// Whether it has no end yet.
  package var isRunning: Bool { endDate == nil }

  /// How long it took, in milliseconds; nil while it runs.
  package var duration: Int64? {
    endDate.map { $0.milliseconds.subtractingReportingOverflow(startDate.milliseconds).partialValue }
  }

  /// The record above it: its profile.
  package var parent: Name? { profile?.recordName }
}
