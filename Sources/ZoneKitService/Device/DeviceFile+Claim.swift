import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage

extension DeviceFile {
  /// Checks that the store belongs to that app, and writes the app's name to a store without one, and the file that describes
  /// the app's data to one that has another text of it. A used store without a name was made by an earlier version and
  /// belongs to `unmarkedApp`. Throws if the store belongs to another app.
  func claim(for app: DeviceApp, unmarkedApp: String) throws(StoreError) {
    let owner = try owner(unmarkedApp: unmarkedApp)?.app ?? app.storeName
    guard owner == app.storeName else {
      throw StoreError(.failed, "the store was made by the app \(owner), and is not \(app.storeName)'s", place: path)
    }
    if try self.app() == nil { try setApp(app.storeName) }
    if let text = app.describingFile?.text, try appFile() != text { try setAppFile(text) }
  }

  /// The app that made the store; `unmarkedApp` if a used store names none, nil if the store was never used.
  func owner(unmarkedApp: String) throws(StoreError) -> StoreOwner? {
    if let app = try app() { return StoreOwner(app: app, describingText: try appFile()) }
    return try values()[.deviceID] == nil ? nil : StoreOwner(app: unmarkedApp)
  }
}

/// The app that made a device's store.
package struct StoreOwner: Hashable, Sendable {
  /// The name of the app in stores.
  package var app: String
  /// The text of the file that describes the app's data; nil if there is none.
  package var describingText: [UInt8]?
}

extension DataDirectory {
  /// The app that made a device's store; `unmarkedApp` if a used store names none, nil if there is no used store.
  package func owner(ofDevice name: String, unmarkedApp: String) throws(StoreError) -> StoreOwner? {
    let folder = try device(name)
    guard Folder.exists("\(folder)/\(DeviceFile.fileName)") else { return nil }
    return try DeviceFile.readOnly(folder: folder).owner(unmarkedApp: unmarkedApp)
  }

  /// The apps that made the stores of devices, in ascending order of the devices' names. A store that cannot be read is left
  /// out.
  package func owners(unmarkedApp: String) -> [StoreOwner] {
    ((try? deviceNames()) ?? []).compactMap { try? owner(ofDevice: $0, unmarkedApp: unmarkedApp) }
  }
}
