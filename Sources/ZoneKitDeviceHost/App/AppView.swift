import ZoneKitRecords
import ZoneKitSync

/// The state of a device that its app can read.
package struct AppView {
  /// The device's store. Apps only read it.
  package let store: any DeviceStore
  /// The account that is signed in; nil if none is.
  package let account: Name?
  /// The time of the device's wall clock.
  package let wall: WallTime
  /// The time zone of the device.
  package let timeZone: TimeZoneRules
  /// The app's own values in the store.
  package var values: [String: DeviceValue] {
    get throws(StoreError) { try store.appValues() }
  }
  /// The records that the coordinator does not show yet, because records to which they refer have not arrived.
  package var hidden: [RecordID] { listHidden() }
  private let listHidden: () -> [RecordID]

  /// A view of that store at that time, in UTC by default. `hidden` is evaluated where an app asks for it, for there may be many.
  package init(
    store: any DeviceStore, account: Name?, wall: WallTime, timeZone: TimeZoneRules = .utc,
    hidden: @autoclosure @escaping () -> [RecordID] = []
  ) {
    self.store = store
    self.account = account
    self.wall = wall
    self.timeZone = timeZone
    listHidden = hidden
  }
}
