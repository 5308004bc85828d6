import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// What a device's console does for an app whose rows lie in the tables of a server: it signs accounts in and out, prints
/// what the channel does, and grants background refreshes.
final class TableConsole {
  let client: DeviceClient
  let link: TableServerLink
  private let printer: DevicePrinter
  private let loop: Loop
  private var refresh = BackgroundRefresh()
  private lazy var refreshTimer = Timer(on: loop) { [unowned self] in self.change { $0.tick(at: $1) } }
  /// The sentences of the notices that are gathered, with their numbers.
  private var notices: [(text: String, count: Int)] = []
  private lazy var noticeTimer = Timer(on: loop) { [unowned self] in self.tell() }
  /// Called with the records whose photo was set after its upload.
  var onPhotoNamed: (([RecordID]) -> Void)?
  /// The upload of local rows; nil if the app has none.
  private let migration: MigrationDriver?
  /// The lines of the migration that become part of an answer; nil if they are printed as events.
  private var gathered: [String]?
  /// The exit code of the last migration, or of a comparison that failed since.
  private(set) var exitCode: Int32 = 0
  private let rollback: RollbackDriver?
  /// Whether a sign-in waits for its answer.
  private var isSigningIn = false
  /// Whether a migration is being taken back.
  private var isRollingBack = false
  /// Whether the device is being compared with the server.
  private var isVerifying = false
  /// Whether the next command waits for the answers that a sign-in, a rollback or a comparison needs.
  var isBusy: Bool { isSigningIn || isRollingBack || isVerifying }

  /// The console of that device; nil if its app's cloud is another one.
  init?(_ client: DeviceClient, printer: DevicePrinter, transfers: TransferLines, loop: Loop) {
    guard let link = client.tables else { return nil }
    self.client = client
    self.link = link
    self.printer = printer
    self.loop = loop
    migration = MigrationDriver(client)
    rollback = RollbackDriver(client)
    migration?.onTell = { [unowned self] in self.tellMigration($0) }
    migration?.onEnd = { [unowned self] in self.exitCode = $0 }
    link.migration = migration.map { driver in { driver.machine } }
    link.photos?.onFact = { [unowned self] in
      if !transfers.counts($0) { printer.print(DeviceEvent($0)) }
      self.migration?.heard($0)
    }
    link.photos?.onNamed = { [unowned self] in self.onPhotoNamed?($0) }
    link.onNotice = { [unowned self] in self.gather($0) }
    link.onChannelFact = { if !transfers.counts($0) { printer.print(DeviceEvent($0)) } }
    link.onSessionLost = { reason in
      printer.print(DeviceEvent("sessionLost", [("reason", .string(reason))], "not signed in any more: \(reason)"))
    }
  }

  /// Signs an account in, or makes it first if it is new. Throws if that cannot be done at all; then the completion is
  /// not called.
  func signIn(
    email: String, password: String, isNew: Bool, completion: @escaping (Result<StoredSession, AppRefusal>) -> Void
  ) throws {
    guard !isSigningIn else { throw AppRefusal("a sign-in is under way") }
    if link.machine.isSignedIn { throw AppRefusal("\(owner) is signed in; signout first") }
    let isSame = email.lowercased() == link.machine.owner?.email.lowercased()
    if client.coordinator.account != nil, isNew || !isSame { throw try holding() }
    let backup = try migration?.backUp()
    if let backup { tellMigration("backup: \(backup)") }
    isSigningIn = true
    link.signIn(email: email, password: password, isNew: isNew) { [unowned self] result in
      self.isSigningIn = false
      completion(result.mapError { AppRefusal($0.reason, isUnanswered: $0.failure.isUnanswered) })
      guard case .success = result else { return }
      do {
        try self.migration?.signedIn(backup: backup)
      } catch {
        self.tellMigration("the store failed: \(error)")
      }
    }
  }

  // MARK: Migration

  /// The answer to a wish to sync while rows are moved into an account; nil if they are not.
  var holdText: String? { migration?.machine.holdText }

  /// Whether local rows wait for an upload that does not run.
  var isMigrationInterrupted: Bool { migration?.machine.isInterrupted == true }

  /// The device was launched.
  func launched() { migration?.resume() }

  /// An event of the device is over.
  func settled() { migration?.settled() }

  /// The coordinator reported a fact.
  func heard(_ fact: DeviceFact) { migration?.heard(fact) }

  /// Goes on with the upload. Returns the lines for the user.
  func migrate() -> [String] {
    gathered = []
    defer { gathered = nil }
    migration?.begin()
    return gathered ?? []
  }

  /// Takes the upload back: the device has the rows of its backup again, and nobody is signed in.
  func rollBack(isCloudMeant: Bool, completion: @escaping (Result<[String], AppRefusal>) -> Void) {
    guard let rollback else { return completion(.failure(AppRefusal(MigrationProblem.nothing.text))) }
    isRollingBack = true
    rollback.begin(isCloudMeant: isCloudMeant) { [unowned self] result in
      self.isRollingBack = false
      if case .success = result { self.migration?.takenBack() }
      completion(result)
    }
  }

