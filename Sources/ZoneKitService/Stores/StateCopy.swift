import ZoneKitRecords
import ZoneKitStorage

/// Copies of a world's state, each in a folder of its own laid out as the world is: `cloud/...`, `devices/<name>/...`.
///
/// A copy gets its name when it is complete and on the disk; until then it is hidden, and the next one takes it away.
struct StateCopy {
  /// Where copies are kept.
  let parent: String
  /// What a hidden, unfinished copy begins with; no encoded name begins so.
  private static let draftMark = ".new-"

  /// Copies those devices, and then the cloud, from a world that may be running: a device's copy never knows of a change
  /// that the cloud's copy lacks. `note` is a file to put beside them. Returns the copy's path.
  func make(
    _ folderName: String, of data: DataDirectory, devices: [String], withCloud: Bool,
    note: (name: String, content: [UInt8])? = nil
  ) throws(StoresError) -> String {
    try HeldFolders.holding([parent]) { () throws(StoresError) in
      let path = parent + "/" + folderName
      guard !Folder.exists(path) else { throw .input("there is something called \(path)") }
      return try StoresError.from { () throws(StoreError) in
        try sweep()
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

  /// Takes away what a copy left that was cut short.
  private func sweep() throws(StoreError) {
    for name in try Folder.names(in: parent) where name.hasPrefix(Self.draftMark) {
      try Folder.remove(parent + "/" + name)
    }
  }
}
