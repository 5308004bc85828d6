import ZoneKitRecords
import ZoneKitCloud

/// A zone or database with staged changes.
struct Staged<Before, File> {
  /// The state at the previous commit, for a rollback.
  var before: Before
  /// The file whose open transaction holds the changes.
  var file: File?
  /// Whether the changes were committed before the end of the turn, because too many files were open.
  var isCommitted = false
  /// Whether the machine staged a change here, so that it must hear of a failure. Changes of the list of zones have no
  /// such owner.
  var isAsked = false
  /// The zone that has to be committed before; nil for none.
  var after: ZoneKey?
  /// The reason why the changes cannot be committed, if it is already known.
  var cause: CommitFailure.Cause?

  /// Nothing staged yet over that state.
  init(before: Before) { self.before = before }
}
