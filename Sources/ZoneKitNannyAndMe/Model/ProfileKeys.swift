import ZoneKitRecords

/// The names of a `Profile` record's fields.
package enum ProfileKeys {
  /// STRING.
  package static let name: Name = "name"
  /// TIMESTAMP.
  package static let birthDate: Name = "birthDate"
  /// ASSETID. This version preserves it unchanged.
  package static let avatar: Name = "avatar"
  /// INT64 0 or 1.
  package static let remindersEnabled: Name = "remindersEnabled"
  /// STRING: a JSON object of seconds by category.
  package static let reminderIntervals: Name = "reminderIntervals"
  /// STRING: a JSON object of Booleans by category.
  package static let actionRemindersEnabled: Name = "actionRemindersEnabled"
  /// STRING: a JSON object that only the app's user interface reads.
  package static let actionReminderOverrides: Name = "actionReminderOverrides"
  /// INT64 0 or 1.
  package static let isShared: Name = "isShared"
  /// STRING.
  package static let sharePermission: Name = "sharePermission"
  /// STRING.
  package static let shareStatus: Name = "shareStatus"
  /// TIMESTAMP of the last edit.
  package static let updatedAt: Name = "updatedAt"
}
