import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitSync

/// A running device with its app and its console. Commands are carried out in order, and events are printed as they
/// happen.
final class DeviceSession {
  /// How long the next command waits for a sync to end, in milliseconds.
  static let patience: Int64 = 10_000

  let client: DeviceClient
  let printer: DevicePrinter
  let loop: Loop
  /// Whether commands are carried out without waiting for syncs.
  private let isEager: Bool
  /// What is done only for an app whose rows lie in the tables of a server; nil for other apps.
  let tables: TableConsole?
  let app: DeviceApp
  /// The commands that wait. `answer` gets the error of one, or nil.
  private var commands: [(line: String, answer: ((String?) -> Void)?)] = []
  private var hasEnded = false
  /// The time until which the next command waits for a sync to end; nil if it does not wait.
  var waitsUntil: Int64?
  private var ending: DeviceEnding
  /// Whether the user wants the device to end without the commands that wait.
  private var isInterrupted = false
  /// Why the last sync failed; nil if it succeeded.
  private var lastError: String?
  private let transfers: TransferLines
  private var isPumping = false
  private var isClosed = false
  /// Whether the device ended because the state of the data directory is replaced, and is to start again with the new one.
  private(set) var standsAside = false
  private lazy var timer = Timer(on: loop) { [unowned self] in self.pump() }
  /// The number of failed commands.
  private var failures = 0
  /// The number of commands that got no answer from a server.
  private var unanswered = 0
  /// Whether a command requested a sync that has not succeeded since.
  private var hasAskedForSync = false
  /// What was not sent at the end; nil before that.
  private(set) var outcome: DeviceEnding.Outcome?
  /// The exit code of the device: 2 if a command failed, otherwise that of the end.
  var exitCode: Int32 { failures > 0 ? 2 : endCode }
  /// The exit code of a device whose user sees what fails: 3 if edits were not sent or refused, or a server did not answer
  /// a command, otherwise that of a migration.
  var endCode: Int32 { outcome?.isExpected == false || unanswered > 0 ? 3 : tables?.exitCode ?? 0 }

  /// A session for a device. `linger` is the time that it continues after its last command to send pending changes, in
  /// milliseconds. If `isEager` is true, commands do not wait for syncs to end.
  init(_ client: DeviceClient, printer: DevicePrinter, loop: Loop, linger: Int64, isEager: Bool) {
    app = client.app
    self.client = client
    self.printer = printer
    self.loop = loop
    ending = DeviceEnding(linger: linger)
    self.isEager = isEager
    transfers = TransferLines(printer: printer, loop: loop)
    tables = TableConsole(client, printer: printer, loop: loop)
    client.onFact = { [unowned self] in self.tell($0) }
    client.onRemoteChange = { [unowned self] in self.remoteChange($0) }
    client.onTold = { [unowned self] in self.tell($0) }
    client.onSettled = { [unowned self] in self.pump() }
    client.onCommand = { [unowned self] in self.submit($0, answer: $1) }
    client.onStandAside = { [unowned self] in self.standAside() }
  }

  /// Starts the device. Commands wait for the first sync to end, so that they see the cloud's records.
  func launch() throws(ServiceError) {
    waitsUntil = loop.now + Self.patience
    try client.launch()
    pump()
  }

  /// Adds a command. After the end there are none. `answer` gets its error, or nil.
  func submit(_ line: String, answer: ((String?) -> Void)? = nil) {
    guard !hasEnded else {
      answer?("the device is ending")
      return
    }
    commands.append((line, answer))
    pump()
  }

  /// No more commands follow.
  func end() {
    hasEnded = true
    pump()
  }

  /// A signal asks the device to end. The first one leaves time to send what waits, the second does not.
  func interrupt() {
    guard !isInterrupted else { return carryOut(ending.interrupted(sight)) }
    isInterrupted = true
    commands = []
    waitsUntil = nil
    end()
  }

  /// The commands that were not carried out, and whether no more follow.
  var rest: (commands: [String], isEnd: Bool) { (commands.map(\.line), hasEnded) }

  private func standAside() {
    printer.print(
      DeviceEvent("standAside", [], "closes its store, because the state of the data directory is replaced"))
    for command in commands { command.answer?("the device starts again") }
    commands.removeAll { $0.answer != nil }
    standsAside = true
    close()
  }

  // MARK: Commands

