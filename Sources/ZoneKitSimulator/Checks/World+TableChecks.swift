import ZoneKitRecords
import ZoneKitTableClient
import ZoneKitTableServer
import ZoneKitTables

/// The checks of rows beside those of their content.
extension World {
  /// Reports a notice about a row of another account than the device's.
  mutating func checkNotice(_ notice: ChangeNotice, on device: Int) {
    let account = devices[device].coordinator.account?.text ?? "nobody"
    guard let owner = (notice.record["owner_id"] ?? notice.oldRecord["owner_id"])?.string, owner != account
    else { return }
    let text = "a screen gets a notice about a row of \(notice.table) of account \(owner), and belongs to \(account)"
    report(Violation(.account, at: now, on: devices[device].name, text), on: .device(device))
  }

  /// Reports a row that another account could make too, and an account with rows that has no row of its own.
  mutating func checkRows(of account: Name) {
    guard let tables = cloud.tables?.app, let owner = UUID(account.text), let store = cloud.process.tables?.store
    else { return }
    let zone = ZoneID(zoneName: tables.zone)
    let rows = cloudRecords(in: zone, of: account)
    var texts: [String] = []
    for id in rows.keys.sorted() {
      guard let (table, key) = tables.schema.row(ofRecord: id.recordName) else { continue }
      let claim = try? store.owner(of: RowName(table: table.name, key: Name(key.text)))
      if claim != owner { texts.append("row \(id.words) is kept, and \(claim?.text ?? "nobody") has claimed it") }
    }
    if let profile = tables.profile, !rows.isEmpty,
      rows[RecordID(recordName: RowKey([owner]).recordName(in: profile.table), zoneID: zone)] == nil
    {
      texts.append("account \(account) has rows, and none of its own in \(profile.table)")
    }
    for text in texts { report(Violation(.account, at: now, text), on: .cloud) }
  }
}
