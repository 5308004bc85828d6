import ZoneKitCloud
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitTimeline

/// Changes of rows and sessions by others than the devices.
extension World {
  /// The accounts that hold rows, in the order of their first request.
  var tableAccounts: [Name] {
    guard let tables = cloud.tables else { return [] }
    return cloud.databases.filter { $0.container == tables.app.container }.map(\.user)
  }

  /// The account of that name of a device. The account belongs to the app from now on, and the service of tables makes it if it does not have it.
  mutating func knownAccount(named name: String, of app: DeviceApp) -> Name {
    let time = wall
    if case .tables = app.cloud { _ = cloud.tables?.account(named: Name(name), at: time) }
    let account = app.account(named: name)
    if let number = apps.firstIndex(where: { $0.name == app.name }), number > 0 { appOfAccount[account] = number }
    return account
  }

  /// Sends a request for rows of an account, from none of the devices, to a running cloud. Events are sent as usual.
  @discardableResult
  mutating func ask(_ request: RowRequest, as account: Name) -> RowResponse {
    endCloudTurn(life: cloud.life)
    let caller = RowCaller(UUID(account.text).map { .account($0) } ?? .anonymous)
    let ticket = cloud.process.nextTicket()
    if let answer = cloud.receive(request, RowDemands(), from: caller, ticket: ticket, at: wall) { return answer }
    let failure = cloud.tables?.commit()
    let effects = cloud.process.zones.endTurn(using: &cloud.generator)
    logTurn(effects)
    var response = RowResponse.refused(RowError(.notServed, "the cloud did not answer"))
    for case .transacted(ticket, let result) in effects {
      guard let done = cloud.tables?.answer(to: result, isWrite: true, failure) else { continue }
      response = done.response
      sendEvents(of: done.changes)
    }
    return response
  }

  /// Whether a record is the account's own row, which the service of tables makes.
  func isMadeByCloud(_ id: RecordID, of account: Name) -> Bool {
    if isDerived(id, of: account) { return true }
    guard let profile = cloud.tables?.app.profile, let own = UUID(account.text) else { return false }
    return id.recordName == RowKey([own]).recordName(in: profile.table)
  }

  /// Ends the session of a device in the cloud. The device learns it when it continues the session.
  mutating func endSession(of device: Int) {
    guard let token = devices[device].storedSession?.refresh else { return }
    note(.cloud, .account, "the session of \(devices[device].name) ends")
    cloud.tables?.endSession(ofToken: token)
  }

  /// Damages the stored bytes of the photo with that number. Returns false if the cloud does not have them.
  mutating func damagePhoto(_ number: Int, of account: Name) -> Bool {
    endCloudTurn(life: cloud.life)
    guard let id = UUID(account.text),
      cloud.tables?.objects.damage(SimulatedPhotos.hash(ofPhoto: number), of: id) == true
    else { return false }
    note(.cloud, .fault, "photo \(number) of \(account) is damaged")
    return true
  }
}

// MARK: - Maintenance

extension World {
  /// The zone of objects.
  static let objects = ZoneID(zoneName: TableApp.objects)

  /// Removes for good the rows of all accounts that were deleted before that many milliseconds ago.
  mutating func purgeTables(olderThan milliseconds: Int64) {
    endCloudTurn(life: cloud.life)
    for account in tableAccounts {
      guard let id = UUID(account.text), let zone = cloud.tables?.app.zone else { continue }
      let zoneID = ZoneID(zoneName: zone)
      let before = Set(held(zoneID, of: account).map(\.recordName))
      let objects = Set(cloudRecords(in: Self.objects, of: account).keys)
      maintain(.purge(before: wall.advanced(byMilliseconds: -milliseconds), isDryRun: false), of: id)
      checkers.photos.purge(
        objects: objects.subtracting(cloudRecords(in: Self.objects, of: account).keys).map(\.recordName))
      let gone = before.subtracting(held(zoneID, of: account).map(\.recordName)).sorted().map {
        RecordID(recordName: $0, zoneID: zoneID)
      }
      checkers.photos.purge(rows: gone)
      check(account) { checkers in for record in gone { checkers.model.excuse(record) } }
    }
  }

  private mutating func maintain(_ operation: RowMaintenance, of account: UUID) {
    guard let rows = cloud.tables?.rows else { return }
    let (transaction, database, caller) = rows.maintenance(operation, of: account, at: wall)
    let ticket = cloud.process.nextTicket()
    cloud.process.zones.transact(
      transaction, ticket: ticket, in: database, from: caller, at: wall, using: &cloud.generator)
    let effects = cloud.process.zones.endTurn(using: &cloud.generator)
    logTurn(effects)
    for case .transacted(ticket, let result) in effects {
      sendEvents(of: rows.maintenanceAnswer(to: result, of: account).changes)
    }
    for action in rows.forgettings(after: operation, at: wall) { administer(action, as: database.user) }
  }
}

extension DeviceApp {
  /// The account that scenarios call by that name: its identifier at the service of tables, if the app has tables.
  package func account(named name: String) -> Name {
    hasTables ? Name(SimulatedTables.identifier(of: Name(name)).text) : Name(name)
  }
}
