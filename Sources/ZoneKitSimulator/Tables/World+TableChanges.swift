import ZoneKitCloud
import ZoneKitCloudProcess
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
    let account = app.hasTables ? Name(cloud.account(named: Name(name), at: time).text) : Name(name)
    if let number = apps.firstIndex(where: { $0.name == app.name }), number > 0 { appOfAccount[account] = number }
    return account
  }

  /// Sends a request for rows of an account, from none of the devices, to a running cloud. Events are sent as usual.
  @discardableResult
  mutating func ask(_ request: RowRequest, as account: Name) -> RowResponse {
    endCloudTurn(life: cloud.life)
    let caller = RowCaller(UUID(account.text).map { .account($0) } ?? .anonymous)
    if case .rows(let response)? = serve(.rows(request, RowDemands()), from: CloudSender(caller)) { return response }
    return .refused(RowError(.notServed, "the cloud did not answer"))
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
    cloud.endSession(ofToken: token)
  }

  /// Removes the account that is signed in on a device, with all that it has in the cloud. Returns false if there is none.
  mutating func removeAccount(of device: Int) -> Bool {
    endCloudTurn(life: cloud.life)
    guard let account = devices[device].account, let id = UUID(account.text) else { return false }
    note(.cloud, .account, "the account of \(devices[device].name) is removed")
    check(account) { $0.model.excuseAll(of: account) }
    let answer = serve(.account(.remove(id)), from: CloudSender(RowCaller(.service)))
    if case .account(.account)? = answer { return true }
    return false
  }

  /// Damages the stored bytes of the photo with that number. Returns false if the cloud does not have them.
  mutating func damagePhoto(_ number: Int, of account: Name) -> Bool {
    endCloudTurn(life: cloud.life)
    guard let id = UUID(account.text),
      cloud.tables?.damage(SimulatedPhotos.hash(ofPhoto: number), of: id) == true
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
      let before = heldIDs(in: [zoneID], of: account)
      let objects = Set(cloudRecords(in: Self.objects, of: account).keys)
      let purge = RowMaintenance.purge(before: wall.advanced(byMilliseconds: -milliseconds), isDryRun: false)
      _ = serve(.maintenance(purge, of: .account(id)), from: CloudSender(RowCaller(.service)))
      let left = cloudRecords(in: Self.objects, of: account)
      log(.objectsPurged(objects.subtracting(left.keys).map(\.recordName)))
      let gone = before.subtracting(heldIDs(in: [zoneID], of: account)).sorted()
      for device in devices.indices { log(.rowsPurged(gone), of: device) }
      check(account) { checkers in for record in gone { checkers.model.excuse(record) } }
    }
  }
}
