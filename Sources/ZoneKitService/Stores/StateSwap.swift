import ZoneKitRecords
import ZoneKitStorage

/// Replaces the cloud and the devices of a data directory in one step.
///
/// That step is the renaming of the complete new state to `.restoring`. If a process ends before that step, the old
/// state is kept. If it ends after that step, the next process finishes the moves, which can be repeated.
package struct StateSwap {
  let data: DataDirectory
  private static let parts = ["devices", "cloud"]
  private static let noteName = "backup"

  /// A replacement in that data directory.
  package init(data: DataDirectory) { self.data = data }

  private var draft: String { "\(data.root)/.restoring.new" }
  private var complete: String { "\(data.root)/.restoring" }

  /// Finishes an interrupted restore, if there is one. Throws if a server or a device is running.
  package func finishInterrupted() throws(StoresError) {
    guard Folder.exists(complete) else { return }
    try HeldFolders.holding(try data.ownedFolders()) { () throws(StoresError) in try finish() }
  }

  /// Copies the state in that folder to `.restoring`. Without `devices` the present ones stay. Returns the zones that go
  /// back, which begin a new incarnation.
  package func prepare(
    from source: String, devices: [String]?, backup: String
  ) throws(StoresError) -> [RestoredCloud.Zone] {
    try StoresError.from { () throws(StoreError) in
      try Folder.remove(draft)
      try Folder.make(devices == nil ? draft : "\(draft)/devices")
      for name in devices ?? [] {
        try Backup.copyFolder(try DataDirectory(source).device(name), to: try DataDirectory(draft).device(name))
      }
      // A state without a cloud is restored as an empty cloud.
      let cloud = "\(draft)/cloud"
      if Folder.exists("\(source)/cloud") {
        try Backup.copyFolder("\(source)/cloud", to: cloud)
      } else {
        try Folder.make(cloud)
      }
      let zones = try RestoredCloud.prepare(cloud, toReplace: data.cloud)
      try Folder.write(Array(backup.utf8), to: "\(draft)/\(Self.noteName)")
      try Folder.sync(draft)
      try Folder.rename(draft, to: complete)
      return zones
    }
  }

  /// Moves the old state to the backup and the new state into its place, unless that is already done.
  package func finish() throws(StoresError) {
    try StoresError.from { () throws(StoreError) in
      guard let note = try Folder.read("\(complete)/\(Self.noteName)") else {
        throw StoreError(.corrupt, "the file that names the backup is missing", place: complete)
      }
      let backup = "\(data.backups)/\(String(decoding: note, as: UTF8.self))"
      try Folder.make(backup)
      for part in Self.parts where Folder.exists("\(complete)/\(part)") { try move(part, backup: backup) }
      try Folder.sync(data.root)
      // Renamed first: a process that is killed during the removal would otherwise leave what looks like a damaged
      // restore.
      try Folder.rename(complete, to: draft)
      try Folder.remove(draft)
    }
  }

  private func move(_ part: String, backup: String) throws(StoreError) {
    let live = "\(data.root)/\(part)"
    let kept = "\(backup)/\(part)"
    if Folder.exists(live) {
      guard !Folder.exists(kept) else {
        throw StoreError(
          .failed, "it was made during a restore; move it away, then try again", place: live)
      }
      try Folder.rename(live, to: kept)
    }
    try Folder.rename("\(complete)/\(part)", to: live)
  }
}
