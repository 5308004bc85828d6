import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSimulator

/// The state of a device that its app can read.
public struct DeviceView {
  /// The app.
  public let app: SyncApp
  private let view: AppView

  init(_ view: AppView, app: SyncApp) {
    self.view = view
    self.app = app
  }

  /// The account that is signed in; nil if none is.
  public var account: Name? { view.account }

  /// The time of the device's wall clock.
  public var now: WallTime { view.wall }

  /// The time zone of the device.
  public var timeZone: TimeZoneRules { view.timeZone }

  /// The calendar day in the device's time zone by its wall clock, such as `2026-11-21`.
  public var today: String { timeZone.day(of: now) }

  /// The fields of a record; nil if there is no such record.
  public func record(_ id: RecordID) -> Fields? { StoreReading(view.store).record(id) }

  /// The fields of all records of a type, by record ID; of the app's first type by default.
  public func records(ofType type: Name? = nil) -> [RecordID: Fields] {
    StoreReading(view.store).records(ofType: type ?? app.recordTypes[0])
  }
}
