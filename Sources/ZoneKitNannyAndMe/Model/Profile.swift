import ZoneKitRecords

/// A baby that the log is about.
package struct Profile: Hashable, Sendable {
  /// The record; its name is an upper-case UUID.
  package var id: RecordID
  /// The baby's name.
  package var name: String
  /// When it was born; nil where the profile does not say.
  package var birthDate: WallTime?
  /// Whether reminders are on.
  package var remindersEnabled: Bool
  /// Seconds after which to remind, by category; a category without a value has `defaultInterval`.
  package var reminderIntervals: PerCategory<Int64>
  /// Whether to remind, by category.
  package var actionRemindersEnabled: PerCategory<Bool>
  /// A JSON object in compact text that only the app's user interface reads; nil where there is none.
  package var actionReminderOverrides: String?
  /// Whether the profile is shared with other accounts; nil where the profile does not say.
  package var isShared: Bool?
  /// What the other accounts may do, such as `edit`.
  package var sharePermission: String?
  /// The state of the sharing.
  package var shareStatus: String?
  /// When it was last edited, by the stamps of `StampClock`.
  package var updatedAt: WallTime
  /// What the record holds beyond these values, a picture included.
  package var carried = CarriedFields.none

  /// The record type.
  package static let recordType: Name = "Profile"
  /// Seconds after which the app reminds of a category that has no interval of its own: 3 hours.
  package static let defaultInterval: Int64 = 10_800

  /// A profile of which only the name is known.
  package init(id: RecordID, name: String, updatedAt: WallTime) {
    self.id = id
    self.name = name
    self.updatedAt = updatedAt
    remindersEnabled = true
    reminderIntervals = PerCategory()
    actionRemindersEnabled = PerCategory()
  }
}
