import ZoneKitRecords

/// The version of a record that a device got from the cloud and shows unchanged.
package struct SyncedVersion: Hashable, Sendable {
  /// The record.
  package let recordName: Name
  /// The version's change tag.
  package let changeTag: ChangeTag
  /// When the cloud committed it.
  package let modifiedAt: WallTime
}
