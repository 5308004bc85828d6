import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// The one-time upload of local rows into an account.
extension DeviceProcess {
  /// A sign-in that waits for a backup.
  struct SignIn {
    let email: String
    let password: String
    let isNew: Bool
  }

  // MARK: Signing in

  /// The user signs an account in, or makes it first if it is new. Local rows are backed up before.
  package mutating func signIn(email: String, password: String, isNew: Bool, at moment: Moment) {
    let signIn = SignIn(email: email, password: password, isNew: isNew)
    backup = nil
    do throws(StoreError) {
      guard try hasLocalRows() else { return send(signIn, at: moment.monotonic) }
      waitingSignIn = signIn
      add([.tell(.backUp)])
    } catch {
      add([.tell(.signInFailed(SessionError(.refused("store"), "\(error)")))])
    }
  }

  /// The store and its photos were copied to that path. The sign-in goes on.
  package mutating func backedUp(to path: String, at moment: Moment) {
    guard let signIn = waitingSignIn.take() else { return }
    backup = path
    send(signIn, at: moment.monotonic)
    add([.tell(.migrationTold("backup: \(path)"))])
  }

  /// The store could not be copied, so nobody is signed in.
  package mutating func backupFailed(_ error: StoreError) {
    guard waitingSignIn.take() != nil else { return }
    add([.tell(.signInFailed(SessionError(.refused("store"), "\(error)")))])
  }

  private mutating func send(_ signIn: SignIn, at now: MonotonicTime) {
    pass(at: now) { link, _, _ in
      signIn.isNew
        ? link.signUp(email: signIn.email, password: signIn.password)
        : link.signIn(email: signIn.email, password: signIn.password)
    }
  }

  /// Whether a sign-in moves rows into the account.
  private func hasLocalRows() throws(StoreError) -> Bool {
    guard app.migration != nil, coordinator.account == nil else { return false }
    let user = try coordinator.store.appValues()[MigrationRecord.userKey]?.text.flatMap { UUID($0) }
    return MigrationRecord.isNeeded(account: nil, user: user, rows: try coordinator.store.census().pending)
  }

  // MARK: Events

  /// The user wants the upload to go on.
  package mutating func migrate(at moment: Moment) { passToMigration(at: moment) { $0.begin($1) } }

  /// The user wants the device to be compared with the server.
  package mutating func compare() { beginComparison(isForUser: true) }

  /// Reads the state of the migration, at the start and after a sign-in. A migration that is not done holds photos.
  mutating func readMigration() -> DeviceEffect? {
    guard let plan = app.migration else { return nil }
    do throws(StoreError) {
      var record = MigrationRecord(try coordinator.store.appValues()[MigrationRecord.key])
      let path = backup.take()
      if let path { record?.backup = path }
      migration = Migration(record, steps: plan.steps)
      if record?.phase == .running { add([.holdPhotos(true)]) }
      return path == nil ? nil : record.map { .edit(Self.storing($0)) }
    } catch {
      return .storeFailed(error)
    }
  }

  /// Goes on with a migration that was interrupted.
  mutating func resumeMigration(at moment: Moment) {
    guard migration?.isInterrupted == true, coordinator.account != nil, link?.isSignedIn == true else { return }
    migrate(at: moment)
  }

  /// Tells the migration what the coordinator reports.
  mutating func tellMigration(_ fact: DeviceFact) {
    guard migration != nil else { return }
    switch fact {
    case .syncFailed(_, let error, _): add([.failMigration(reason: error.reason)])
    case .signedOut: add([.loseMigrationSession])
    // What was to be uploaded leaves with its account.
    case .accountChanged(let old, _, _): if old != nil { add([.loseMigrationSession]) }
    default: return
    }
  }

  /// Tells the migration what the queue of photos reports.
  mutating func tellMigration(_ fact: PhotoFact) {
    guard migration != nil else { return }
    switch fact {
    case .failed(_, let reason, _): add([.failMigration(reason: reason)])
    case .uploaded, .setAside: add([.progressMigration])
    case .downloaded, .missing: return
    }
  }

  // MARK: The machine

  /// Passes an event to the migration with what it sees of the device.
  mutating func passToMigration(
    at moment: Moment, _ event: (inout Migration, MigrationSight) -> [Migration.Effect]
  ) {
    guard let plan = app.migration else { return }
    do throws(StoreError) {
      let person = plan.person(migration?.record?.account ?? UUID(high: 0, low: 0))
      var sight = try MigrationSight(of: coordinator.store, person: person, photos: photos?.waiting ?? [:])
      sight.isSignedIn = link?.isSignedIn == true
      sight.isSyncing = coordinator.isSyncing
      passToMigration { event(&$0, sight) }
    } catch {
      passToMigration { $0.failed("\(error)") }
    }
  }

  /// Passes an event to the migration. Meanwhile the coordinator begins no sync of its own, and photos wait for rows.
  mutating func passToMigration(_ event: (inout Migration) -> [Migration.Effect]) {
    guard var migration else { return }
    let wasRunning = migration.isRunning
    migrationEffects += event(&migration)
    self.migration = migration
    begin(.migration)
    var steps: [Step] = []
    if migration.isRunning != wasRunning {
      steps += [.hold(migration.isRunning), .holdOwnReasons(migration.isRunning)]
    }
    if migration.holdsPhotos != link?.photos.isHeld { steps.append(.holdPhotos(migration.holdsPhotos)) }
    add(steps)
  }

  /// Carries out an effect of the migration.
  mutating func carryOut(_ effect: Migration.Effect, at moment: Moment) -> DeviceEffect? {
    switch effect {
    case .store(let record): return .edit(Self.storing(record))
    case .tell(let line): return .migrationTold(line)
    case .sync: pass(at: moment) { $0.requestSyncIfNeeded(reason: .manual, at: $1, using: &$2) }
    case .check: beginComparison(isForUser: false)
    case .finished(let code): return .migrationEnded(exitCode: code)
    }
    return nil
  }

  static func storing(_ record: MigrationRecord) -> DeviceEdit {
    DeviceEdit(cause: .migration, values: [AppValueChange(MigrationRecord.key, .text(record.json.text()))])
  }
}
