import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

extension MigrationPlan {
  /// How a migration of Swiss Coin's rows is taken back. Throws if there is nothing to take back.
  @Sendable static func rollback(_ sight: RollbackPlan.Sight) throws(AppRefusal) -> RollbackPlan {
    guard let account = sight.view.account.flatMap({ UUID($0.text) }) else {
      throw AppRefusal(MigrationProblem.notAuthenticated.text)
    }
    let known: RollbackRows
    do throws(StoreError) {
      known = try RollbackRows(sight, of: account)
    } catch {
      throw AppRefusal("\(error)")
    }
    do throws(MigrationProblem) {
      let rollback = try MigrationRollback(
        known.record, isSignedIn: true, server: known.server, devices: [sight.deviceID],
        isCloudMeant: sight.server != nil)
      let edits = known.edits.isEmpty ? nil : CoinFile.document(of: known.edits, at: sight.view.wall)
      return RollbackPlan(removals: rollback.removals, edits: edits, lines: rollback.lines)
    } catch {
      throw AppRefusal(error.text)
    }
  }
}

/// The rows that a rollback is about.
private struct RollbackRows {
  /// What the device remembers of the migration.
  let record: MigrationRecord?
  /// The account's rows on the server: as they were read there, otherwise as the device last saw them.
  var server: [CoinRow] = []
  /// The rows that were written on the device since the backup, with the former person.
  var edits: [CoinRow] = []

  init(_ sight: RollbackPlan.Sight, of account: UUID) throws(StoreError) {
    record = MigrationRecord(try sight.view.values[MigrationRecord.key])
    var own: [CoinRow] = []
    var backup: [CoinRow] = []
    for table in SwissCoin.schema.tables {
      for record in try sight.view.store.records(ofType: table.name) {
        guard let row = try CoinRow(record, owner: account) else { continue }
        if sight.server == nil, record.server != nil { server.append(row) }
        // Rows that other devices wrote stay on the server.
        if record.isPending || record.server?.modified.author.deviceID == sight.deviceID { own.append(row) }
      }
      for record in try sight.backup.records(ofType: table.name) {
        if let row = try CoinRow(record, owner: account) { backup.append(row) }
      }
      for row in sight.server?[table.name] ?? [] {
        if let key = RowKey(row, of: table) { server.append(CoinRow(table, key, row)) }
      }
    }
    guard let me = try sight.backup.appValues()[Me.key]?.text.flatMap({ UUID($0) }) else { return }
    edits = MigrationRollback.changes(since: backup, now: own, account: account, me: me)
  }
}
