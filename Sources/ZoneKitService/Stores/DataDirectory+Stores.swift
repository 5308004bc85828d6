import ZoneKitCloud
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

extension DataDirectory {
  /// The folder of an existing device. Throws an input error that lists the known devices if there is none of that
  /// name.
  package func existingDevice(_ name: String) throws(StoresError) -> String {
    let known = try knownDevices()
    guard known.contains(name) else {
      let those = known.isEmpty ? "there are none" : "there are \(known.joined(separator: ", "))"
      throw .input("there is no device \(name) in \(devices); \(those)")
    }
    return try StoresError.from { () throws(StoreError) in try device(name) }
  }

  /// Throws an input error if there is no cloud and no device.
  package func requireContent() throws(StoresError) {
    guard !hasCloud, try knownDevices().isEmpty else { return }
    let what =
      Folder.isFile(root)
      ? "\(root) is a file"
      : Folder.exists(root) ? "\(root) holds no cloud and no device" : "there is no folder \(root)"
    throw .input("\(what); name a data directory with --data")
  }

  /// The names of all devices, in ascending order.
  func knownDevices() throws(StoresError) -> [String] {
    try StoresError.from { () throws(StoreError) in try deviceNames() }
  }

  /// The names of the zones in all databases of the cloud, in ascending order. A server may be running.
  package func zoneNames() throws(StoresError) -> [String] {
    guard hasCloud else { return [] }
    let store = CloudFiles.readOnly(root: cloud)
    return try StoresError.from { () throws(StoreError) in
      var names: Set<Name> = []
      for database in try store.databases() {
        let zones = try store.zones(in: database).filter { !$0.isDeleted }.map(\.zoneName)
        names.formUnion(zones.filter { !ZoneKey(database: database, zoneName: $0).isInternal })
      }
      return names.sorted().map(\.text)
    }
  }

  /// The folders of all devices, in ascending order of their names.
  func deviceFolders() throws(StoresError) -> [String] {
    try StoresError.from { () throws(StoreError) in
      try deviceNames().map { (name) throws(StoreError) in try device(name) }
    }
  }

  /// The folders that servers and devices lock: that of the cloud and those of all devices.
  func ownedFolders() throws(StoresError) -> [String] {
    (Folder.exists(cloud) ? [cloud] : []) + (try deviceFolders())
  }

  /// The coordinator's values in a device's file.
  package func values(ofDevice name: String) throws(StoresError) -> [DeviceKey: DeviceValue] {
    let folder = try existingDevice(name)
    return try StoresError.from { () throws(StoreError) in try DeviceFile.readOnly(folder: folder).values() }
  }

  /// The state of a device for its app at that time, also while the device runs.
  package func view(ofDevice name: String, at wall: WallTime) throws(StoresError) -> AppView {
    let folder = try existingDevice(name)
    return try StoresError.from { () throws(StoreError) in
      let store = try DeviceFile.readOnly(folder: folder)
      return AppView(store: store, account: try store.values()[.account]?.text.map { Name($0) }, wall: wall)
    }
  }
}

extension WallTime {
  /// The time as part of a file name: `20260814T063105.250Z` (ISO 8601, basic format).
  var fileStamp: String { iso8601.filter { $0 != "-" && $0 != ":" } }
}

extension Folder {
  /// The number and total size of the files below a folder.
  static func census(of path: String) throws(StoreError) -> (files: Int, bytes: Int64) {
    var files = 0
    var bytes: Int64 = 0
    for name in try names(in: path) {
      let inner = path + "/" + name
      let below = kind(of: inner) == .folder ? try census(of: inner) : (files: 1, bytes: size(of: inner))
      files += below.files
      bytes += below.bytes
    }
    return (files, bytes)
  }
}
