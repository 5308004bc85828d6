import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTables

/// Takes a migration back on a device over a table server: it removes rows on the server if that is asked for, writes what
/// was edited since to a file, and gives the device the rows of its backup again.
///
/// Until the last step the device is as it was. After an interruption the same command goes on.
package final class RollbackDriver {
  /// Called with the lines for the user, or with the reason why the migration stays.
  package typealias Completion = (Result<[String], AppRefusal>) -> Void

  private unowned let device: DeviceClient
  private let link: TableServerLink
  private let plan: MigrationPlan

  /// The driver of a device; nil if its app has no migration.
  package init?(_ device: DeviceClient) {
    guard let plan = device.app.migration, let link = device.tables else { return nil }
    self.device = device
    self.link = link
    self.plan = plan
  }

  /// Takes the migration back. With `isCloudMeant` the rows on the server that only this device has written are removed
  /// first.
  package func begin(isCloudMeant: Bool, completion: @escaping Completion) {
    let backup: String
    do {
      let record = MigrationRecord(try device.view.values[MigrationRecord.key])
      guard device.coordinator.account != nil, let path = record?.backup else {
        throw AppRefusal(MigrationProblem.nothing.text)
      }
      guard Folder.exists("\(path)/\(DeviceFile.fileName)") else { throw AppRefusal("the backup \(path) is gone") }
      backup = path
    } catch {
      return completion(.failure(AppRefusal("\(error)")))
    }
    guard isCloudMeant else { return carryOut(backup, nil, completion) }
    read(link.machine.app.schema.tables[...], [:]) { [weak self] result in
      switch result {
      case .success(let rows): self?.carryOut(backup, rows, completion)
      case .failure(let failure): completion(.failure(Self.unchanged(failure)))
      }
    }
  }

  private static func unchanged(_ failure: TableServerLink.AskFailure) -> AppRefusal {
    AppRefusal("the device stays as it is: \(failure)", isUnanswered: true)
  }

  /// Reads all rows of tables, one table after another.
  private func read(
    _ tables: ArraySlice<Table>, _ rows: RollbackPlan.Rows,
    _ completion: @escaping (Result<RollbackPlan.Rows, TableServerLink.AskFailure>) -> Void
  ) {
    guard let table = tables.first else { return completion(.success(rows)) }
    link.rows(of: table) { [weak self] result in
      switch result {
      case .success(let found):
        self?.read(tables.dropFirst(), rows.merging([table.name: found]) { $1 }, completion)
      case .failure(let failure): completion(.failure(failure))
      }
    }
  }

  private func carryOut(_ backup: String, _ server: RollbackPlan.Rows?, _ completion: @escaping Completion) {
    do {
      let store = try DeviceFile.readOnly(folder: backup)
      let sight = RollbackPlan.Sight(
        view: device.view, backup: store, deviceID: device.coordinator.deviceID, server: server)
      let plan = try plan.rollback(sight)
      var lines = plan.lines
      if let edits = plan.edits {
        let path = backup + "-edits.json"
        try Folder.write(edits, to: path)
        lines.append("what was written since is in \(path)")
      }
      remove(plan.removals[...]) { [weak self] failure in
        if let failure { return completion(.failure(Self.unchanged(failure))) }
        guard let self else { return }
        do {
          try self.restore(store, from: backup)
          completion(.success(lines))
        } catch {
          completion(.failure(AppRefusal("\(error)")))
        }
      }
    } catch {
      completion(.failure(AppRefusal("\(error)")))
    }
  }

  private func remove(
    _ rows: ArraySlice<RollbackPlan.RowName>, _ completion: @escaping (TableServerLink.AskFailure?) -> Void
  ) {
    guard let row = rows.first, let table = link.machine.app.schema.table(row.table) else { return completion(nil) }
    link.remove(row.key, from: table) { [weak self] result in
      switch result {
      case .success: self?.remove(rows.dropFirst(), completion)
      case .failure(let failure): completion(failure)
      }
    }
  }

  /// Gives the device the rows, values and photos of the backup, in one transaction, and ends the session.
  private func restore(_ backup: DeviceFile, from folder: String) throws(StoreError) {
    try link.photos?.copyFiles(fromDevice: folder)
    let zone = link.machine.app.zone
    let records = try backup.pending(in: nil, after: 0, limit: .max).filter { $0.recordID.zoneID.zoneName == zone }
    let values = try backup.appValues()
    try device.attempt { (coordinator, now, generator) throws(StoreError) in
      try coordinator.signOut(restoring: records, values, at: now, using: &generator)
    }
    link.signOut()
  }
}
