import ZoneKitRecords
import ZoneKitSync

/// What an app sees of its device.
package struct AppView {
  /// The device's store, to be read only: in memory or in a file.
  package let store: any DeviceStore
  /// The account that is signed in; nil where none is.
  package let account: Name?
  /// The time of the device's wall clock.
  package let wall: WallTime
  /// The records that the coordinator does not show yet, because records that they refer to have not arrived.
  package let hidden: [RecordID]

  /// A view of that store at that time.
  package init(store: any DeviceStore, account: Name?, wall: WallTime, hidden: [RecordID] = []) {
    self.store = store
    self.account = account
    self.wall = wall
    self.hidden = hidden
  }
}
