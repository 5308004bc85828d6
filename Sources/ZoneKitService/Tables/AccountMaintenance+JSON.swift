import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

extension CloudMessage {
  /// Counts the rows of an account; of all accounts if none is named.
  static func count(of user: String?) -> CloudMessage {
    .maintenance(.count, of: user.map { .named($0) } ?? .all)
  }
}

extension TableAdministration {
  /// The operation as a message to the cloud.
  var message: CloudMessage {
    let accounts = user.map { MaintainedAccounts.named($0) } ?? .all
    return switch self {
    case .purgeRows(_, let before, let isDryRun): .maintenance(.purge(before: before, isDryRun: isDryRun), of: accounts)
    case .removeRows(_, let records): .maintenance(.remove(records), of: accounts)
    case .raiseHorizon: .maintenance(.raiseHorizon, of: accounts)
    case .removeOrphans(let isDryRun): .maintenance(.removeAll(isDryRun: isDryRun), of: .orphans)
    }
  }
}

extension AccountMaintenance {
  /// The report as JSON.
  func json(in schema: TableSchema) -> JSON {
    [
      "user": .string(account.id.text), "email": account.email.map { .string($0) } ?? .null,
      "tables": .array(
        report.tables.map { rows in
          [
            "name": .string(rows.table.text), "live": .bool(schema.table(rows.table)?.quiet != nil),
            "rows": .integer(Int64(rows.living)), "deleted": .integer(Int64(rows.deleted)),
            "removed": .integer(Int64(rows.removed)), "newest": rows.newest.map { .string($0.iso8601) } ?? .null,
          ]
        }),
      "objects": .integer(Int64(report.objects)), "conflicts": .integer(Int64(report.conflicts)),
    ]
  }
}
