import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitTables

struct MigrationTests {
  private let account = UUID(high: 0xA, low: 1)
  private let plan = MigrationPlan.swissCoin

  private func migration(_ record: MigrationRecord?) -> Migration { Migration(record, steps: plan.steps) }

  private func sight(_ waiting: [Name: Int], isPersonWaiting: Bool = false, setAside: [RowNote] = []) -> MigrationSight
  {
    var sight = MigrationSight(person: plan.person(account))
    sight.waiting = waiting
    sight.isPersonWaiting = isPersonWaiting
    sight.setAside = setAside
    return sight
  }

  private var full: MigrationSight {
    sight(["profiles": 1, "persons": 3, "financial_transactions": 2, "transaction_splits": 4], isPersonWaiting: true)
  }

  private func lines(_ effects: [Migration.Effect]) -> [String] {
    effects.compactMap { effect in
      if case .tell(let line) = effect { line } else { nil }
    }
  }

  /// A migration at the check.
  private func checking(setAside: [RowNote] = []) -> Migration {
    var migration = self.migration(MigrationRecord(account: account))
    _ = migration.begin(full)
    _ = migration.progressed(sight([:], setAside: setAside))
    return migration
  }

  private func check(counts: [Name: Int] = [:]) -> MigrationCheck {
    MigrationCheck(Book(), me: account, counts: counts, balances: [:])
  }

  @Test func `a migration has the sixteen steps of the requirements`() {
    #expect(migration(nil).totalSteps == 16)
    #expect(plan.steps.map(\.countKey).prefix(3) == ["Profile", "Current User", "Persons"])
    let tables = plan.steps.map(\.table)
    #expect(tables.filter { $0 != "persons" } == SwissCoin.schema.tables.map(\.name).filter { $0 != "persons" })
  }

