import ZoneKitRecords
import ZoneKitStorage

/// The layout of a data directory, which `--data` names: it holds a cloud, its devices, and copies of both.
package struct DataDirectory: Hashable, Sendable {
  /// The path of the folder.
  package let root: String

  /// A data directory at that path, which need not exist yet.
  package init(_ root: String) { self.root = root }

  /// The folder of the cloud's databases. A running server locks it.
  package var cloud: String { "\(root)/cloud" }
  /// Whether a server has run here.
  package var hasCloud: Bool { Folder.exists(cloud) }
  /// The parent of the devices' folders.
  package var devices: String { "\(root)/devices" }
  /// The folder of diagnostics dumps.
  package var diagnostics: String { "\(root)/diagnostics" }
  /// The folder of the backups that resets make first.
  package var backups: String { "\(root)/backups" }
  /// The folder of the credentials for CloudKit Web Services.
  package var credentials: String { "\(root)/auth" }
  /// The folder of the snapshots.
  package var snapshots: String { "\(root)/snapshots" }

  /// The folder of one device. Its process locks it. Throws if the name cannot be the name of a folder.
  package func device(_ name: String) throws(StoreError) -> String {
    "\(devices)/\(try FileName.folder(Name(name), in: devices))"
  }

  /// The names of all devices, in ascending order.
  package func deviceNames() throws(StoreError) -> [String] {
    guard Folder.exists(devices) else { return [] }
    return try Folder.names(in: devices).compactMap { FileName.decode($0)?.text }.sorted()
  }
}
