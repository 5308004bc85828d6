import ZoneKitRecords
import ZoneKitStorage

/// Verifies all files of a data directory. Servers and devices may be running.
package struct DataCheck {
  /// The faults: those of the cloud, then those of the devices.
  package private(set) var faults: [FileFault] = []
  /// The number of the cloud's databases.
  package private(set) var databases = 0
  /// The number of zone files.
  package private(set) var zones = 0
  /// The number of records and tombstones in zones.
  package private(set) var rows = 0
  /// The number of devices.
  package private(set) var devices = 0
  /// The number of files that belong to no object, which the next start of the server removes, and their bytes. Beside a
  /// running server none are counted, because their objects may be on the way.
  package private(set) var leftovers: (files: Int, bytes: Int64) = (0, 0)

  /// Checks that data directory. Throws an input error if it holds no cloud and no device.
  package init(of data: DataDirectory) throws(StoresError) {
    try data.requireContent()
    let folders = try data.deviceFolders()
    if Folder.exists(data.cloud) {
      let cloud = CloudCheck(root: data.cloud)
      faults =
        cloud.faults + ServiceKeys.faults(in: data.cloud) + DocumentOwners.faults(in: data.cloud)
        + ObjectCheck(root: data.cloud).faults + AssetCheck(root: data.cloud).faults
      databases = cloud.databases
      zones = cloud.zones
      rows = cloud.rows
      leftovers = Self.leftovers(in: data.cloud)
    }
    devices = folders.count
    for folder in folders { faults += DeviceCheck.faults(in: folder) }
  }

  /// What cannot be read is among the faults.
  private static func leftovers(in root: String) -> (files: Int, bytes: Int64) {
    guard (try? DirectoryLock.owner(of: root)) == .some(nil), let found = try? ObjectLeftovers(in: root) else {
      return (0, 0)
    }
    return (found.places.count, found.bytes)
  }
}
