import Testing
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSwissCoin
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
}
