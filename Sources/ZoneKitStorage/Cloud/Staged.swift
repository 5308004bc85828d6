import ZoneKitRecords
import ZoneKitCloud

/// A place with changes that wait for the commit.
struct Staged<Before, File> {
  /// What was there at the commit before, to go back to.
  let before: Before
  /// The file whose open transaction holds the changes.
  var file: File?
  /// Whether the machine staged something here, so that a failure is reported; the list of zones changes by itself.
  var isAsked = false
  /// Why the changes cannot be kept, where that is known already.
  var cause: CommitFailure.Cause?

  /// A place that was like that.
  init(before: Before) { self.before = before }
}
