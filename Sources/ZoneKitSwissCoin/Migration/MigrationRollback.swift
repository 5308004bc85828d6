import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitTables

/// What takes a migration back: the store as it was before, and, if asked for, the removal of the rows on the server that
/// nobody but this device has written.
package struct MigrationRollback: Hashable, Sendable {
  /// The backup that becomes the store again.
  package let backup: String
  /// The rows on the server to remove, what is owned before its owners; empty if the rows there stay.
  package let removals: [RollbackPlan.RowName]
  /// What the user reads.
  package let lines: [String]

  /// Plans a rollback. `server` are the account's rows on the server, and `devices` the IDs that this device had since the
  /// sign-in. Throws if there is nothing to take back.
  package init(
    _ record: MigrationRecord?, isSignedIn: Bool, server: [CoinRow], devices: Set<String>, isCloudMeant: Bool
  ) throws(MigrationProblem) {
    guard let record, let backup = record.backup else { throw .nothing }
    // After a sign-out the store is empty or somebody else's.
    guard isSignedIn else { throw .notAuthenticated }
    self.backup = backup
    let removed = isCloudMeant ? Self.removable(server, devices) : []
    removals = SwissCoin.schema.tables.reversed().flatMap { table in
      removed.filter { $0.table.name == table.name }.map { RollbackPlan.RowName(table: table.name, key: $0.key) }
    }
    let stay = server.count - removals.count
    lines =
      ["the store is that of the backup \(backup) again, without an account"]
      + (removals.isEmpty ? [] : ["\(removals.count.counted("row")) removed on the server"])
      + ["\(stay.counted("row")) \(stay == 1 ? "stays" : "stay") on the server"]
  }

  /// The rows that only those devices have written and to which no row that stays refers. Profiles are the server's.
  private static func removable(_ rows: [CoinRow], _ devices: Set<String>) -> [CoinRow] {
    var removable = rows.filter { row in
      guard row.table.name != "profiles", let author = row[.changedBy].text.flatMap({ RowRevision($0) })
      else { return false }
      return devices.contains(author.deviceID)
    }
    while true {
      let going = Set(removable.map(\.id.recordName))
      var needed: Set<Name> = []
      for row in rows where !going.contains(row.id.recordName) {
        for column in row.table.columns {
          guard let key = column.foreignKey, let id = row[column.name].uuid else { continue }
          needed.insert(RowKey([id]).recordName(in: key.table))
        }
      }
      let rest = removable.filter { !needed.contains($0.id.recordName) }
      guard rest.count < removable.count else { return rest }
      removable = rest
    }
  }

  /// The rows that were written since the sign-in: those of the account that are not in the backup as they are, in which
  /// the user's person is `me` again. They name no photos, because objects belong to the account; what waits in the backup
  /// waits again.
  package static func changes(since backup: [CoinRow], now: [CoinRow], account: UUID, me: UUID) -> [CoinRow] {
    var before: [Name: CoinRow] = [:]
    for row in backup { before[row.id.recordName] = row }
    return now.filter { $0.table.name != "profiles" }.map { $0.renaming(account, to: me).withoutPhoto }.filter { row in
      before[row.id.recordName].map { !RowOrder.isContentEqual($0.row, row.row, in: row.table) } ?? true
    }
  }
}

extension CoinRow {
  /// The row in which one person has another ID, in its own row and in references to it.
  package func renaming(_ person: UUID, to other: UUID) -> CoinRow {
    var values = row
    for column in table.columns {
      let isPerson = column.foreignKey?.table == "persons" || (column.name == .id && table.name == "persons")
      if isPerson, values[column.name, table] == .uuid(person) { values[column.name, table] = .uuid(other) }
    }
    return CoinRow(table, RowKey(values, of: table) ?? key, values)
  }

  /// The row without its photo.
  fileprivate var withoutPhoto: CoinRow {
    guard table.column(CoinPhotos.column) != nil else { return self }
    var row = self
    row[CoinPhotos.column] = .null
    return row
  }
}