  /// Carries out what is possible now: the next command, or the end.
  func pump() {
    guard !isPumping, !isClosed else { return }
    isPumping = true
    defer { isPumping = false }
    while !isWaiting, !commands.isEmpty {
      let (line, answer) = commands.removeFirst()
      let error = perform(line)
      answer?(error)
    }
    if hasEnded, commands.isEmpty, !isWaiting {
      carryOut(ending.proceed(sight, at: MonotonicTime(milliseconds: loop.now)))
    }
    guard let next = [waitsUntil, ending.nextDeadline?.milliseconds].compactMap({ $0 }).min(), !isClosed else { return }
    timer.schedule(at: next)
  }

  /// Whether the next command waits for a sync. A lost link or an unreachable server ends the wait.
  private var isWaiting: Bool {
    if tables?.isBusy == true { return !isInterrupted }
    guard let until = waitsUntil else { return false }
    // Without a link and while nobody is signed in, no sync ends.
    let isIdle =
      client.coordinator.isIdle && tables?.holdText == nil || client.coordinator.liveState == .signedOut
      || !client.process.isOnline
    if isEager || isIdle || loop.now >= until { waitsUntil = nil }
    return waitsUntil != nil
  }

  // MARK: The end

  /// What the end of the device depends on.
  private var sight: DeviceEnding.Sight {
    var sight = DeviceEnding.Sight()
    countEdits(&sight)
    sight.photos = tables?.photosToSend ?? 0
    sight.isIdle = client.coordinator.isIdle && tables?.holdText == nil
    sight.isSyncing = client.coordinator.isSyncing || tables?.holdText != nil
    sight.isDebouncing = client.coordinator.liveState == .debouncing
    sight.awaitsAnswer = client.awaitsAnswer
    sight.hindrance = client.hindrance
    sight.isRefused = client.coordinator.liveState == .signedOut
    // A signal ends the wait for answers.
    sight.isAsked = !isInterrupted && (hasAskedForSync || tables?.holdText != nil)
    sight.error = lastError
    return sight
  }

  /// Counts the edits that wait and those that the cloud refused. A store that cannot be read has been reported, and nothing
  /// can be sent from it.
  private func countEdits(_ sight: inout DeviceEnding.Sight) {
    let store = client.coordinator.store
    guard let census = try? store.census() else { return }
    (sight.edits, sight.refused) = (census.pending - census.quarantined, census.quarantined)
    guard census.quarantined > 0 else { return }
    sight.refusal = (try? store.quarantined(limit: 1))?.first?.quarantine?.text
  }

  private var waitingEdits: Int {
    var sight = DeviceEnding.Sight()
    countEdits(&sight)
    return sight.edits
  }

  private func carryOut(_ effects: [DeviceEnding.Effect]) {
    for effect in effects {
      switch effect {
      case .sendNow:
        printer.lingers(for: waitingEdits)
        client.perform { $0.requestSyncIfNeeded(reason: .manual, at: $1, using: &$2) }
      case .beginNothing: client.beginNothing()
      case .end(let outcome):
        self.outcome = outcome
        close()
      }
    }
  }

  private func close() {
    isClosed = true
    timer.close()
    transfers.close()
    tables?.close()
    client.close()
    loop.stop()
  }

  /// Carries a command out. Returns its error; nil if there is none.
  private func perform(_ line: String) -> String? {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard !text.isEmpty, !text.hasPrefix("#") else {
      printer.prompt()
      return nil
    }
    defer { if !hasEnded { printer.prompt() } }
    do {
      let command = try ConsoleCommand(
        parsing: String(text), appVerbs: app.commands.verbs, hasTables: app.hasTables)
      try perform(command, line: String(text))
      return nil
    } catch {
      refuse(line, error)
      return "\(error)"
    }
  }

  /// Prints that a command failed, and counts it.
  func refuse(_ line: String, _ error: any Error) {
    if (error as? AppRefusal)?.isUnanswered == true { unanswered += 1 } else { failures += 1 }
    printer.refuse(line, "\(error)")
  }

