import ZoneKitRecords
import ZoneKitStorage

/// Rebuilds damaged files of a data directory from what can be read of them.
package struct DataRepair {
  /// What was done with the cloud's files.
  package let deeds: [CloudRepair.Deed]
  /// The folder to which damaged files were moved; nil if there were none.
  package let backup: String?
  /// What is still wrong.
  package let faults: [FileFault]

  /// Repairs that data directory. Throws with the owner's process ID if a server is running.
  package init(
    of data: DataDirectory, at now: WallTime, using generator: inout some RandomNumberGenerator
  ) throws(StoresError) {
    // The check refuses a folder that is no data directory before anything is made there.
    _ = try DataCheck(of: data)
    let backup = "\(data.backups)/\(now.fileStamp)-repair/cloud"
    var deeds: [CloudRepair.Deed] = []
    if Folder.exists(data.cloud) {
      deeds = try HeldFolders.holding([data.cloud]) { () throws(StoresError) in
        do throws(StoreError) {
          let leftovers = try ObjectLeftovers(in: data.cloud)
          try leftovers.remove()
          let removed = leftovers.places.map { CloudRepair.Deed(place: $0, what: "removed; it belongs to no object") }
          let repair = try CloudRepair(root: data.cloud, backup: backup, at: now, using: &generator)
          return try removed + repair.deeds + ServiceKeys.repair(in: data.cloud, backup: backup, at: now)
            + DocumentOwners.repair(in: data.cloud, backup: backup)
            + ObjectCheck.repair(root: data.cloud, backup: backup)
            + AssetCheck.repair(root: data.cloud, backup: backup)
        } catch {
          throw StoresError(error)
        }
      }
    }
    self.deeds = deeds
    self.backup = Folder.exists(backup) ? backup : nil
    faults = try DataCheck(of: data).faults
  }
}
