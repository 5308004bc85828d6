import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// The order of rows as a merge policy, for devices that decide conflicts themselves: where the app runs over CloudKit's
/// interface instead of tables.
enum CoinMergePolicy {
  /// The policy.
  static let policy = MergePolicy { conflict in
    guard let local = conflict.local, let server = conflict.server else { return Resolution(.delete, rule: "delete") }
    guard let first = row(local, of: conflict), let second = row(server, of: conflict),
      let table = SwissCoin.table(of: conflict.recordID)
    else { return byBytes(local, server) }
    return switch RowOrder.compare(first, second, in: table) {
    case .equal: byBytes(local, server)
    case .first(let rule): Resolution(.keepLocal, rule: rule.rawValue)
    case .second(let rule): Resolution(.adoptServer, rule: rule.rawValue)
    }
  }

  private static func row(_ content: RecordContent, of conflict: Conflict) -> Row? {
    let record = LocalRecord(recordID: conflict.recordID, recordType: conflict.recordType, local: content)
    return (try? CoinRow(record, owner: UUID(high: 0, low: 0)))?.row
  }

  /// The greater text, for records that are no rows and for rows that differ in what is no column.
  private static func byBytes(_ local: RecordContent, _ server: RecordContent) -> Resolution {
    let isLocalGreater = server.fields.utf8.lexicographicallyPrecedes(local.fields.utf8)
    return Resolution(isLocalGreater ? .keepLocal : .adoptServer, rule: "content")
  }
}
