import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitTables

/// Performs the steps that act on the tables of a service.
extension ScenarioPlayer {
  mutating func perform(_ step: TableStep) throws(StepRefusal) {
    guard let schema = world.cloud.tables?.app.schema else {
      guard case .purge(let span) = step, app.documents != nil else { throw StepRefusal("the app has no tables") }
      return try purge(olderThan: span)
    }
    switch step {
    case .set(let column, let record, let value):
      let (id, table, key) = try row(record, in: schema)
      guard let column = table.column(Name(column)) else {
        let known = table.columns.map(\.name.text).joined(separator: ", ")
        throw StepRefusal("\(table.name) has no column \(column); it has \(known)")
      }
      let content = RowContent([column.name: try Self.value(value, of: column)])
      try ask(.update(table.name, content, RowQuery(filters: key.filters(in: table))), about: id)
    case .remove(let record):
      let (id, table, key) = try row(record, in: schema)
      try ask(.delete(table.name, RowQuery(filters: key.filters(in: table))), about: id)
    case .purge(let span): try purge(olderThan: span)
    case .trouble: if let fault = Fault(step) { world.cloud.process.faults.add(fault) }
    case .endSession(let device): world.endSession(of: try existing(device))
    case .removeAccount(let device):
      guard world.removeAccount(of: try existing(device)) else {
        throw StepRefusal("no account is signed in on \(device)")
      }
    case .givePhoto(let photo, let record, let device): try setPhoto(photo, of: record, on: device)
    case .removePhoto(let record, let device): try setPhoto(nil, of: record, on: device)
    }
  }

  private mutating func purge(olderThan span: TimeSpan) throws(StepRefusal) {
    guard world.cloud.isRunning else { throw StepRefusal("the cloud does not run") }
    world.purgeDocuments(olderThan: span.milliseconds)
    world.purgeTables(olderThan: span.milliseconds)
  }

  private mutating func setPhoto(_ photo: Int?, of record: RecordReference, on device: String) throws(StepRefusal) {
    let (id, number) = (try observer.record(record), try running(device))
    do throws(AppRefusal) {
      try world.setPhoto(photo, of: id, on: number)
    } catch {
      throw StepRefusal(error.description)
    }
  }

  /// The row that a step names.
  private func row(
    _ record: RecordReference, in schema: TableSchema
  ) throws(StepRefusal) -> (RecordID, Table, RowKey) {
    let id = try observer.record(record)
    guard let (table, key) = schema.row(ofRecord: id.recordName) else {
      throw StepRefusal("\(id.recordName) is no row; expected TABLE/KEY")
    }
    return (id, table, key)
  }

  private static func value(_ value: ScenarioValue, of column: Column) throws(StepRefusal) -> RowValue {
    guard value != .none else { return .null }
    do throws(RowError) {
      return try RowValue(text: value.plainText, as: column.type)
    } catch {
      throw StepRefusal(error.message)
    }
  }

  /// Sends a request of a foreign client of the account that holds the row.
  private mutating func ask(_ request: RowRequest, about id: RecordID) throws(StepRefusal) {
    guard world.cloud.isRunning else { throw StepRefusal("the cloud does not run") }
    guard let account = world.tableAccounts.first(where: { world.cloudRecord(id, of: $0) != nil }) else {
      throw StepRefusal("the cloud does not have it")
    }
    let write = { (world: inout World) throws(StepRefusal) in
      if case .refused(let error) = world.ask(request, as: account) { throw StepRefusal(error.message) }
    }
    guard case .update = request else {
      try write(&world)
      return world.check(account) { $0.model.excuse(id) }
    }
    try world.edit(id, of: account, fromOutside: write)
  }
}

extension ScenarioPlayer {
  /// Makes an account of that name as the user of a device.
  mutating func signUp(_ device: Int, as name: String) throws(StepRefusal) {
    guard world.devices[device].hasTables else { throw StepRefusal("the app has no accounts of its own") }
    world.signUp(device, as: Name(name))
  }

  /// The number of a running device whose app has a migration.
  mutating func migrating(_ name: String) throws(StepRefusal) -> Int {
    let device = try running(name)
    guard world.devices[device].app.migration != nil else { throw StepRefusal("the app has no migration") }
    return device
  }

  /// Takes a migration back as the user of a device.
  mutating func rollBack(_ device: Int, isCloudMeant: Bool) throws(StepRefusal) {
    do throws(AppRefusal) {
      try world.rollBack(device, isCloudMeant: isCloudMeant)
    } catch {
      throw StepRefusal("\(error)")
    }
  }
}
