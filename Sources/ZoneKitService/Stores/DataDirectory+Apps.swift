import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTables

extension DataDirectory {
  /// The app whose accounts the cloud has: that of a user's own tables, if the cloud has such tables and no accounts of
  /// `usual`; otherwise `usual`.
  package func tables(usually usual: TableApp) -> TableApp {
    Folder.exists(RelationFiles.path(root: cloud, app: .own))
      && !Folder.exists(AccountFiles.path(root: cloud, app: usual)) ? .own : usual
  }

  /// The rows of a user's own tables, in the order of the tables' names; none without such tables. A server may be running.
  package func ownTables() throws(StoresError) -> [RelationCounts.Table] {
    try StoresError.from { () throws(StoreError) in try RelationCounts(root: cloud, app: .own)?.tables ?? [] }
  }

  /// Whether the cloud has zones of an app with zones, accounts of one with tables, or documents of one with documents.
  package func hasData(of app: DeviceApp) -> Bool {
    switch app.cloud {
    // Files that cannot be read are reported when they are opened.
    case .zones: (try? ZoneDesk(of: self, container: app.container).hasZones()) == true
    case .tables(let tables): Folder.exists(AccountFiles.path(root: cloud, app: tables))
    case .documents(let documents, _): (try? DocumentDesk(of: self, app: documents).accounts().isEmpty) == false
    }
  }
}
