import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// How an app takes a migration back: the device gets the rows of its backup again, which belong to nobody.
package struct RollbackPlan: Hashable, Sendable {
  /// Rows by table.
  package typealias Rows = [Name: [Row]]

  /// What the app sees of the device and the server.
  package struct Sight {
    /// The device as it is.
    package var view: AppView
    /// The store of the backup.
    package var backup: any DeviceStore
    /// The device's ID, which it has had since the sign-in.
    package var deviceID: String
    /// All rows of the account on the server, by table; nil if rows there are not to be removed.
    package var server: Rows?

    /// A sight of that device.
    package init(view: AppView, backup: any DeviceStore, deviceID: String, server: Rows? = nil) {
      self.view = view
      self.backup = backup
      self.deviceID = deviceID
      self.server = server
    }
  }

  /// A row on the server.
  package struct RowName: Hashable, Sendable {
    /// The table.
    package let table: Name
    /// The key.
    package let key: RowKey

    /// The row of that table with that key.
    package init(table: Name, key: RowKey) {
      self.table = table
      self.key = key
    }
  }

  /// The rows on the server to remove, what is owned before its owners; empty if the rows there stay.
  package let removals: [RowName]
  /// The rows that were written on the device since the backup, as a file that can be imported; nil if there are none.
  package let edits: [UInt8]?
  /// What the user reads.
  package let lines: [String]

  /// A plan.
  package init(removals: [RowName], edits: [UInt8]?, lines: [String]) {
    self.removals = removals
    self.edits = edits
    self.lines = lines
  }
}
