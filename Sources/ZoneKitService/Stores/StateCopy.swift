import ZoneKitRecords
import ZoneKitStorage

/// Copies the cloud and the devices into a folder with the layout of a data directory: `cloud/...`,
/// `devices/<name>/...`.
///
/// A copy gets its final name when it is complete and on the disk. Until then it has a hidden name, and the next copy
/// removes it.
struct StateCopy {
  /// The parent folder of the copies.
  let parent: String
  /// The prefix of an unfinished copy. No encoded name begins with it.
  private static let draftMark = ".new-"

  /// Copies those devices and then the cloud. Processes may be running: in this order no device's copy has a change
  /// that the cloud's copy lacks. `note` is a file to add. Returns the path of the copy.
  func make(
    _ folderName: String, of data: DataDirectory, devices: [String], withCloud: Bool,
    note: (name: String, content: [UInt8])? = nil
  ) throws(StoresError) -> String {
    try HeldFolders.holding([parent]) { () throws(StoresError) in
      let path = parent + "/" + folderName
      guard !Folder.exists(path) else { throw .input("there is something called \(path)") }
      return try StoresError.from { () throws(StoreError) in
        try removeDrafts()
        let draft = parent + "/" + Self.draftMark + folderName
        do throws(StoreError) {
          try fill(draft, of: data, devices: devices, withCloud: withCloud)
          if let note { try Folder.write(note.content, to: draft + "/" + note.name) }
          try Folder.sync(draft)
          try Folder.rename(draft, to: path)
        } catch {
          try Folder.remove(draft)
          throw error
        }
        return path
      }
    }
  }

  private func fill(
    _ draft: String, of data: DataDirectory, devices: [String], withCloud: Bool
  ) throws(StoreError) {
    try Folder.make(draft + "/devices")
    for name in devices {
      let source = try data.device(name)
      try Backup.copyFolder(source, to: try DataDirectory(draft).device(name))
    }
    guard withCloud, Folder.exists(data.cloud) else { return }
    try Backup.copyFolder(data.cloud, to: draft + "/cloud")
  }

  /// Removes unfinished copies.
  private func removeDrafts() throws(StoreError) {
    for name in try Folder.names(in: parent) where name.hasPrefix(Self.draftMark) {
      try Folder.remove(parent + "/" + name)
    }
  }
}
