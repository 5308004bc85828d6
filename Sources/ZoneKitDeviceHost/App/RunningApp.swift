import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// A running app: what its user sees, and the edits of its commands and rules.
///
/// It is at most a cache of the device's store: after a new launch the app shows the same.
package protocol RunningApp {
  /// Updates the named records after a remote change or an edit.
  mutating func refresh(_ changed: [RecordID], from view: AppView) throws(StoreError)

  /// Performs one of the app's commands. Throws if the command is wrong or not possible now.
  mutating func perform(
    _ line: String, in view: AppView, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> AppAnswer

  /// The record that a word of a user stands for, such as the beginning of its ID. Throws if it stands for none or for
  /// several.
  mutating func find(_ word: String, in view: AppView) throws(AppRefusal) -> RecordID

  /// Gives a photo to the row that a word of a user stands for, or takes the row's photo away if nil. Throws if the word
  /// stands for no row, or for one that has no photo.
  mutating func setPhoto(
    _ photo: QueuedPhoto?, of word: String, in view: AppView
  ) throws(AppRefusal) -> AppAnswer

  /// The edits with which the app's rules repair the result of a merge, for example two running actions; empty if
  /// nothing is to be repaired.
  mutating func repairs(in view: AppView) throws(StoreError) -> [RecordEdit]

  /// What the app shows otherwise than after a new launch with that view, as a sentence; nil if it shows the same.
  func staleness(in view: AppView) throws(StoreError) -> String?
}

extension RunningApp {
  package mutating func setPhoto(
    _ photo: QueuedPhoto?, of word: String, in view: AppView
  ) throws(AppRefusal) -> AppAnswer {
    throw AppRefusal("this app has no photos")
  }
}
