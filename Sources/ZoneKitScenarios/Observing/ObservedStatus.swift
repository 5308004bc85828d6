import ZoneKitRecords

/// What a device says of itself, as far as expectations ask for it.
package struct ObservedStatus: Hashable, Sendable {
  /// The state of syncing by its name in the diagnostics; `dead` if there is no process that could have one.
  package var state: String
  /// The state of the subscription, and how it came to be if it is there.
  package var subscription: [String] = []
  /// The error of the last check of the subscription; nil if it did not fail.
  package var subscriptionError: String?
  /// Whether pushes have not come for longer than they should.
  package var hasDrought = false
  /// The record that is written again and again; nil if none is.
  package var storm: String?
  /// The line about syncing that the app's user reads; nil if the app has none.
  package var line: String?
  /// The reasons of the last fetch, joined by `+`; nil before the first one.
  package var fetchReason: String?
  /// How long ago the last fetch was, by the device's own clock, in milliseconds; nil if none is shown.
  package var fetchAge: Int64?
  /// How long ago it truly was, in milliseconds; nil if the player cannot know it.
  package var trueFetchAge: Int64?
  /// The state of the channel with change events; `off` without one.
  package var channel = "off"
  /// The state of the upload of local rows; `none` without one.
  package var migration = "none"

  /// A status with that state and nothing else to tell.
  package init(state: String) { self.state = state }
}
