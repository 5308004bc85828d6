import ZoneKitRecords
import ZoneKitSync

extension RecordEdit {
  /// Saves an action: with the stamp of `now` where a person edits it, `asGiven` where its stamp already has the time of
  /// a person's edit.
  package init(_ action: BabyAction, stamping: Stamping) {
    self = .save(
      action.id, type: BabyAction.recordType, fields: action.fields, parent: action.parent, stamping: stamping)
  }

  /// Saves a profile; the stamping as for an action.
  package init(_ profile: Profile, stamping: Stamping) {
    self = .save(profile.id, type: Profile.recordType, fields: profile.fields, parent: nil, stamping: stamping)
  }

  /// The app's name for the saved record: `profile`, or an action's category; nil where the record is deleted or is
  /// neither.
  var kind: String? {
    switch self {
    case .save(_, Profile.recordType, _, _, _), .repair(_, Profile.recordType, _, _, _): return "profile"
    case .save(_, _, let fields, _, _), .repair(_, _, let fields, _, _):
      guard case .string(let category)? = fields[ActionKeys.category] else { return nil }
      return category
    case .delete: return nil
    }
  }
}
