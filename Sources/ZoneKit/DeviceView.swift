import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSimulator

/// What an app sees of its device.
public struct DeviceView {
  /// The app.
  public let app: SyncApp
  private let view: AppView

  init(_ view: AppView, app: SyncApp) {
    self.view = view
    self.app = app
  }

  /// Who is signed in; nil where nobody is.
  public var account: Name? { view.account }

  /// The device's wall clock.
  public var now: WallTime { view.wall }

  /// The fields of a record; nil where there is no such record.
  public func record(_ id: RecordID) -> Fields? { StoreReading(view.store).record(id) }

  /// The fields of all records of a type, by record; of the app's first type where none is named.
  public func records(ofType type: Name? = nil) -> [RecordID: Fields] {
    StoreReading(view.store).records(ofType: type ?? app.recordTypes[0])
  }
}
