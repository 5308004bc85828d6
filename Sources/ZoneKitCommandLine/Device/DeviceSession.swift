import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitSync

/// A running device with its app and its console. Commands are carried out in order, and events are printed as they
/// happen.
final class DeviceSession {
  /// How long the next command waits for a sync to end, in milliseconds.
  static let patience: Int64 = 10_000

  private let client: DeviceClient
  private let printer: DevicePrinter
  private let loop: Loop
  private let linger: Int64
  /// Whether commands are carried out without waiting for syncs.
  private let isEager: Bool
  /// The device's operating system; nil if every push is passed to the app.
  private let system: DeviceSystem?
  /// What is done only for an app whose rows lie in the tables of a server; nil for other apps.
  private let tables: TableConsole?
  private let app: DeviceApp
  private var running: any RunningApp
  private var commands: [String] = []
  private var hasEnded = false
  /// The time until which the next command waits for a sync to end; nil if it does not wait.
  private var waitsUntil: Int64?
  private var endsAt: Int64?
  private var isPumping = false
  private var isClosed = false
  private lazy var timer = Timer(on: loop) { [unowned self] in self.pump() }
  /// The number of failed commands.
  private(set) var failures = 0
  /// The exit code of the device: 2 if a command failed, otherwise that of a migration.
  var exitCode: Int32 { failures > 0 ? 2 : tables?.exitCode ?? 0 }

  /// A session for a device. `linger` is the time that it continues after its last command to send pending changes, in
  /// milliseconds. If `isEager` is true, commands do not wait for syncs to end. With a system, pushes can be held back
  /// and the app can be suspended.
  init(
    _ client: DeviceClient, printer: DevicePrinter, loop: Loop, linger: Int64, isEager: Bool, hasLife: Bool
  ) throws(ServiceError) {
    app = client.app
    self.client = client
    self.printer = printer
    self.loop = loop
    self.linger = linger
    self.isEager = isEager
    system = hasLife ? DeviceSystem(client, printer: printer, loop: loop) : nil
    tables = TableConsole(client, printer: printer, loop: loop)
    do throws(StoreError) {
      running = try app.launch(client.view)
    } catch {
      throw ServiceError(error)
    }
    client.onFact = { [unowned self] fact in
      self.tell(fact)
      self.tables?.heard(fact)
    }
    client.onRemoteChange = { [unowned self] in self.remoteChange($0) }
    client.onSettled = { [unowned self] in
      self.tables?.settled()
      self.pump()
    }
    tables?.onPhotoNamed = { [unowned self] records in
      do {
        try self.running.refresh(records, from: client.view)
      } catch {
        self.printer.print(DeviceEvent(storeFailed: error))
      }
    }
    system?.onLaunch = { [unowned self] in
      self.running = try self.app.launch(client.view)
    }
  }

  /// Starts the device. Commands wait for the first sync to end, so that they see the cloud's records.
  func launch() throws(ServiceError) {
    waitsUntil = loop.now + Self.patience
    try client.launch()
    tables?.launched()
    pump()
  }

  /// Adds a command.
  func submit(_ line: String) {
    commands.append(line)
    pump()
  }

  /// Takes in that no more commands follow.
  func end() {
    hasEnded = true
    pump()
  }

  // MARK: Commands

  /// Carries out what is possible now: the next command, or the end.
  private func pump() {
    guard !isPumping, !isClosed else { return }
    isPumping = true
    defer { isPumping = false }
    while !isWaiting, !commands.isEmpty { perform(commands.removeFirst()) }
    if hasEnded, commands.isEmpty, !isWaiting { leaveWhenSent() }
    guard let next = [waitsUntil, endsAt].compactMap({ $0 }).min(), !isClosed else { return }
    timer.schedule(at: next)
  }

  /// Whether the next command waits for a sync. A lost link or an unreachable server ends the wait.
  private var isWaiting: Bool {
    if tables?.isBusy == true { return true }
    guard let until = waitsUntil else { return false }
    // While nobody is signed in, no sync ends.
    let isIdle =
      client.coordinator.isIdle && tables?.holdText == nil || client.coordinator.liveState == .signedOut
    if isEager || isIdle || loop.now >= until { waitsUntil = nil }
    return waitsUntil != nil
  }

  private func leaveWhenSent() {
    let end = endsAt ?? loop.now + linger
    if endsAt == nil, app.hasTables, !isAllSent {
      // Edits wait for a quiet time, which may be longer than the device goes on.
      client.perform { $0.requestSyncIfNeeded(reason: .manual, at: $1, using: &$2) }
    }
    endsAt = end
    guard isAllSent || loop.now >= end else { return }
    close()
  }

  private var isAllSent: Bool {
    guard client.coordinator.isIdle, tables?.holdText == nil, tables?.hasPhotosToSend != true,
      let census = try? client.coordinator.store.census()
    else {
      return false
    }
    return census.pending == census.quarantined
  }

