import Records
import SyncCoordinator

/// What the app asks the coordinator to do to a record of its own device.
package enum RecordEdit: Hashable, Sendable {
  /// Save that content, as a new record or in the place of the old content.
  case save(RecordID, recordType: Name, RecordContent)
  /// Delete the record.
  case delete(RecordID, recordType: Name)

  /// Saves an action.
  package init(_ action: BabyAction) {
    self = .save(action.id, recordType: BabyAction.recordType, RecordContent(action))
  }

  /// Saves a profile.
  package init(_ profile: Profile) { self = .save(profile.id, recordType: Profile.recordType, RecordContent(profile)) }

  /// The record.
  package var recordID: RecordID {
    switch self {
    case .save(let id, _, _), .delete(let id, _): id
    }
  }
}
