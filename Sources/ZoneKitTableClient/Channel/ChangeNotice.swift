import ZoneKitRecords
import ZoneKitTables

/// A change of another device, about which an app tells its screens after the device has stored it.
package struct ChangeNotice: Equatable, Sendable {
  /// What the app says about changes in the table.
  package var kind: TableNotice
  /// The row's table.
  package var table: Name
  /// What happened: `INSERT`, `UPDATE` or `DELETE`.
  package var action: String
  /// The row after the change; null if it was removed.
  package var record: JSON
  /// What the event says about the row before the change; null for nothing.
  package var oldRecord: JSON

  /// The notice for an event of a channel; nil if the app has none for the table.
  init?(_ frame: ChannelFrame, app: TableApp) {
    guard let data = frame.payload["data"], let table = data["table"]?.string.map({ Name($0) }),
      let action = data["type"]?.string, let kind = app.notices[table]
    else { return nil }
    self.kind = kind
    self.table = table
    self.action = action
    record = data["record"] ?? .null
    oldRecord = data["old_record"] ?? .null
  }
}
