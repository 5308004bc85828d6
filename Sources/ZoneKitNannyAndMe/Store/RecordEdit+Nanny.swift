import ZoneKitRecords
import ZoneKitSync

extension RecordEdit {
  /// Saves an action. The stamping is `now` for a user's edit, and `asGiven` if the action already has the stamp of a
  /// user's edit.
  package init(_ action: BabyAction, stamping: Stamping) {
    self = .save(
      action.id, type: BabyAction.recordType, fields: action.fields, parent: action.parent, stamping: stamping)
  }

  /// Saves a profile, with stamping as for an action.
  package init(_ profile: Profile, stamping: Stamping) {
    self = .save(profile.id, type: Profile.recordType, fields: profile.fields, parent: nil, stamping: stamping)
  }

  /// The app's word for the saved record: `profile`, or an action's category; nil if the record is deleted or neither
  /// of them.
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
