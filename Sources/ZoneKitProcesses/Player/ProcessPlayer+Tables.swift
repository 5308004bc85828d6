import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitTables
import ZoneKitWire

/// Steps and expectations about the tables of a service.
extension ProcessPlayer {
  func play(_ step: TableStep) throws(ProcessFailure) {
    switch step {
    case .set(let column, let record, let value):
      try ask("PATCH", record, .object([JSON.Member(column, value.json)]))
    case .remove(let record): try ask("DELETE", record, nil)
    case .purge(let span):
      let before = wall.advanced(byMilliseconds: -span.milliseconds)
      guard world.app.hasTables else {
        let purge = DocumentAdministration(
          of: nil, deletedBefore: before, conflictsBefore: before, tombstonesBefore: before, isDryRun: false)
        return try world.admin.administer(purge)
      }
      try world.admin.administer(TableAdministration.purgeRows(user: nil, before: before, isDryRun: false))
    case .trouble: if let fault = Fault(step) { try world.admin.perform(.add(fault)) }
    case .endSession(let name):
      guard let account = try world.device(name).account else { throw .refused("no account is signed in on \(name)") }
      note = "for all devices of the account"
      try world.admin.administer(AccountAdministration.endSessions(ScenarioAccount.email(of: account)))
    case .removeAccount(let name):
      guard let account = try world.device(name).account else { throw .refused("no account is signed in on \(name)") }
      try world.admin.administer(AccountAdministration.remove(ScenarioAccount.email(of: account)))
    case .givePhoto(let number, let record, let name):
      try world.perform("photo \(try self.name(of: record)) \(try world.photo(number))", on: try world.device(name))
    case .removePhoto(let record, let name):
      try world.perform("photo \(try self.name(of: record)) none", on: try world.device(name))
    }
  }

  /// Sends a request of a client that knows nothing of ZoneKit about a row, in the name of the account of the device that
  /// made it.
  private func ask(_ method: String, _ record: RecordReference, _ body: JSON?) throws(ProcessFailure) {
    guard case .tables(let app) = try app(of: record).cloud else { throw .refused("the app has no tables") }
    let name = try name(of: record)
    guard let (table, key) = app.schema.row(ofRecord: Name(name)) else {
      throw .refused("\(name) is no row; expected TABLE/KEY")
    }
    let query = zip(table.key, key.parts).map { "\($0)=eq.\($1.text)" }.joined(separator: "&")
    let account = try account(about: record)
    try world.admin.send(
      method, "/rest/v1/\(table.name)?\(query)", body,
      as: try world.admin.accessToken(ofEmail: ScenarioAccount.email(of: account), password: ProcessWorld.password))
  }
}