  private func close() {
    isClosed = true
    timer.close()
    system?.close()
    tables?.close()
    client.close()
    loop.stop()
  }

  private func perform(_ line: String) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard !text.isEmpty, !text.hasPrefix("#") else { return printer.prompt() }
    do {
      let command = try ConsoleCommand(
        parsing: String(text), appVerbs: app.commands.verbs, hasTables: app.hasTables)
      try perform(command, line: String(text))
    } catch {
      failures += 1
      printer.refuse(line, "\(error)")
    }
    if !isClosed { printer.prompt() }
  }

  private func perform(_ command: ConsoleCommand, line: String) throws {
    switch command {
    case .app: return try performInApp(line)
    case .status: return try status(line)
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
    case .account(let account):
      try signIn(account)
      return printer.answer(line, [JSON.Member("deviceID", .string(client.coordinator.deviceID))], lines: [])
    case .help:
      let help = ConsoleCommand.help(for: app)
      return printer.answer(line, [JSON.Member("help", .string(help))], lines: [help])
    case .quit: return close()
    }
    // In JSON output the command is answered; text output shows only its consequences.
    printer.answer(line, [], lines: [])
  }

  private func sync() throws {
    try checkApp()
    if let text = tables?.holdText { printer.print(DeviceEvent("held", [("text", .string(text))], text)) }
    waitsUntil = loop.now + Self.patience
    client.perform { $0.requestSyncIfNeeded(reason: .manual, at: $1, using: &$2) }
  }

  private func performOnTables(_ command: TableCommand, _ line: String) throws {
    try checkApp()
    switch command {
    case .signUp(let email, let password): return try signIn(email, password, isNew: true, line)
    case .signIn(let email, let password): return try signIn(email, password, isNew: false, line)
    case .signOut(let discards):
      try tables?.signOut(discards: discards)
      running = try app.launch(client.view)
    case .pull: try sync()
    case .send(let word): try sendFirst(try running.find(word, in: client.view))
    case .retry(let word?):
      let recordID = try running.find(word, in: client.view)
      try tables?.retryPhotos(of: recordID)
      try sendFirst(recordID)
    case .retry(nil):
      let lines = try tables?.retry() ?? []
      waitsUntil = loop.now + Self.patience
      return printer.answer(line, [JSON.Member("lines", .array(lines.map { .string($0) }))], lines: lines)
    case .photo(let word, .shown):
      let place = try tables?.place(ofPhotoOf: try running.find(word, in: client.view)) ?? ""
      return printer.answer(line, [JSON.Member("photo", .string(place))], lines: [place])
    case .photo(let word, let choice): return try setPhoto(choice, of: word, line)
    case .migrate(.goOn):
      let lines = tables?.migrate() ?? []
      return printer.answer(line, [JSON.Member("lines", .array(lines.map { .string($0) }))], lines: lines)
    case .migrate(.rollBack(let isCloudMeant)): return rollBack(isCloudMeant: isCloudMeant, line)
    case .migrate(.verify):
      tables?.verify { [printer] lines, isClean in
        printer.answer(
          line, [JSON.Member("isClean", .bool(isClean)), JSON.Member("lines", .array(lines.map { .string($0) }))],
          lines: lines)
      }
      return
    case .trace(let word):
      let recordID = try running.find(word, in: client.view)
      let report = try RecordReport.report(on: recordID, in: client.coordinator.store) ?? .null
      return printer.answer(line, [JSON.Member("trace", report)], lines: [report.text(.pretty)])
    }
    printer.answer(line, [], lines: [])
  }

  private func sendFirst(_ recordID: RecordID) throws(StoreError) {
    waitsUntil = loop.now + Self.patience
    try client.attempt { (coordinator, now, generator) throws(StoreError) in
      try coordinator.sendFirst(recordID, at: now, using: &generator)
    }
  }

  /// Gives a photo to a row or takes it away.
  private func setPhoto(_ choice: TableCommand.PhotoChoice, of word: String, _ line: String) throws {
    // The row is looked up before the file is copied.
    let recordID = try running.find(word, in: client.view)
    let answer = try running.setPhoto(try tables?.photo(choice), of: word, in: client.view)
    try save(answer)
    tables?.recordsChanged([recordID])
    printer.answer(line, { answer.members(in: self.client.view) }, lines: answer.lines)
  }

  /// Takes a migration back. The next command waits for the end.
  private func rollBack(isCloudMeant: Bool, _ line: String) {
    tables?.rollBack(isCloudMeant: isCloudMeant) { [unowned self] result in
      do {
        let lines = try result.get()
        self.running = try self.app.launch(self.client.view)
        self.printer.answer(line, [JSON.Member("lines", .array(lines.map { .string($0) }))], lines: lines)
      } catch {
        self.failures += 1
        self.printer.refuse(line, "\(error)")
      }
      self.pump()
    }
  }

  /// Signs an account in. The next command waits for the answer, and then for the first sync.
  private func signIn(_ email: String, _ password: String, isNew: Bool, _ line: String) throws {
    try tables?.signIn(email: email, password: password, isNew: isNew) { [unowned self] result in
      do {
        let session = try result.get()
        self.running = try self.app.launch(self.client.view)
        self.waitsUntil = self.loop.now + Self.patience
        let account = session.account.text
        self.printer.answer(
          line, [JSON.Member("account", .string(account)), JSON.Member("email", .string(session.email))],
          lines: ["signed in as \(session.email)"])
      } catch {
        self.failures += 1
        self.printer.refuse(line, "\(error)")
      }
      self.pump()
    }
  }

  private func performInApp(_ line: String) throws {
    try checkApp()
    let answer = try running.perform(line, in: client.view, using: &client.generator)
    try save(answer)
    printer.answer(line, { answer.members(in: self.client.view) }, lines: answer.lines)
  }

  /// Passes what an app's answer changes to the coordinator, for one transaction.
  private func save(_ answer: AppAnswer) throws(StoreError) {
    guard !answer.isReadOnly else { return }
    try client.attempt { (coordinator, now, generator) throws(StoreError) in
      try coordinator.edit(answer.edits, setting: answer.appValues, at: now, using: &generator)
    }
    let changed = answer.edits.map(\.recordID)
    try running.refresh(changed, from: client.view)
    tables?.recordsChanged(changed)
  }

  /// Carries out a command that changes the state of the app or the device.
  private func live(_ command: ConsoleCommand) throws {
    switch command {
    case .background:
      client.frontChanged(isInFront: false)
      tables?.frontChanged(isInFront: false)
      system?.change { $0.enteredBackground(at: $1) }
      client.perform { $0.enteredBackground(at: $1, using: &$2) }
      printer.print(DeviceEvent("life", [("foreground", false)], "in the background"))
    case .foreground:
      system?.change { $0.enteredForeground(at: $1) }
      client.resumeApp()
      client.frontChanged(isInFront: true)
      tables?.frontChanged(isInFront: true)
      printer.print(DeviceEvent("life", [("foreground", true)], "in the foreground"))
      client.perform { $0.foreground(at: $1, using: &$2) }
    case .lowPower(let isOn): try living().change { $0.lowPowerChanged(isOn: isOn, at: $1) }
    case .refresh(let isOn) where system == nil && tables != nil: tables?.refreshChanged(isOn: isOn)
    case .refresh(let isOn):
      tables?.refreshChanged(isOn: isOn)
      try living().change { $0.backgroundRefreshChanged(isOn: isOn, at: $1) }
    default: try living().forceQuit()
    }
  }

  private func living() throws(AppRefusal) -> DeviceSystem {
    guard let system else { throw AppRefusal("this device has no system that could do that; start it with --life") }
    return system
  }

  /// Refuses a command for an app that is not running.
  private func checkApp() throws(AppRefusal) {
    guard client.appState == .running else {
      throw AppRefusal("the app is \(client.appState.rawValue); foreground opens it")
    }
  }

  /// Signs an account in or out. The app of one account shows no data of another.
  private func signIn(_ account: Name?) throws {
    try checkApp()
    try client.signIn(account)
    running = try app.launch(client.view)
  }

  private func status(_ line: String) throws {
    let diagnostics = try client.diagnostics()
    var report = try client.report(diagnostics)
    var lines = [report.text(.pretty)]
    if app.hasSyncLine {
      let line = client.syncLine(diagnostics)
      report = .object(
        [JSON.Member("sync", ["icon": .string(line.icon), "text": .string(line.text)])] + (report.object ?? []))
      lines.insert(line.text, at: 0)
    }
    printer.answer(line, [JSON.Member("status", report)], lines: lines)
  }

  // MARK: Events

  private func tell(_ fact: DeviceFact) {
    // It would be printed for every command and contains nothing new.
    if case .syncRequested = fact { return }
    printer.print(tables == nil ? DeviceEvent(fact) : DeviceEvent(overTables: fact))
  }

  /// Takes in a remote change: the app shows the records anew and repairs what its rules do not allow.
  private func remoteChange(_ recordIDs: [RecordID]) {
    do {
      try running.refresh(recordIDs, from: client.view)
      let repairs = try running.repairs(in: client.view)
      printer.print(
        DeviceEvent(
          "remoteChange", [("records", .array(recordIDs.map { .string($0.recordName.text) }))],
          "changed: \(recordIDs.count.counted("record"))"))
      try save(AppAnswer(edits: repairs))
    } catch {
      printer.print(DeviceEvent(storeFailed: error))
    }
  }
}
