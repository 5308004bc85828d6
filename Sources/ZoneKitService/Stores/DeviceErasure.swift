import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// Wiping one device wholly: its store, tokens and identity, as if it had never been. The cloud is not touched.
package struct DeviceErasure {
  /// The device.
  package let name: String
  /// Its folder.
  package let folder: String
  private let data: DataDirectory
  /// What a folder is called that is about to go; no encoded name begins so.
  private static let leavingMark = ".erasing-"

  /// The erasure of that device. Throws an input error that names the known devices where there is none of that name.
  package init(of name: String, in data: DataDirectory) throws(StoresError) {
    try StateSwap(data: data).finishInterrupted()
    self.name = name
    self.data = data
    folder = try data.existingDevice(name)
  }

  /// What there is to go, as far as it can be read: a damaged store can be erased too.
  package func plan() throws(StoresError) -> ErasurePlan {
    let (files, bytes) = try StoresError.from { () throws(StoreError) in try Folder.census(of: folder) }
    return ErasurePlan(device: name, files: files, bytes: bytes, store: try? DevicePlan(reading: folder, name: name))
  }

  /// Wipes the device, all at once: whatever ends the process, the device is there as it was or not at all. Returns the
  /// backup's path where one was asked for. Refused with the owner's pid while the device runs.
  package func perform(backingUp: Bool, at now: WallTime) throws(StoresError) -> String? {
    try HeldFolders.holding([folder]) { () throws(StoresError) in
      let backup = StateCopy(parent: data.backups)
      let path =
        backingUp
        ? try backup.make("\(now.fileStamp)-erase-\(encodedName)", of: data, devices: [name], withCloud: false) : nil
      try StoresError.from { () throws(StoreError) in try remove() }
      return path
    }
  }

  private var encodedName: String { FileName.encode(Name(name)) }

  private func remove() throws(StoreError) {
    for name in try Folder.names(in: data.devices) where name.hasPrefix(Self.leavingMark) {
      try Folder.remove(data.devices + "/" + name)
    }
    let leaving = data.devices + "/" + Self.leavingMark + encodedName
    try Folder.rename(folder, to: leaving)
    try Folder.remove(leaving)
  }
}
