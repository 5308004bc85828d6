import ZoneKitRecords
import ZoneKitSync

/// An app that runs on a device: what its user sees, what the commands ask for, and what the app's rules repair.
///
/// It is at most a cache of the device's store: an app that is launched again shows the same.
package protocol RunningApp {
  /// Brings the named records up to date, after the cloud or an edit changed them.
  mutating func refresh(_ changed: [RecordID], from view: AppView) throws(StoreError)

  /// The answer to a line of the app's own commands. Throws with a sentence where the line is wrong or cannot be done now.
  mutating func perform(
    _ line: String, in view: AppView, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> AppAnswer

  /// The edits by which the app's rules repair what a merge left, such as two running actions; none where all is well.
  mutating func repairs(in view: AppView) throws(StoreError) -> [RecordEdit]
}
