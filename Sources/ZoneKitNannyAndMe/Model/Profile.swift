import ZoneKitRecords

/// A baby for which a log is kept.
package struct Profile: Hashable, Sendable {
  /// The record ID. Its name is an uppercase UUID.
  package var id: RecordID
  /// The baby's name.
  package var name: String
  /// The date of birth; nil if unknown.
  package var birthDate: WallTime?
  /// Whether reminders are on.
  package var remindersEnabled: Bool
  /// The time after which to remind, in seconds, by category; `defaultInterval` for a category without a value.
  package var reminderIntervals: PerCategory<Int64>
  /// Whether to remind, by category.
  package var actionRemindersEnabled: PerCategory<Bool>
  /// A JSON object in compact text that only the app's user interface reads; nil if there is none.
  package var actionReminderOverrides: String?
  /// Whether the profile is shared with other accounts; nil if unknown.
  package var isShared: Bool?
  /// The permission of the other accounts, such as `edit`.
  package var sharePermission: String?
  /// The state of the sharing.
  package var shareStatus: String?
  /// The stamp of the last edit, made by `StampClock`.
  package var updatedAt: WallTime
  /// Further content of the record that this version preserves, including a picture.
  package var carried = CarriedFields.none

  /// The record type.
  package static let recordType: Name = "Profile"
  /// The time after which the app reminds of a category without its own interval, in seconds: 3 hours.
  package static let defaultInterval: Int64 = 10_800

  /// A profile with only a name.
  package init(id: RecordID, name: String, updatedAt: WallTime) {
    self.id = id
    self.name = name
    self.updatedAt = updatedAt
    remindersEnabled = true
    reminderIntervals = PerCategory()
    actionRemindersEnabled = PerCategory()
  }
}
