import ZoneKitRecords
import ZoneKitStorage

/// Where everything of one emulated world lies below the folder that `--data` names.
package struct DataDirectory: Hashable, Sendable {
  /// The folder itself.
  package let root: String

  /// The world below that folder, which need not exist yet.
  package init(_ root: String) { self.root = root }

  /// The cloud's databases; the server locks it.
  package var cloud: String { "\(root)/cloud" }
  /// One folder for each device.
  package var devices: String { "\(root)/devices" }
  /// Where dumps are written.
  package var diagnostics: String { "\(root)/diagnostics" }
  /// What resets put aside before they destroy anything.
  package var backups: String { "\(root)/backups" }
  /// Whole states saved by name.
  package var snapshots: String { "\(root)/snapshots" }

  /// The folder of one device; its process locks it. Throws where the name cannot be a folder's.
  package func device(_ name: String) throws(StoreError) -> String {
    "\(devices)/\(try FileName.folder(Name(name), in: devices))"
  }

  /// The names of all devices, ascending.
  package func deviceNames() throws(StoreError) -> [String] {
    guard Folder.exists(devices) else { return [] }
    return try Folder.names(in: devices).compactMap { FileName.decode($0)?.text }.sorted()
  }
}
