import ZoneKitDeviceHost
import ZoneKitStorage

extension DataDirectory {
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