  @Test func `a run tells title, sentence and its step, and asks for a sync`() {
    var migration = self.migration(MigrationRecord(account: account))
    #expect(migration.isInterrupted && !migration.isRunning)
    #expect(
      migration.begin(full) == [
        .tell("Migrating Your Data"),
        .tell("Your local data is being securely uploaded to the cloud. This only happens once."),
        .tell("[ 1/16] Syncing profile...  0%"), .sync,
      ])
    #expect(migration.isRunning && migration.currentStep == "Syncing profile..." && migration.progress == 0)
    #expect(migration.holdText == "migrating: step 1 of 16; a sync follows")
    #expect(migration.begin(full) == [], "a second start changes nothing")
  }

  @Test func `a step is over when none of its rows waits, and its rows count as acknowledged`() {
    var migration = self.migration(MigrationRecord(account: account))
    _ = migration.begin(full)
    let effects = migration.progressed(
      sight(["persons": 2, "financial_transactions": 2, "transaction_splits": 4], isPersonWaiting: false))
    #expect(lines(effects) == ["[ 2/16] Creating user identity...  6%", "[ 3/16] Uploading contacts...  12%"])
    #expect(migration.progress == 2.0 / 16)
    #expect(migration.entityCounts.map(\.key) == ["Current User", "Profile"])
    #expect(migration.entityCounts.map(\.count) == [1, 1])
    let next = migration.progressed(sight(["transaction_splits": 4]))
    #expect(lines(next).last == "[ 9/16] Uploading splits...  50%")
    #expect(migration.holdText == "migrating: step 9 of 16; a sync follows")
    let last = migration.progressed(sight([:]))
    #expect(last.last == .check)
    #expect(migration.entityCounts.first { $0.key == "Splits" }?.count == 4)
  }

  @Test func `rows that were set aside end their step and are no acknowledged rows`() {
    var migration = self.migration(MigrationRecord(account: account))
    _ = migration.begin(sight(["persons": 2]))
    let note = RowNote("persons/1", "name is too long")
    let effects = migration.progressed(sight([:], setAside: [note]))
    #expect(effects.last == .check)
    #expect(migration.entityCounts.first { $0.key == "Persons" }?.count == 1)
    let done = migration.checked(check())
    #expect(migration.summary == "done, 1 row set aside")
    #expect(lines(done).contains("set aside persons/1: name is too long"))
    #expect(done.last == .finished(exitCode: 0))
  }

  @Test func `photos go after the rows, and then the rows that name them`() {
    var migration = self.migration(MigrationRecord(account: account))
    var sight = self.sight(["persons": 2])
    sight.photos = 3
    _ = migration.begin(sight)
    #expect(migration.holdsPhotos)
    sight.waiting = [:]
    let effects = migration.progressed(sight)
    #expect(effects.last == .tell("Uploading photos...  3 photos"))
    #expect(!migration.holdsPhotos && migration.isRunning && migration.currentStep == "Uploading photos...")
    sight.photos = 1
    sight.waiting = ["persons": 2]
    #expect(migration.progressed(sight) == [])
    sight.photos = 0
    sight.photosSetAside = [RowNote("photo/persons/1", "too large")]
    #expect(migration.progressed(sight) == [.sync], "the rows that name photos go now")
    #expect(migration.progressed(sight) == [], "one sync is enough")
    sight.waiting = [:]
    #expect(migration.progressed(sight) == [.check])
    #expect(migration.entityCounts.first { $0.key == "Photos" }?.count == 2)
    let done = migration.checked(check())
    #expect(migration.summary == "done, 1 photo set aside")
    #expect(lines(done).contains("set aside photo/persons/1: too large"))
  }

  @Test func `rows are compared after the end of the sync, which brings those of other devices`() {
    var migration = self.migration(MigrationRecord(account: account))
    _ = migration.begin(sight(["persons": 1]))
    var sent = sight([:])
    sent.isSyncing = true
    #expect(!migration.progressed(sent).contains(.check) && migration.isRunning)
    #expect(migration.progressed(sent) == [])
    sent.isSyncing = false
    #expect(migration.progressed(sent) == [.check])
  }

  @Test func `a migration that was taken back is none`() {
    var migration = self.migration(MigrationRecord(account: account))
    _ = migration.begin(full)
    #expect(migration.takenBack() == [] && !migration.isRunning && migration.record == nil)
    #expect(lines(migration.begin(full)) == ["No local data found to migrate."])
  }

  @Test(arguments: [true, false])
  func `without a session nothing is migrated, whether rows wait or not`(hasRecord: Bool) {
    var migration = self.migration(hasRecord ? MigrationRecord(account: account) : nil)
    var away = full
    away.isSignedIn = false
    #expect(
      migration.begin(away) == [.tell("Not authenticated. Please sign in first."), .finished(exitCode: 1)])
    #expect(migration.isInterrupted == hasRecord)
  }

  @Test func `a photo that cannot be sent now ends the run, and a retry goes on with the photos`() {
    var migration = self.migration(MigrationRecord(account: account))
    var sight = self.sight([:])
    sight.photos = 2
    _ = migration.begin(sight)
    #expect(
      lines(migration.failed("the server does not answer")) == ["Failed to upload photos: the server does not answer"])
    #expect(migration.isInterrupted && !migration.holdsPhotos)
    sight.photos = 1
    #expect(lines(migration.begin(sight)).last == "Uploading photos...  1 photo")
  }

  @Test func `without waiting rows all steps pass at once, without a sync`() {
    var migration = self.migration(MigrationRecord(account: account))
    let effects = migration.begin(sight([:]))
    #expect(!effects.contains(.sync))
    #expect(effects.last == .check)
    #expect(lines(effects).count == 2 + 16)
  }

  @Test func `an edit during the run is uploaded with it`() {
    var migration = self.migration(MigrationRecord(account: account))
    _ = migration.begin(sight(["transaction_splits": 1]))
    _ = migration.progressed(sight(["transaction_splits": 3]))
    #expect(migration.isRunning)
    _ = migration.progressed(sight([:]))
    #expect(migration.entityCounts.first { $0.key == "Splits" }?.count == 3)
  }

  @Test func `a failure ends the run with the table, and a retry goes from step 1`() {
    var migration = self.migration(MigrationRecord(account: account))
    _ = migration.begin(sight(["transaction_splits": 2]))
    #expect(
      migration.failed("the server does not answer") == [
        .tell("Failed to upload transaction_splits: the server does not answer"), .finished(exitCode: 1),
      ])
    #expect(migration.errorMessage == "Failed to upload transaction_splits: the server does not answer")
    #expect(!migration.isRunning && migration.holdText == nil)
    #expect(migration.progressed(sight([:])) == [], "nothing is under way")
    let again = migration.begin(sight(["transaction_splits": 1]))
    #expect(migration.errorMessage == nil && migration.entityCounts.allSatisfy { $0.count == 0 })
    #expect(lines(again).contains("[ 1/16] Syncing profile...  0%"))
    #expect(again.last == .sync)
  }

  @Test func `a lost session and a failed check say so`() {
    var lost = self.migration(MigrationRecord(account: account))
    _ = lost.begin(full)
    #expect(lines(lost.sessionLost()) == ["Not authenticated. Please sign in first."])
    var unchecked = checking()
    #expect(lines(unchecked.failed("no link")) == ["Failed to check the rows: no link"])
    #expect(unchecked.isInterrupted)
  }

  @Test func `the end is stored, and a second start does nothing`() {
    var migration = checking()
    let effects = migration.checked(check())
    var done = MigrationRecord(account: account)
    done.phase = .done
    #expect(effects.first == .store(done))
    #expect(lines(effects).first == "Migration complete!")
    #expect(effects.last == .finished(exitCode: 0))
    #expect(migration.progress == 1 && migration.currentStep == "Migration complete!")
    #expect(migration.begin(full) == [.tell("Migration complete!"), .finished(exitCode: 0)])
    var restarted = self.migration(done)
    #expect(restarted.begin(full) == [.tell("Migration complete!"), .finished(exitCode: 0)])
    var empty = self.migration(nil)
    #expect(lines(empty.begin(full)) == ["No local data found to migrate."])
  }

  @Test func `the end of a comparison keeps the file of a rollback that began meanwhile`() {
    var migration = checking()
    let kept = migration.editsWritten(to: "backup-edits-1.json")
    #expect(kept?.edits == ["backup-edits-1.json"])
    var done = kept
    done?.phase = .done
    #expect(migration.checked(check()).first == done.map { .store($0) })
    #expect(migration.editsWritten(to: "backup-edits-2.json")?.edits.count == 2)
    var none = self.migration(nil)
    #expect(none.editsWritten(to: "backup-edits-1.json") == nil)
  }

  @Test func `counts that differ end with code 1`() {
    var migration = checking()
    let effects = migration.checked(check(counts: ["persons": 2]))
    #expect(lines(effects).first == "done, 1 count off")
    #expect(lines(effects).contains("Count mismatch for persons: local=0 server=2"))
    #expect(effects.last == .finished(exitCode: 1))
  }

  @Test func `a migration that a restart interrupted begins from its value`() throws {
    var record = MigrationRecord(account: account, store: "s")
    record.found = 3
    record.adopted = ["persons": 3]
    record.notes = [RowNote("persons/1", "it had no edit stamp")]
    record.backup = "backups/a"
    let read = try #require(MigrationRecord(.text(record.json.text())))
    #expect(read == record)
    #expect(migration(read).isInterrupted)
    #expect(MigrationRecord(.text("{}")) == nil && MigrationRecord(nil) == nil && MigrationRecord(.integer(1)) == nil)
  }

  @Test(
    arguments: [
      (nil, true, 3, true), ("a", true, 3, false), (nil, false, 3, false), (nil, true, 0, false),
    ] as [(Name?, Bool, Int, Bool)])
  func `a migration is needed for rows of a user without an account`(
    account: Name?, hasUser: Bool, rows: Int, isNeeded: Bool
  ) {
    #expect(
      MigrationRecord.isNeeded(account: account, user: hasUser ? self.account : nil, rows: rows) == isNeeded)
  }

  @Test func `balances that differ by more than a cent are named`() throws {
    var device = try CoinDevice()
    try device.run("person add Ben")
    try device.run("person add Cara")
    try device.run("spend 25 Tea for me,Ben")
    var book = Book()
    try book.read(SwissCoin.schema.tables.map(\.name), from: device.view)
    let ben = try device.person("Ben").key.parts[0]
    let cara = try device.person("Cara").key.parts[0]
    let me = try device.person("Me").key.parts[0]
    func server(_ text: String) throws -> Balance { try #require(Balance(try JSON(parsing: text))) }
    let balances = [
      ben: try server(#"{"balances":{"CHF":12}}"#), cara: try server(#"{"balances":{"EUR":0.01}}"#),
    ]
    let check = MigrationCheck(book, me: me, counts: ["persons": 3], balances: balances)
    #expect(check.balanceMismatches == ["Balance mismatch for Ben: local=12.50 server=12.00 CHF"])
    #expect(check.countMismatches.isEmpty)
    var migration = checking()
    let effects = migration.checked(check)
    #expect(lines(effects).first == "done, 1 balance differs")
    #expect(effects.last == .finished(exitCode: 1))
  }
}
