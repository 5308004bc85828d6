import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// Erases one device: its store, tokens and device ID. The cloud is unchanged.
package struct DeviceErasure {
  /// The device.
  package let name: String
  /// Its folder.
  package let folder: String
  private let data: DataDirectory
  /// The prefix of a folder that is being removed. No encoded name begins with it.
  private static let leavingMark = ".erasing-"

  /// The erasure of that device. Throws an input error that lists the known devices if there is none of that name.
  package init(of name: String, in data: DataDirectory) throws(StoresError) {
    try StateSwap(data: data).finishInterrupted()
    self.name = name
    self.data = data
    folder = try data.existingDevice(name)
  }

  /// What the erasure removes: the device's files and, if its store can be read, the content of the store. A damaged
  /// store can be erased too.
  package func plan() throws(StoresError) -> ErasurePlan {
    let (files, bytes) = try StoresError.from { () throws(StoreError) in try Folder.census(of: folder) }
    return ErasurePlan(device: name, files: files, bytes: bytes, store: try? DevicePlan(reading: folder, name: name))
  }

  /// Erases the device in one step: after a crash the device is either complete or gone. Returns the path of the backup
  /// if one was asked for. Throws with the owner's process ID if the device is running.
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
