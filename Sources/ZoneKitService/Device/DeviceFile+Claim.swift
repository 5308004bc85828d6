import ZoneKitRecords
import ZoneKitStorage

extension DeviceFile {
  /// Makes sure that the store belongs to that app, and marks it where it has no mark. A store that a device of an earlier
  /// version made has none and belongs to `unmarkedApp`. Throws where the store is another app's.
  func claim(for app: String, unmarkedApp: String) throws(StoreError) {
    let owner = try owner(unmarkedApp: unmarkedApp) ?? app
    guard owner == app else {
      throw StoreError(.failed, "the store was made by the app \(owner), and is not \(app)'s", place: path)
    }
    if try self.app() == nil { try setApp(app) }
  }

  /// The app that made the store; `unmarkedApp` where a used store has no mark, nil where the store was never used.
  func owner(unmarkedApp: String) throws(StoreError) -> String? {
    if let app = try app() { return app }
    return try values()[.deviceID] == nil ? nil : unmarkedApp
  }
}

extension DataDirectory {
  /// The name of the app that made a device's store, where there is a store that was used; `unmarkedApp` where it has no
  /// mark.
  package func app(ofDevice name: String, unmarkedApp: String) throws(StoreError) -> String? {
    let folder = try device(name)
    guard Folder.exists("\(folder)/\(DeviceFile.fileName)") else { return nil }
    return try DeviceFile.readOnly(folder: folder).owner(unmarkedApp: unmarkedApp)
  }
}
