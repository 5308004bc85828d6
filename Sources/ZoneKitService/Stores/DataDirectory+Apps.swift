import ZoneKitDeviceHost
import ZoneKitStorage

extension DataDirectory {
  /// Whether the cloud has accounts of an app with tables, or documents of an app with documents. Data of other apps is not
  /// looked for.
  package func hasData(of app: DeviceApp) -> Bool {
    switch app.cloud {
    case .zones: false
    case .tables(let tables): Folder.exists(AccountFiles.path(root: cloud, app: tables))
    // Files that cannot be read are reported when they are opened.
    case .documents(let documents, _): (try? DocumentDesk(of: self, app: documents).accounts().isEmpty) == false
    }
  }
}
