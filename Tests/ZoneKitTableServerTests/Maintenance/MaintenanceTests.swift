import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

@Suite struct `the maintenance of rows` {
  private var rows = TestRows()
  private static let day: Int64 = 86_400_000

  private mutating func maintain(_ operation: RowMaintenance) throws -> (MaintenanceReport, [RowChange]) {
    let (transaction, database, caller) = rows.server.maintenance(operation, of: TestRows.mara, at: rows.now)
    rows.zones.transact(
      transaction, ticket: Ticket(1), in: database, from: caller, at: rows.now, using: &rows.generator)
    for operation in rows.server.forgettings(after: operation, at: rows.now) {
      rows.zones.administer(
        operation, ticket: Ticket(2), in: database, from: caller, at: rows.now, using: &rows.generator)
    }
    for case .transacted(_, let result) in rows.zones.endTurn(using: &rows.generator) {
      let answer = rows.server.maintenanceAnswer(to: result, of: TestRows.mara)
      return (try answer.report.get(), answer.changes.flatMap(\.changes))
    }
    throw RowError(.notServed, "there was no answer")
  }

  private mutating func write(_ number: UInt64, deleted: Bool = false, parent: UInt64? = nil) {
    var more: [Name: RowValue] = [:]
    if deleted { more[.deletedAt] = .timestamp(rows.now) }
    if let parent { more["parent_id"] = .uuid(TestRows.id(parent)) }
    _ = rows.write([TestRows.thing(number, "\(number)", more)])
  }

  private mutating func part(_ number: UInt64, of thing: UInt64) {
    let part = RowContent([
      .id: .uuid(TestRows.id(number)), "thing_id": .uuid(TestRows.id(thing)), .deletedAt: .timestamp(rows.now),
    ])
    _ = rows.write([part], in: "parts")
  }

  private mutating func numbers(_ table: Name = "things") -> [String] {
    rows.rows(of: table).compactMap { $0[.id, TestRows.table].uuid }.map { String($0.low) }.sorted()
  }

  private func removed(_ report: MaintenanceReport) -> [Int] { report.tables.map(\.removed) }

  @Test mutating func `purges rows that were deleted before a time, and tells that`() throws {
    write(1, deleted: true)
    rows.now = rows.now.advanced(byMilliseconds: Self.day)
    write(2, deleted: true)
    write(3)
    let (report, changes) = try maintain(.purge(before: rows.now, isDryRun: false))
    #expect(removed(report) == [0, 1, 0])
    #expect(changes.map(\.kind) == [.delete] && changes.map(\.key) == [RowKey([TestRows.id(1)])])
    #expect(numbers() == ["2", "3"])
    let deletions = OwnTable.deletions.table
    #expect(rows.rows(of: "row_deletions").map { $0["key", deletions] } == [.text(TestRows.id(1).text)])
  }

  @Test mutating func `keeps a row to which a kept row refers, with all that it refers to`() throws {
    write(1, deleted: true)
    write(2, deleted: true, parent: 1)
    write(3, parent: 2)
    write(4, deleted: true)
    write(5, deleted: true, parent: 4)
    rows.now = rows.now.advanced(byMilliseconds: 1)
    let (report, _) = try maintain(.purge(before: rows.now, isDryRun: false))
    #expect(removed(report) == [0, 2, 0])
    #expect(numbers() == ["1", "2", "3"])
  }

  @Test mutating func `purges rows before those that own them`() throws {
    write(1)
    part(7, of: 1)
    write(1, deleted: true)
    rows.now = rows.now.advanced(byMilliseconds: 1)
    let (report, _) = try maintain(.purge(before: rows.now, isDryRun: false))
    #expect(removed(report) == [0, 1, 1])
    let stamps = rows.rows(of: "row_deletions").map { $0["table_name", OwnTable.deletions.table] }
    #expect(stamps == [.text("parts"), .text("things")])
  }

  @Test mutating func `says what would go without changing anything`() throws {
    write(1, deleted: true)
    rows.now = rows.now.advanced(byMilliseconds: 1)
    let (report, changes) = try maintain(.purge(before: rows.now, isDryRun: true))
    #expect(removed(report) == [0, 1, 0] && changes.isEmpty && report.neededBytes == nil)
    #expect(numbers() == ["1"])
  }

