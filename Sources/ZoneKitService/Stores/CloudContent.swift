import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTables

/// The records of an app's account in the cloud's files, whether a server is running or not.
enum CloudContent {
  /// In the files of zones.
  case zones(CloudReading)
  /// In the file of a user's own tables.
  case rows(OwnRowReading)

  /// The records of an account. Rows of a user's own tables are those that it sees at that time.
  init(
    of app: DeviceApp, account: Name, in data: DataDirectory, _ environment: Environment = .development,
    at now: WallTime
  ) throws(StoreError) {
    if case .tables(let tables) = app.cloud, tables.relations != nil {
      self = .rows(try OwnRowReading(in: data, app: tables, account: UUID(account.text), now: now))
    } else {
      self = .zones(CloudReading(app.database(of: account, in: environment), root: data.cloud))
    }
  }

  /// The zones that are not deleted, in ascending order.
  func zoneIDs() throws(StoreError) -> [ZoneID] {
    switch self {
    case .zones(let reading): try reading.zoneIDs()
    case .rows(let reading): reading.zoneIDs
    }
  }

  /// The records and tombstones of a zone.
  func zone(_ name: Name) throws(StoreError) -> CloudReading.Zone {
    switch self {
    case .zones(let reading): try reading.zone(name)
    case .rows(let reading): try reading.zone(name)
    }
  }
}
