import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitSync
import ZoneKitTables

struct MigrationRollbackTests {
  private let account = UUID(high: 0xA, low: 1)

  private var record: MigrationRecord {
    var record = MigrationRecord(account: account)
    record.phase = .done
    record.backup = "backups/1"
    return record
  }

  /// The rows of an account on the server, all written by that device.
  private func rows(by author: String) throws -> [CoinRow] {
    var device = try CoinDevice()
    try device.run("person add Ben")
    try device.run("group add Flat with Ben")
    return try SwissCoin.schema.tables.flatMap { try device.rows($0.name) }.map { row in
      var row = row
      row[.changedBy] = .text("\(author):1")
      return row
    }
  }

  @Test func `the rows on the server stay, and their number is said`() throws {
    let server = try rows(by: "d1")
    let plan = try MigrationRollback(record, isSignedIn: true, server: server, devices: ["d1"], isCloudMeant: false)
    #expect(plan.backup == "backups/1" && plan.removals == [])
    #expect(
      plan.lines == [
        "the store is that of the backup backups/1 again, without an account", "5 rows stay on the server",
      ])
  }

  @Test func `with the cloud, rows that only this device wrote are removed, what is owned before its owners`() throws {
    let server = try rows(by: "d1")
    let plan = try MigrationRollback(record, isSignedIn: true, server: server, devices: ["d1"], isCloudMeant: true)
    #expect(plan.removals.map(\.table) == ["group_members", "group_members", "user_groups", "persons", "persons"])
    #expect(plan.lines.suffix(2) == ["5 rows removed on the server", "0 rows stay on the server"])
  }

  @Test func `a row of somebody else stays, and with it all rows to which it refers`() throws {
    var server = try rows(by: "d1")
    let index = try #require(server.firstIndex { $0.table.name == "group_members" })
    server[index][.changedBy] = .text("d2:4")
    let plan = try MigrationRollback(record, isSignedIn: true, server: server, devices: ["d1"], isCloudMeant: true)
    #expect(plan.removals.map(\.table) == ["group_members", "persons"])
    let foreign = server.map { row in
      var row = row
      row[.changedBy] = .null
      return row
    }
    let none = try MigrationRollback(record, isSignedIn: true, server: foreign, devices: ["d1"], isCloudMeant: true)
    #expect(none.removals == [])
  }

  @Test func `without a backup, or after a sign-out, there is nothing to take back`() throws {
    #expect(throws: MigrationProblem.nothing) {
      try MigrationRollback(nil, isSignedIn: true, server: [], devices: [], isCloudMeant: false)
    }
    #expect(throws: MigrationProblem.nothing) {
      try MigrationRollback(
        MigrationRecord(account: account), isSignedIn: true, server: [], devices: [], isCloudMeant: false)
    }
    #expect(throws: MigrationProblem.notAuthenticated) {
      try MigrationRollback(record, isSignedIn: false, server: [], devices: [], isCloudMeant: false)
    }
  }

  @Test func `what was written since the sign-in is found by comparison with the backup, with the former person`()
    throws
  {
    var device = try CoinDevice()
    try device.run("person add Ben")
    let backup = try device.rows("persons")
    let me = try device.person("Me").key.parts[0]
    try device.run("edit Ben phone_number 1")
    try device.run("remind Ben")
    let now = try (device.rows("persons") + device.rows("reminders")).map { $0.renaming(me, to: account) }
    let changes = MigrationRollback.changes(since: backup, now: now, account: account, me: me)
    #expect(changes.map(\.table.name) == ["persons", "reminders"])
    #expect(changes[0].name == "Ben" && changes[0]["phone_number"] == .text("1"))
  }

  /// A device of the account with a migration behind it, whose backup is that other device.
  private func migrated(_ backup: CoinDevice) throws -> CoinDevice {
    var device = try CoinDevice(account: Name(account.text))
    try device.save(AppAnswer(appValues: [AppValueChange(MigrationRecord.key, .text(record.json.text()))]))
    return device
  }

  @Test func `only what this device wrote goes to the file of edits, without photos`() throws {
    var backup = try CoinDevice()
    try backup.run("person add Ben")
    var device = try migrated(backup)
    // Another device's row, which stays on the server.
    try device.pull("persons", UUID(high: 7, low: 7), ["name": .text("Cleo")])
    try device.run("person add Zoe")
    let zoe = try device.person("Zoe")
    let make = try #require(DeviceApp.swissCoin.photoEdits)
    try device.save(AppAnswer(edits: try make(zoe.id, "\(account.text)/persons/z.jpg", device.view)))
    let sight = RollbackPlan.Sight(
      view: device.view, backup: backup.store, deviceID: device.coordinator.deviceID)
    let plan = try MigrationPlan.swissCoin.rollback(sight)
    #expect(plan.removals.isEmpty)
    #expect(plan.lines.last == "1 row stays on the server")
    let file = try JSON(parsing: try #require(plan.edits))
    let persons = try #require(file["tables"]?["persons"]?.array)
    #expect(persons.compactMap { $0["name"]?.string } == ["Zoe"])
    #expect(persons.allSatisfy { $0["photo_url"] == .null })
    var other = try CoinDevice()
    let importing = try #require(DeviceApp.swissCoin.interchange)
    try other.save(try importing.merge(file.bytes(), other.view))
    #expect(try other.person("Zoe").key == zoe.key)
  }

  @Test func `without a migration there is nothing to take back`() throws {
    let device = try CoinDevice(account: Name(account.text))
    let sight = RollbackPlan.Sight(view: device.view, backup: try CoinDevice().store, deviceID: "d")
    #expect(throws: AppRefusal("No local data found to migrate.")) { try MigrationPlan.swissCoin.rollback(sight) }
    let nobody = RollbackPlan.Sight(view: try CoinDevice().view, backup: try CoinDevice().store, deviceID: "d")
    #expect(throws: AppRefusal("Not authenticated. Please sign in first.")) {
      try MigrationPlan.swissCoin.rollback(nobody)
    }
  }

  @Test func `the device has the rows and values of the backup again, in their order, and no account`() throws {
    var backup = try CoinDevice()
    try backup.run("person add Ben")
    try backup.run("spend 12 Lunch for me,Ben")
    var device = try migrated(backup)
    try device.run("person add Zoe")
    let deviceID = device.coordinator.deviceID
    try device.restore(backup)
    #expect(device.coordinator.account == nil && device.coordinator.deviceID != deviceID)
    #expect(try device.store.appValues() == backup.store.appValues())
    let order = { (device: CoinDevice) in
      try device.store.pending(in: nil, after: 0, limit: .max).map { ($0.recordID.recordName) }
    }
    #expect(try order(device) == order(backup))
    #expect(try device.rows("persons") == backup.rows("persons"))
    #expect(try device.store.conflicts(limit: 10).isEmpty, "what was edited since is in a file")
    #expect(try device.run("list persons").count == 3)
  }
}