  /// Compares the device with the server. The exit code is 1 if they differ or nobody is signed in, and 3 without an
  /// answer.
  func verify(completion: @escaping ([String], Bool) -> Void) {
    guard let migration, link.machine.isSignedIn else {
      exitCode = 1
      return completion([MigrationProblem.notAuthenticated.text], false)
    }
    isVerifying = true
    migration.verify { [unowned self] result in
      self.isVerifying = false
      switch result {
      case .success(let check) where check.isClean: completion(["rows and balances are the server's"], true)
      case .success(let check):
        self.exitCode = 1
        completion(check.countMismatches + check.balanceMismatches, false)
      case .failure(let failure):
        self.exitCode = 3
        completion(["rows and balances cannot be compared: \(failure)"], false)
      }
    }
  }

  private func tellMigration(_ line: String) {
    if gathered != nil { return gathered?.append(line) ?? () }
    let state = migration?.machine.json ?? .null
    printer.print(DeviceEvent("migration", [("text", .string(line)), ("migration", state)], line))
  }

  /// Signs the account out, which empties the store. Throws with the number of edits that are not sent, unless these are
  /// to be discarded.
  func signOut(discards: Bool) throws {
    guard client.coordinator.account != nil else { throw AppRefusal("nobody is signed in") }
    let pending = try client.coordinator.store.census().pending
    let photos = link.photos?.queued.count ?? 0
    guard pending == 0 || discards else {
      throw AppRefusal(
        "\(pending.counted("edit")) not sent; sync first, or signout --discard, which puts them into the journal")
    }
    guard photos == 0 || discards else {
      throw AppRefusal(
        "\(photos.counted("photo")) not uploaded; wait for that, or signout --discard, which forgets them")
    }
    // A disk that fails after the write has signed the account out, and the session ends with it.
    defer { if client.coordinator.account == nil { link.signOut() } }
    try client.signIn(nil)
  }

  /// Stops the timers.
  func close() {
    refreshTimer.close()
    noticeTimer.close()
  }

  // MARK: Notices

  /// How long notices are gathered before they are printed, in milliseconds.
  private static let noticeTime: Int64 = 300

  private func gather(_ notice: ChangeNotice) {
    guard notice.action == "INSERT", let text = notice.kind.insertText else { return }
    if notices.isEmpty { noticeTimer.schedule(after: Self.noticeTime) }
    if let index = notices.firstIndex(where: { $0.text == text }) {
      notices[index].count += 1
    } else {
      notices.append((text, 1))
    }
  }

  private func tell() {
    for (text, count) in notices {
      printer.print(
        DeviceEvent(
          "notice", [("text", .string(text)), ("count", .integer(Int64(count)))],
          count > 1 ? "\(text) (\(count))" : text))
    }
    notices = []
  }

  // MARK: Background refresh

  /// The app came to the front or left it.
  func frontChanged(isInFront: Bool) {
    change { refresh, now in
      guard isInFront else { return refresh.enteredBackground(at: now) }
      refresh.enteredForeground()
      return []
    }
  }

  /// The user turned background refresh on or off.
  func refreshChanged(isOn: Bool) { change { $0.permissionChanged(isOn: isOn, at: $1) } }

  private func change(_ event: (inout BackgroundRefresh, MonotonicTime) -> [BackgroundRefresh.Effect]) {
    for effect in event(&refresh, MonotonicTime(milliseconds: loop.now)) {
      switch effect {
      case .asked: note("asked", "asked for a background refresh")
      case .refused: note("refused", "no background refresh: it is turned off")
      case .begin:
        note("began", "background refresh begins")
        client.resumeApp()
        client.perform { $0.requestSyncIfNeeded(reason: .refresh, at: $1, using: &$2) }
      }
    }
    if let deadline = refresh.nextDeadline {
      refreshTimer.schedule(at: deadline.milliseconds)
    } else {
      refreshTimer.cancel()
    }
  }

  private func note(_ state: String, _ text: String) {
    printer.print(DeviceEvent("refresh", [("task", "com.swisscoin.sync"), ("state", .string(state))], text))
  }

  // MARK: Texts

  private var owner: String { link.machine.owner?.email ?? "an account" }

  /// The refusal of another account while the store holds rows.
  private func holding() throws -> AppRefusal {
    let census = try client.coordinator.store.census()
    let rows = census.counts.filter { $0.zoneID.zoneName != TableApp.journal }.reduce(0) { $0 + $1.count }
    return AppRefusal(
      "this device holds \(rows.counted("row")) of \(owner), \(census.pending) not sent; signout first")
  }
}

extension DeviceEvent {
  /// The event for a fact of the channel.
  fileprivate init(_ fact: ChannelFact) {
    var details: [(String, JSON)]
    switch fact {
    case .connectionChanged(let isConnected): details = [("connected", .bool(isConnected))]
    case .change(let table, let kind): details = [("table", .string(table.text)), ("action", .string(kind))]
    case .unknownTable(let table): details = [("table", .string(table))]
    case .duplicate(let id), .ownEcho(let id): details = [("id", .string(id))]
    case .refused(let reason): details = [("reason", .string(reason))]
    case .retry(let pause): details = [("retryIn", .integer(pause))]
    }
    self.init(
      "realtime",
      [("fact", .string(fact.kind)), ("subsystem", "com.swisscoin"), ("category", "Realtime")] + details, fact.text)
  }
}
