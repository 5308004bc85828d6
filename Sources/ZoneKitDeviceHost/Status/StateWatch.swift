import ZoneKitRecords

/// Since when a device has been in its state, as far as it was watched.
package struct StateWatch: Hashable, Sendable {
  /// The state; nil before the first look.
  package private(set) var state: SyncStatus.State?
  /// Since when it has been that one, by the device's wall clock; nil before the first look.
  package private(set) var since: WallTime?

  /// A watch that has not begun.
  package init() {}

  /// The device is in that state at that time.
  package mutating func note(_ state: SyncStatus.State, at now: WallTime) {
    guard state != self.state else { return }
    self.state = state
    since = now
  }
}