  @Test mutating func `forgets deletions after 30 days and conflicts after 90, and raises the horizon`() throws {
    write(1, deleted: true)
    _ = rows.write([TestRows.thing(2, "b", [.editedAt: .timestamp(rows.now)])])
    let old = rows.now.advanced(byMilliseconds: -5)
    _ = rows.write([TestRows.thing(2, "a", [.editedAt: .timestamp(old), .updatedAt: .timestamp(old)])])
    #expect(rows.rows(of: "conflict_log").count == 1)
    rows.now = rows.now.advanced(byMilliseconds: 1)
    _ = try maintain(.purge(before: rows.now, isDryRun: false))
    let stamp = try #require(rows.rows(of: "row_deletions").first?[.updatedAt, OwnTable.deletions.table].time)
    rows.now = stamp.advanced(byMilliseconds: 30 * Self.day)
    _ = try maintain(.purge(before: rows.now, isDryRun: false))
    #expect(rows.rows(of: "row_deletions").count == 1)
    rows.now = rows.now.advanced(byMilliseconds: 1)
    _ = try maintain(.purge(before: rows.now, isDryRun: false))
    #expect(rows.rows(of: "row_deletions").isEmpty)
    #expect(rows.ask(.read("things", RowQuery(), isHead: false)).result?.feed?.horizon == stamp)
    #expect(rows.rows(of: "conflict_log").count == 1)
    rows.now = rows.now.advanced(byMilliseconds: 61 * Self.day)
    #expect(try maintain(.purge(before: rows.now, isDryRun: false)).0.conflicts == 1)
    #expect(rows.rows(of: "conflict_log").isEmpty)
  }

  @Test mutating func `raises the horizon at once when it is asked to`() throws {
    write(1)
    _ = try maintain(.remove([RowKey([TestRows.id(1)]).recordName(in: "things")]))
    #expect(rows.rows(of: "row_deletions").count == 1)
    _ = try maintain(.raiseHorizon)
    #expect(rows.rows(of: "row_deletions").isEmpty)
  }

  @Test mutating func `removes named rows with those that they own, and none to which others refer`() throws {
    write(1)
    part(7, of: 1)
    write(2)
    write(3, parent: 2)
    let name = { (number: UInt64) in RowKey([TestRows.id(number)]).recordName(in: "things") }
    _ = try maintain(.remove([name(1)]))
    #expect(numbers() == ["2", "3"] && numbers("parts").isEmpty)
    #expect(throws: RowError.self) { try maintain(.remove([name(2)])) }
    #expect(throws: RowError.self) { try maintain(.remove([name(9)])) }
    #expect(numbers() == ["2", "3"])
    _ = try maintain(.remove([name(2), name(3)]))
    #expect(numbers().isEmpty)
  }

  @Test mutating func `counts rows, and removes everything of an account`() throws {
    write(1, deleted: true)
    write(2, parent: 1)
    let (report, _) = try maintain(.count)
    #expect(report.tables.map(\.living) == [0, 1, 0] && report.tables.map(\.deleted) == [0, 1, 0])
    #expect(report.tables[1].newest == rows.rows().last?[.updatedAt, TestRows.table].time)
    let (plan, none) = try maintain(.removeAll(isDryRun: true))
    #expect(self.removed(plan) == [0, 2, 0] && none.isEmpty && plan.neededBytes == nil)
    #expect(numbers() == ["1", "2"])
    let (removal, changes) = try maintain(.removeAll(isDryRun: false))
    #expect(self.removed(removal) == [0, 2, 0] && changes.count == 2)
    #expect(numbers().isEmpty)
  }

  @Test func `finds the databases of accounts that do not exist`() throws {
    var accounts = TestAccounts()
    let mara = try accounts.signUp().account.id
    let app = rows.server.app
    let (gone, other) = (UUID(high: 7, low: 1), UUID(high: 7, low: 2))
    var foreign = app.database(of: other)
    foreign.container = "com.example.other"
    var named = app.database(of: gone)
    named.user = "nanny"
    let databases = [app.database(of: gone), app.database(of: mara), foreign, named]
    #expect(try rows.server.orphans(among: databases, accounts: accounts.store) == [gone])
  }
}