  private func perform(_ command: ConsoleCommand, line: String) throws {
    switch command {
    case .app: return try performInApp(line)
    case .status(let asJSON): return try status(line, asJSON: asJSON)
    case .sync: try sync()
    case .tables(let command): return try performOnTables(command, line)
    case .offline: client.setLink(isOnline: false)
    case .online:
      client.setLink(isOnline: true)
      waitsUntil = loop.now + Self.patience
    case .background, .foreground, .lowPower, .refresh, .forceQuit: try live(command)
    case .clock(let setting):
      setting.set(&client.clock)
      let now = client.clock.now.wall.iso8601
      printer.print(DeviceEvent("clock", [("clock", .string(now))], "clock set to \(now)"))
    case .timeZone(let name):
      client.timeZone = try SystemTimeZones.rules(name)
      printer.print(DeviceEvent("timezone", [("timezone", .string(name))], "the device is in \(name)"))
    case .account(let account):
      try signIn(account)
      return printer.answer(line, [JSON.Member("deviceID", .string(client.coordinator.deviceID))], lines: [])
    case .help:
      let help = ConsoleCommand.help(for: app)
      return printer.answer(line, [JSON.Member("help", .string(help))], lines: [help])
    case .quit:
      commands = []
      waitsUntil = nil
      hasEnded = true
      return
    }
    // In JSON output the command is answered; text output shows only its consequences.
    printer.answer(line, [], lines: [])
  }

  /// Requests a sync at the user's wish. The next command waits for its end.
  func sync() throws {
    try checkApp()
    if let text = tables?.holdText { printer.print(DeviceEvent("held", [("text", .string(text))], text)) }
    waitsUntil = loop.now + Self.patience
    hasAskedForSync = true
    client.perform { $0.requestSyncIfNeeded(reason: .manual, at: $1, using: &$2) }
  }

  private func performInApp(_ line: String) throws {
    try checkApp()
    let answer = try client.answer(to: line)
    try save(answer)
    printer.answer(line, { answer.members(in: self.client.view) }, lines: answer.lines)
  }

  /// Passes what an app's answer changes to the coordinator, for one transaction.
  func save(_ answer: AppAnswer) throws(StoreError) {
    guard !answer.isReadOnly else { return }
    try client.edit(answer.edits, setting: answer.appValues)
  }

  /// Carries out a command that changes the state of the app or the device.
  private func live(_ command: ConsoleCommand) throws {
    switch command {
    case .background:
      printer.print(DeviceEvent("life", [("foreground", false)], "in the background"))
      client.act { $0.enteredBackground(at: $1.monotonic) }
    case .foreground:
      printer.print(DeviceEvent("life", [("foreground", true)], "in the foreground"))
      client.act { $0.enteredForeground(at: $1.monotonic) }
    case .lowPower(let isOn):
      try checkLife()
      client.act { $0.lowPowerChanged(isOn: isOn, at: $1.monotonic) }
    case .refresh(let isOn):
      if tables == nil { try checkLife() }
      client.act { $0.backgroundRefreshChanged(isOn: isOn, at: $1.monotonic) }
    default:
      try checkLife()
      client.forceQuit()
    }
  }

  private func checkLife() throws(AppRefusal) {
    guard client.process.life == nil else { return }
    throw AppRefusal("this device has no system that could do that; start it with --life")
  }

  /// Refuses a command for an app that is not running.
  func checkApp() throws(AppRefusal) {
    guard client.appState == .running else {
      throw AppRefusal("the app is \(client.appState.rawValue); foreground opens it")
    }
  }

  /// Signs an account in or out. The app of one account shows no data of another.
  private func signIn(_ account: Name?) throws {
    try checkApp()
    try client.signIn(account)
  }

  // MARK: Events

  private func tell(_ fact: DeviceFact) {
    switch fact {
    // It would be printed for every command and contains nothing new.
    case .syncRequested: return
    case .syncFailed(_, let error, _): lastError = error.reason
    case .syncFinished:
      lastError = nil
      hasAskedForSync = false
    default: break
    }
    guard !transfers.counts(fact, waiting: waitingEdits, hasChannel: tables != nil) else { return }
    printer.print(tables == nil ? DeviceEvent(fact) : DeviceEvent(overTables: fact))
  }

  private func tell(_ told: DeviceEffect) {
    switch told {
    case .life(let effect): if let event = DeviceEvent(effect) { printer.print(event) }
    case .channelFact(let fact): if !transfers.counts(fact) { printer.print(DeviceEvent(fact)) }
    case .photoFact(let fact): if !transfers.counts(fact) { printer.print(DeviceEvent(fact)) }
    default: tables?.tell(told)
    }
  }

  /// Records were changed remotely, and the app shows them anew.
  private func remoteChange(_ recordIDs: [RecordID]) {
    guard !transfers.isFetching else { return }
    printer.print(
      DeviceEvent(
        "remoteChange", [("records", .array(recordIDs.map { .string($0.recordName.text) }))],
        "changed: \(recordIDs.count.counted("record"))"))
  }
}
