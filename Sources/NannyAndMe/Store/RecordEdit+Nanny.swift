import Records
import SyncCoordinator

extension RecordEdit {
  /// Saves an action: with the stamp of `now` where a person edits it, `asGiven` where its stamp says already when a
  /// person did.
  package init(_ action: BabyAction, stamping: Stamping) {
    self = .save(
      action.id, type: BabyAction.recordType, fields: action.fields, parent: action.parent, stamping: stamping)
  }

  /// Saves a profile; the stamping as for an action.
  package init(_ profile: Profile, stamping: Stamping) {
    self = .save(profile.id, type: Profile.recordType, fields: profile.fields, parent: nil, stamping: stamping)
  }
}
