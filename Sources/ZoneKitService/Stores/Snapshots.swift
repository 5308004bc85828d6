import ZoneKitRecords
import ZoneKitStorage

/// Saves, lists and restores the snapshots of a data directory.
package struct Snapshots {
  let data: DataDirectory
  /// The file that marks a folder as a snapshot and holds the time at which it was saved.
  static let noteName = "snapshot.json"

  /// The content of that file.
  static func note(version: String, at now: WallTime) -> [UInt8] {
    let note: JSON = ["savedAt": .string(now.iso8601), "zonekit": .string(version)]
    return note.bytes() + [UInt8(ascii: "\n")]
  }

  /// The snapshots of that data directory.
  package init(of data: DataDirectory) { self.data = data }

  /// All snapshots, in ascending order of their names.
  package func list() throws(StoresError) -> [Snapshot] {
    guard Folder.exists(data.root) else {
      throw .input("there is no folder \(data.root); name a data directory with --data")
    }
    return try StoresError.from { () throws(StoreError) in
      var found: [Snapshot] = []
      for folder in try Folder.names(in: data.snapshots) {
        guard let name = FileName.decode(folder)?.text else { continue }
        if let snapshot = try snapshot(name, at: "\(data.snapshots)/\(folder)") { found.append(snapshot) }
      }
      return found.sorted { Name($0.name) < Name($1.name) }
    }
  }

  /// Saves the cloud and the devices under that name; under the present time if the name is nil. Processes may be
  /// running: devices are copied before the cloud, so that none of them is ahead of it. Throws if the name is taken.
  package func save(_ name: String?, version: String, at now: WallTime) throws(StoresError) -> Snapshot {
    try StateSwap(data: data).finishInterrupted()
    let name = name ?? now.fileStamp
    try data.requireContent()
    let devices = try data.knownDevices()
    let folder = try folderName(name)
    guard !Folder.exists("\(data.snapshots)/\(folder)") else {
      throw .input("there is a snapshot \(name) already; choose another name")
    }
    let path = try StateCopy(parent: data.snapshots).make(
      folder, of: data, devices: devices, withCloud: true,
      note: (Self.noteName, Self.note(version: version, at: now)))
    return try existing(name, at: path)
  }

  /// Replaces the cloud and the devices by those of the snapshot. Moves the present ones to a backup, and returns its
  /// path and the zones that went back. A running server and running devices close their files for that time. Throws if one
  /// of them does not, or if another process uses one of the stores; then nothing has changed.
  package func restore(
    _ name: String, at now: WallTime
  ) throws(StoresError) -> (backup: String, zones: [RestoredCloud.Zone]) {
    let path = "\(data.snapshots)/\(try folderName(name))"
    let snapshot = try existing(name, at: path)
    try StateSwap(data: data).finishInterrupted()
    let swap = StateSwap(data: data)
    let backup = "\(now.fileStamp)-restore"
    let (zones, server) = try HeldFolders.holding([data.snapshots]) { () throws(StoresError) in
      let server = try StandingAside.ask(in: data)
      return try HeldFolders.holding(try data.ownedFolders()) { () throws(StoresError) in
        let zones = try swap.prepare(from: snapshot.path, devices: snapshot.devices, backup: backup)
        try swap.finish()
        return (zones, server)
      }
    }
    if let server { try StandingAside.awaitServer(server, in: data) }
    return ("\(data.backups)/\(backup)", zones)
  }

  private func existing(_ name: String, at path: String) throws(StoresError) -> Snapshot {
    guard let snapshot = try StoresError.from({ () throws(StoreError) in try snapshot(name, at: path) }) else {
      let known = try list().map(\.name)
      let those = known.isEmpty ? "there are none" : "there are \(known.joined(separator: ", "))"
      throw .input("there is no snapshot \(name) in \(data.snapshots); \(those)")
    }
    return snapshot
  }

  private func snapshot(_ name: String, at path: String) throws(StoreError) -> Snapshot? {
    guard Folder.isFolder(path), let note = try Folder.read("\(path)/\(Self.noteName)") else { return nil }
    let savedAt = (try? JSON(parsing: note))?["savedAt"]?.string.flatMap { WallTime(iso8601: $0) }
    return Snapshot(
      name: name, savedAt: savedAt, bytes: try Folder.census(of: path).bytes,
      devices: try DataDirectory(path).deviceNames(), path: path)
  }

  private func folderName(_ name: String) throws(StoresError) -> String {
    guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/") else {
      throw .input("a snapshot's name must not be empty, begin with a dot or hold a slash: \(name)")
    }
    do {
      return try FileName.folder(Name(name), in: data.snapshots)
    } catch {
      throw .input(error.message)
    }
  }
}
