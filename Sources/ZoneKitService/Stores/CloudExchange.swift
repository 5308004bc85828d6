import ZoneKitRecords
import ZoneKitStorage

/// Brings the cloud of another folder into a data directory, and takes it out again. Devices are not touched.
package enum CloudExchange {
  /// Replaces the cloud of `data` by that of `folder`, which is a data directory, a snapshot or an export. Returns the path
  /// to which the present cloud was moved; nil if there was none. Throws if the folder has no cloud, or a server is running.
  package static func bring(
    _ folder: String, into data: DataDirectory, at now: WallTime
  ) throws(StoresError) -> String? {
    guard Folder.isFolder(DataDirectory(folder).cloud) else {
      throw .input("\(folder) has no cloud; name a data directory, a snapshot's folder or one that a server exported")
    }
    let swap = StateSwap(data: data)
    try swap.finishInterrupted()
    let hadCloud = data.hasCloud
    return try HeldFolders.holding([data.cloud]) { () throws(StoresError) in
      let backup = "\(now.fileStamp)-import"
      _ = try swap.prepare(from: folder, devices: nil, backup: backup)
      try swap.finish()
      if hadCloud { return "\(data.backups)/\(backup)" }
      try StoresError.from { () throws(StoreError) in try Folder.remove("\(data.backups)/\(backup)") }
      return nil
    }
  }

  /// Throws if an export would replace something that is no export: a folder with other content, or a file.
  package static func checkTarget(_ folder: String) throws(StoresError) {
    guard Folder.exists(folder), !Folder.exists("\(folder)/\(Snapshots.noteName)") else { return }
    let isEmpty = try StoresError.from { () throws(StoreError) in try Folder.names(in: folder).isEmpty }
    guard isEmpty else {
      throw .input("\(folder) holds something that is no earlier export; name another folder, or remove it")
    }
  }

  /// Writes the cloud of `data` to `folder`, and replaces an earlier export there when the new one is complete.
  package static func write(
    _ data: DataDirectory, to folder: String, version: String, at now: WallTime
  ) throws(StoresError) {
    try checkTarget(folder)
    let folder = String(folder.reversed().drop { $0 == "/" }.reversed())
    try StoresError.from { () throws(StoreError) in
      let (draft, former) = ("\(folder).new", "\(folder).old")
      try Folder.remove(draft)
      try Backup.copyFolder(data.cloud, to: DataDirectory(draft).cloud)
      try Folder.write(Snapshots.note(version: version, at: now), to: "\(draft)/\(Snapshots.noteName)")
      try Folder.sync(draft)
      try Folder.remove(former)
      if Folder.exists(folder) { try Folder.rename(folder, to: former) }
      try Folder.rename(draft, to: folder)
      try Folder.remove(former)
    }
  }
}
