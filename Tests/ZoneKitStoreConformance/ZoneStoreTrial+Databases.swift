import ZoneKitRecords
import ZoneKitCloud

extension ZoneStoreTrial {
  mutating func checkDatabases(_ reopen: (consuming Store) throws -> Store) throws {
    var first = database
    first.user = "Nanny"
    let last = DatabaseID(
      container: database.container, environment: database.environment, user: database.user, scope: .public)
    store.stage(DatabaseTransition(identity: 5), in: last)
    stage([record("a", 1)], in: notes)
    stage([record("a", 1)], in: ZoneKey(database: first, zoneName: "Notes"))
    commit()
    let all = [first, database, last].sorted()
    expect(try store.databases(), all, "databases")
    try self.reopen(reopen)
    expect(try store.databases(), all, "databases after reopening")
  }

  mutating func checkClosing(_ reopen: (consuming Store) throws -> Store) throws {
    stage([record("a", 1)], in: notes)
    commit()
    stage([record("b", 2)], in: notes, databaseSequence: 2)
    store.stage(DatabaseTransition(identity: 5), in: database)
    store.close()
    try self.reopen(reopen)
    try expectRecords([record("a", 1)], in: notes, "after closing")
    expect(try store.database(database), DatabaseState(sequence: 1), "the database after closing")
  }
}
