import Glibc
import Testing
import ZoneKitCSQLite
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStoreConformance
import ZoneKitTableServer
import ZoneKitTables

@testable import ZoneKitStorage

@Suite struct `the accounts in a file` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let app = TableApp(
    name: "app", container: "com.example.app", environment: .development, zone: "App", schema: TableSchema([]))

  private func store(_ name: String = "cloud") -> AccountFiles {
    AccountFiles(root: folder + name, app: Self.app)
  }

  private func adding(_ email: String) -> AccountTransition {
    let time = WallTime(milliseconds: 1)
    var generator = SystemGenerator()
    var transition = AccountTransition()
    let account = Account(id: UUID(using: &generator), email: email, createdAt: time, updatedAt: time)
    transition.accounts = [StoredAccount(account, password: nil)]
    return transition
  }

  @Test(arguments: AccountStoreConformance.allCases)
  func `do what every store must`(check: AccountStoreConformance) throws {
    var count = 0
    let violations = try check.violations(
      make: { store("made") },
      reopen: { store in
        count += 1
        let root = "cloud\(count)"
        if Folder.exists(Folder.parent(of: store.path)) {
          try Folder.make(folder + root + "/com.example.app")
          try TemporaryFolder.copyAsCrashed(
            Folder.parent(of: store.path), to: folder + root + "/com.example.app/development")
        }
        return self.store(root)
      },
      failNextCommit: { store in
        let connection = try #require(store.file).connection
        sqlite3_commit_hook(
          connection.handle,
          { handle in
            sqlite3_commit_hook(handle.map { OpaquePointer($0) }, nil, nil)
            return 1
          }, UnsafeMutableRawPointer(connection.handle))
      })
    #expect(violations == [])
  }

  @Test func `are made by the first change, for their owner only`() throws {
    let store = store()
    #expect(try store.account(email: "a@b.test") == nil)
    #expect(store.commit() == nil)
    #expect(!Folder.exists(store.path))
    store.stage(adding("a@b.test"))
    #expect(store.commit() == nil)
    #expect(store.path.hasSuffix("cloud/com.example.app/development/accounts.sqlite"))
    #expect(!Folder.isOpenToOthers(store.path) && Folder.missingPermissions(of: store.path) == nil)
    #expect(CloudCheck(root: folder + "cloud").faults == [])
  }

  @Test func `answer with errors while the file cannot be read, and serve it when it can`() throws {
    let first = store()
    first.stage(adding("a@b.test"))
    #expect(first.commit() == nil)
    first.close()
    let good = try #require(try Folder.read(first.path))
    try Folder.write(Array("not a database, but long enough to have a header".utf8), to: first.path)

    let store = store()
    #expect(throws: StoreError.self) { try store.account(email: "a@b.test") }
    store.stage(adding("c@d.test"))
    #expect(store.commit()?.kind == .corrupt)
    #expect(CloudCheck(root: folder + "cloud").faults.map(\.place) == [first.path])

    try Folder.write(good, to: first.path)
    #expect(try store.account(email: "a@b.test") != nil)
  }

  @Test func `take over a file that is put in place of theirs, and miss one that is removed`() throws {
    let store = store()
    store.stage(adding("a@b.test"))
    #expect(store.commit() == nil)
    try Folder.rename(store.path, to: folder + "aside")
    for ending in ["-wal", "-shm"] { try Folder.remove(store.path + ending) }
    let error = #expect(throws: StoreError.self) { try store.accountCount() }
    #expect(error?.message.contains("put it back") == true)
    store.stage(adding("c@d.test"))
    #expect(store.commit() != nil, "a new file would hide that the accounts are gone")

    let other = self.store("other")
    other.stage(adding("x@y.test"))
    #expect(other.commit() == nil)
    other.close()
    try Folder.rename(other.path, to: store.path)
    #expect(try store.account(email: "x@y.test") != nil)
  }

  @Test func `do not keep what was committed to a file that is not in its place any more`() throws {
    let store = store()
    store.stage(adding("a@b.test"))
    #expect(store.commit() == nil)
    store.stage(adding("c@d.test"))
    try Folder.rename(store.path, to: folder + "aside")
    #expect(store.commit()?.message.contains("removed or replaced") == true)
  }

  @Test func `are checked for what belongs to nothing, and for readers`() throws {
    let store = store()
    store.stage(adding("a@b.test"))
    #expect(store.commit() == nil)
    try #require(store.file).connection.execute(
      """
      INSERT INTO sessions VALUES('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002', 1, 1);
      INSERT INTO refresh_tokens VALUES('h', 'none', 1, NULL);
      UPDATE users SET metadata = '[]'
      """)
    store.close()
    chmod(store.path, 0o640)
    let faults = CloudCheck(root: folder + "cloud").faults.map(\.message)
    #expect(faults.contains { $0.contains("1 sessions belong to no account") })
    #expect(faults.contains { $0.contains("1 refresh tokens belong to no session") })
    #expect(faults.contains { $0.contains("rows cannot be read") })
    #expect(faults.contains { $0.contains("chmod go-rwx") })
    #expect(faults.count == 4)
  }

  private func repair() throws -> [String] {
    var generator = SystemGenerator()
    let repair = try CloudRepair(
      root: folder + "cloud", backup: folder + "backup", at: WallTime(milliseconds: 0), using: &generator)
    return repair.deeds.map(\.what)
  }

  @Test func `are rebuilt from what can be read of a damaged file`() throws {
    let first = store()
    first.stage(adding("a@b.test"))
    first.stage(adding("c@d.test"))
    #expect(first.commit() == nil)
    try #require(first.file).connection.execute(
      """
      INSERT INTO sessions VALUES('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002', 1, 1);
      INSERT INTO claims VALUES('persons', 'x', '00000000-0000-0000-0000-000000000002');
      UPDATE users SET metadata = '[]' WHERE email = 'c@d.test'
      """)
    first.close()
    #expect(try repair() == ["rebuilt with 1 account and 0 sessions; others may be missing"])
    #expect(CloudCheck(root: folder + "cloud").faults == [])
    let store = store()
    #expect(try store.account(email: "a@b.test") != nil && store.accountCount() == 1)
    #expect(try store.owner(of: RowName(table: "persons", key: "x")) == UUID(high: 0, low: 2))
    #expect(Folder.exists(folder + "backup/com.example.app/development/accounts.sqlite"))
    #expect(try repair() == [], "a sound file is left alone")
  }

  @Test func `are moved away if nothing can be read, and put in place after an interruption`() throws {
    let path = store().path
    try Folder.make(folder + "cloud/com.example.app/development")
    try Folder.write(Array(repeating: 7, count: 8192), to: path)
    #expect(try repair() == ["rebuilt with 0 accounts and 0 sessions; others may be missing"])
    try Folder.rename(path, to: path + ".new")
    #expect(try repair() == ["rebuilt by a repair that was interrupted"])
    #expect(Folder.exists(path) && CloudCheck(root: folder + "cloud").faults == [])
  }

  @Test func `do not take the WAL of a file that was replaced`() throws {
    let store = store()
    store.stage(adding("a@b.test"))
    #expect(store.commit() == nil)
    let other = self.store("other")
    other.stage(adding("x@y.test"))
    #expect(other.commit() == nil)
    other.close()
    try Folder.rename(other.path, to: store.path)
    #expect(try store.account(email: "x@y.test") != nil && store.accountCount() == 1)
    store.stage(adding("c@d.test"))
    #expect(store.commit() == nil)
    store.close()
    #expect(try self.store().accountCount() == 2)
    #expect(CloudCheck(root: folder + "cloud").faults == [])
  }

  @Test func `of rows whose file was lost are claimed again`() throws {
    let cloud = try CloudFiles(root: folder + "cloud")
    for (number, table) in [(1, "persons/x"), (2, "persons/y.z")] as [(UInt64, Name)] {
      let database = Self.app.database(of: UUID(high: 0, low: number))
      let change = CloudSamples.change(of: "App", names: [table, "without"], sequence: 2)
      cloud.stage(change, in: ZoneKey(database: database, zoneName: "App"))
    }
    #expect(cloud.commit() == [])
    let store = store()
    store.stage(adding("a@b.test"))
    #expect(store.commit() == nil)
    #expect(try store.owner(of: RowName(table: "persons", key: "x")) == UUID(high: 0, low: 1))
    #expect(try store.owner(of: RowName(table: "persons", key: "y.z")) == UUID(high: 0, low: 2))
  }

  @Test func `of rows whose claims a power cut undid are claimed again`() throws {
    let store = store()
    store.stage(adding("a@b.test"))
    #expect(store.commit() == nil)
    let path = store.path
    try Backup.copyDatabase(path, to: folder + "before")
    var claim = AccountTransition()
    claim.claims = [RowClaim(RowName(table: "persons", key: "x"), by: UUID(high: 0, low: 1))]
    store.stage(claim)
    #expect(store.commit() == nil)
    let cloud = try CloudFiles(root: folder + "cloud")
    let database = Self.app.database(of: UUID(high: 0, low: 1))
    cloud.stage(
      CloudSamples.change(of: "App", names: ["persons/x"], sequence: 2),
      in: ZoneKey(database: database, zoneName: "App"))
    #expect(cloud.commit() == [])
    store.close()
    // The file as the power cut left it: without the claim, and with the WAL of a process that did not close it.
    try Folder.rename(folder + "before", to: path)
    try Folder.write(Array(repeating: 0, count: 40), to: path + "-wal")
    let after = self.store()
    #expect(try after.account(email: "a@b.test") != nil)
    #expect(try after.owner(of: RowName(table: "persons", key: "x")) == UUID(high: 0, low: 1))
    #expect(after.commit() == nil)
  }
}
