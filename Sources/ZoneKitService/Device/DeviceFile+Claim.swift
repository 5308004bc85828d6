import ZoneKitRecords
import ZoneKitStorage

extension DeviceFile {
  /// Checks that the store belongs to that app, and writes the app's name to a store without one. A used store without
  /// a name was made by an earlier version and belongs to `unmarkedApp`. Throws if the store belongs to another app.
  func claim(for app: String, unmarkedApp: String) throws(StoreError) {
    let owner = try owner(unmarkedApp: unmarkedApp) ?? app
    guard owner == app else {
      throw StoreError(.failed, "the store was made by the app \(owner), and is not \(app)'s", place: path)
    }
    if try self.app() == nil { try setApp(app) }
  }

  /// The app that made the store; `unmarkedApp` if a used store names none, nil if the store was never used.
  func owner(unmarkedApp: String) throws(StoreError) -> String? {
    if let app = try app() { return app }
    return try values()[.deviceID] == nil ? nil : unmarkedApp
  }
}

extension DataDirectory {
  /// The name of the app that made a device's store; `unmarkedApp` if a used store names none, nil if there is no used
  /// store.
  package func app(ofDevice name: String, unmarkedApp: String) throws(StoreError) -> String? {
    let folder = try device(name)
    guard Folder.exists("\(folder)/\(DeviceFile.fileName)") else { return nil }
    return try DeviceFile.readOnly(folder: folder).owner(unmarkedApp: unmarkedApp)
  }
}
