import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// What a device's console does for an app whose rows lie in the tables of a server: it signs accounts in and out, prints
/// what its process tells of them.
final class TableConsole {
  let client: DeviceClient
  let link: TableServerLink
  private let printer: DevicePrinter
  private let loop: Loop
  /// The sentences of the notices that are gathered, with their numbers.
  private var notices: [(text: String, count: Int)] = []
  private lazy var noticeTimer = Timer(on: loop) { [unowned self] in self.tellNotices() }
  /// The lines of the migration that become part of an answer; nil if they are printed as events.
  private var gathered: [String]?
  /// The exit code of the last migration, or of a comparison that failed since.
  private(set) var exitCode: Int32 = 0
  /// What the sign-in, the rollback and the comparison that are under way report to; nil for none.
  private var signInEnds: ((Result<StoredSession, AppRefusal>) -> Void)?
  private var rollbackEnds: ((Result<[String], AppRefusal>) -> Void)?
  private var comparisonEnds: (([String], Bool) -> Void)?
  /// Whether the next command waits for the answers that a sign-in, a rollback or a comparison needs.
  var isBusy: Bool { signInEnds != nil || rollbackEnds != nil || comparisonEnds != nil }

  /// The console of that device; nil if its app's cloud is another one.
  init?(_ client: DeviceClient, printer: DevicePrinter, loop: Loop) {
    guard let link = client.tables else { return nil }
    self.client = client
    self.link = link
    self.printer = printer
    self.loop = loop
  }

  /// The device's process tells something.
  func tell(_ told: DeviceEffect) {
    switch told {
    case .backgroundRefresh(let effect): printer.print(DeviceEvent(effect))
    case .notice(let notice): gather(notice)
    case .sessionLost(let reason):
      printer.print(DeviceEvent("sessionLost", [("reason", .string(reason))], "not signed in any more: \(reason)"))
    case .hasSignedIn(let session): signInEnds.take()?(.success(session))
    case .signInFailed(let error):
      signInEnds.take()?(.failure(AppRefusal(error.reason, isUnanswered: error.failure.isUnanswered)))
    case .migrationTold(let line): tellMigration(line)
    case .migrationEnded(let code): exitCode = code
    case .compared(let result): compared(result)
    case .rolledBack(let result): rollbackEnds.take()?(result)
    default: return
    }
  }

  /// Signs an account in, or makes it first if it is new. Throws if that cannot be done at all; then the completion is
  /// not called.
  func signIn(
    email: String, password: String, isNew: Bool, completion: @escaping (Result<StoredSession, AppRefusal>) -> Void
  ) throws {
    guard signInEnds == nil else { throw AppRefusal("a sign-in is under way") }
    if link.machine.isSignedIn { throw AppRefusal("\(owner) is signed in; signout first") }
    let isSame = email.lowercased() == link.machine.owner?.email.lowercased()
    if client.coordinator.account != nil, isNew || !isSame { throw try holding() }
    signInEnds = completion
    client.act { $0.signIn(email: email, password: password, isNew: isNew, at: $1) }
  }

  // MARK: Migration

  /// The answer to a wish to sync while rows are moved into an account; nil if they are not.
  var holdText: String? { client.process.migration?.holdText }

  /// Whether local rows wait for an upload that does not run.
  var isMigrationInterrupted: Bool { client.process.migration?.isInterrupted == true }

  /// Goes on with the upload. Returns the lines for the user.
  func migrate() -> [String] {
    gathered = []
    defer { gathered = nil }
    client.act { $0.migrate(at: $1) }
    return gathered ?? []
  }

  /// Takes the upload back: the device has the rows of its backup again, and nobody is signed in.
  func rollBack(isCloudMeant: Bool, completion: @escaping (Result<[String], AppRefusal>) -> Void) {
    do {
      let path = try client.process.rollbackPath()
      guard Folder.exists("\(path)/\(DeviceFile.fileName)") else { throw AppRefusal("the backup \(path) is gone") }
      let backup = try DeviceFile.readOnly(folder: path)
      rollbackEnds = completion
      client.act { process, _ in process.rollBack(isCloudMeant: isCloudMeant, backup: backup, at: path) }
    } catch {
      completion(.failure(AppRefusal("\(error)")))
    }
  }

  /// Compares the device with the server. The exit code is 1 if they differ or nobody is signed in, and 3 without an
  /// answer.
  func verify(completion: @escaping ([String], Bool) -> Void) {
    guard client.app.migration != nil, link.machine.isSignedIn else {
      exitCode = 1
      return completion([MigrationProblem.notAuthenticated.text], false)
    }
    comparisonEnds = completion
    client.act { process, _ in process.compare() }
  }

  private func compared(_ result: Result<MigrationCheck, AppRefusal>) {
    guard let completion = comparisonEnds.take() else { return }
    switch result {
    case .success(let check) where check.isClean: completion(["rows and balances are the server's"], true)
    case .success(let check):
      exitCode = 1
      completion(check.countMismatches + check.balanceMismatches, false)
    case .failure(let failure):
      exitCode = 3
      completion(["rows and balances cannot be compared: \(failure)"], false)
    }
  }

  private func tellMigration(_ line: String) {
    if gathered != nil { return gathered?.append(line) ?? () }
    let state = client.process.migration?.json ?? .null
    printer.print(DeviceEvent("migration", [("text", .string(line)), ("migration", state)], line))
  }

  /// Signs the account out, which empties the store. Throws with the number of edits that are not sent, unless these are
  /// to be discarded.
  func signOut(discards: Bool) throws {
    guard client.coordinator.account != nil else { throw AppRefusal("nobody is signed in") }
    let pending = try client.coordinator.store.census().pending
    let photos = client.process.photos?.queued.count ?? 0
    guard pending == 0 || discards else {
      throw AppRefusal(
        "\(pending.counted("edit")) not sent; sync first, or signout --discard, which puts them into the journal")
    }
    guard photos == 0 || discards else {
      throw AppRefusal(
        "\(photos.counted("photo")) not uploaded; wait for that, or signout --discard, which forgets them")
    }
    try client.signIn(nil)
  }

  /// Stops the timer.
  func close() {
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

  private func tellNotices() {
    for (text, count) in notices {
      printer.print(
        DeviceEvent(
          "notice", [("text", .string(text)), ("count", .integer(Int64(count)))],
          count > 1 ? "\(text) (\(count))" : text))
    }
    notices = []
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
  init(_ fact: ChannelFact) {
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
