import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables
import ZoneKitWire

/// A running device: the process of its app over its store, connected to the cloud and a timer. The process decides, the
/// device carries out.
package final class DeviceClient {
  /// The process of the device's app.
  package typealias Process = DeviceProcess<DeviceFile, SystemGenerator>

  /// The state of the app's process.
  package enum AppState: String, Hashable, Sendable {
    case running
    /// The process exists, does nothing and receives nothing from the network.
    case suspended
    /// There is no process.
    case ended
  }

  /// The process. Read its state only; pass events to `act`.
  package private(set) var process: Process
  /// The coordinator.
  package var coordinator: SyncCoordinator<DeviceFile> { _read { yield process.coordinator } }
  /// The device's clocks.
  package var clock: SystemClock
  /// Called with every fact that the coordinator reports.
  package var onFact: ((DeviceFact) -> Void)?
  /// Called with the IDs of the records that remote changes affected.
  package var onRemoteChange: (([RecordID]) -> Void)?
  /// Called with everything else that the process tells.
  package var onTold: ((DeviceEffect) -> Void)?
  /// Carries out a command of the device's prompt, and passes the error, or nil, to the function.
  package var onCommand: (String, @escaping (String?) -> Void) -> Void = { line, answer in
    answer("\(line): this device has no prompt")
  }
  /// Called when the store has to be closed, because the state of the data directory is to be replaced; nil for a device that
  /// does not do that.
  package var onStandAside: (() -> Void)?
  /// Called after each event, when all its effects have been carried out.
  package var onSettled: (() -> Void)?
  /// The state of the app's process.
  package var appState: AppState { process.isRunning ? process.isSuspended ? .suspended : .running : .ended }
  /// The app.
  package var app: DeviceApp { options.app }
  /// The device's time zone.
  package var timeZone: TimeZoneRules {
    get { process.timeZone }
    set { process.timeZone = newValue }
  }

  let options: DeviceOptions
  /// The device's folder.
  let folder: String
  private let loop: Loop
  private let lock: DirectoryLock
  private lazy var link: any CloudLink =
    switch options.app.cloud {
    case .zones(let adapter): ZoneLink(self, options, adapter: options.signed(adapter), loop: loop)
    case .tables(let app): TableServerLink(self, options, app: app, loop: loop)
    case .documents(let app, .rest): ZoneLink(self, options, adapter: DocumentAdapter(app), loop: loop)
    case .documents(_, .cloudkit): ZoneLink(self, options, adapter: options.signed(CloudKitAdapter()), loop: loop)
    }
  private var control: ControlSocket?
  private var timer: Timer?
  /// Why the coordinator could not be launched; nil if it could.
  private var launchFailure: StoreError?

  /// Locks the device's folder and opens its store. Throws if another process holds the folder, if the store cannot be
  /// read, or if another app made it.
  package init(_ options: DeviceOptions, loop: Loop) throws(ServiceError) {
    self.options = options
    self.loop = loop
    clock = SystemClock(loop: loop, offset: options.clockOffset, drift: options.clockDrift)
    do {
      try StateSwap(data: options.data).finishInterrupted()
      folder = try options.data.device(options.name)
      lock = try DirectoryLock(folder)
      // A device's data survives the end of its process at any moment, as on a phone. Only the cloud survives a power
      // cut. Five waits for the disk between one screen and another would be most of the delay.
      let store = try DeviceFile(folder: folder, durability: .normal)
      try store.claim(for: options.app, unmarkedApp: options.unmarkedApp)
      process = try DeviceProcess(
        app: options.app, store: store, configuration: options.app.configuration, generator: SystemGenerator(),
        life: options.hasLife ? DeviceLife() : nil)
      process.timeZone = options.timeZone
    } catch {
      throw ServiceError("\(error)")
    }
  }

  /// The account of the device; nil if none is signed in. A device of a cloud of zones always has one, at least the
  /// default.
  package var account: Name? { link.account }

  /// The connections to a table server; nil if the app's cloud is another one.
  package var tables: TableServerLink? { link as? TableServerLink }

  /// The device's state for the app.
  package var view: AppView { process.view(at: clock.now.wall) }

  /// What the running app answers to its user. Throws if it refuses, or if the store cannot be read.
  package func ask<Outcome>(_ deed: Process.Deed<Outcome>) throws(AppRefusal) -> Outcome {
    try process.ask(at: clock.now.wall, deed)
  }

  /// The record that a word of a user stands for. Throws if it stands for none or for several.
  package func find(_ word: String) throws(AppRefusal) -> RecordID {
    try ask { app, view, _ throws(AppRefusal) in try app.find(word, in: view) }
  }

  /// The running app's answer to a command. Throws if it refuses, or if the store cannot be read.
  package func answer(to line: String) throws(AppRefusal) -> AppAnswer {
    try process.answer(to: line, at: clock.now.wall)
  }

  /// Makes a backup before a migration.
  private func backUp() {
    do throws(StoreError) {
      let path = try backUp(as: "migration")
      act { $0.backedUp(to: path, at: $1) }
    } catch {
      act { process, _ in process.backupFailed(error) }
    }
  }

  /// Copies the device's folder under the backups, in place of an earlier copy of that name. Returns the path.
  private func backUp(as name: String) throws(StoreError) -> String {
    let path = "\(options.data.backups)/\(name)-\(try FileName.folder(Name(options.name), in: options.data.backups))"
    let draft = path + ".new"
    try Folder.make(options.data.backups)
    try Folder.remove(draft)
    try Backup.copyFolder(folder, to: draft)
    try Folder.remove(path)
    try Folder.rename(draft, to: path)
    return path
  }

  /// The device's diagnostics. Throws if the store cannot be read.
  package func diagnostics() throws(StoreError) -> DeviceDiagnostics {
    var diagnostics = try coordinator.diagnostics(name: options.name, at: clock.now.wall)
    diagnostics.push.socket = link.pushSocket
    return diagnostics
  }

  /// The device's entry in the dump's `devices`. Throws if the store cannot be read.
  package func report(_ diagnostics: DeviceDiagnostics) throws(StoreError) -> JSON {
    if app.wire == .rest { return try DocumentReport.device(diagnostics, store: coordinator.store) }
    guard let tables else { return DeviceReport.device(diagnostics) }
    return try TableReport.device(
      diagnostics, try tables.sight(), store: coordinator.store, at: clock.now.wall)
  }

  /// Opens the control socket, launches the coordinator, and goes online unless the options forbid it. Throws if the
  /// store or the socket fails.
  package func launch() throws(ServiceError) {
    timer = Timer(on: loop) { [unowned self] in self.act { $0.tick(at: $1.monotonic) } }
    do throws(LoopError) {
      control = try ControlSocket(
        folder: folder, loop: loop, onNotification: { [unowned self] in self.received($0) },
        onCommand: { [unowned self] in onCommand($0, $1) },
        onAsk: { [unowned self] in answer(to: $0) })
    } catch {
      throw ServiceError(error)
    }
    if options.startsOffline { setLink(isOnline: false) }
    do throws(StoreError) {
      if let control { try lock.note([("control", "\(control.address)")]) }
      try start(account: options.isSignedOut ? nil : account)
    } catch {
      throw ServiceError(error)
    }
  }

  private func start(account: Name?) throws(StoreError) {
    launchFailure = nil
    process.photosKept(try tables?.photos?.names() ?? [])
    try attempt { (process, moment) throws(StoreError) in
      try process.open()
      try process.start(account: account, at: moment.monotonic)
    }
    if let launchFailure { throw launchFailure }
  }

  // MARK: The app's process

  /// The user force-quits the app. The store is unchanged.
  package func forceQuit() {
    link.appEnded()
    act { $0.forceQuit(at: $1.monotonic) }
  }

  /// Starts the app's process, if it does not run.
  private func launchApp() {
    guard appState == .ended else { return }
    do throws(StoreError) { try start(account: coordinator.account) } catch { onFact?(.storeFailed(error)) }
  }

  // MARK: Events

  /// Passes an event to the process, and carries out what follows.
  package func act(_ event: (inout Process, Moment) -> Void) {
    let depth = process.depth
    step(event)
    carryOn(to: depth)
  }

  /// The same for an event that can fail with the store. A disk that fails after a write may have kept the write.
  package func attempt(_ event: (inout Process, Moment) throws(StoreError) -> Void) throws(StoreError) {
    let depth = process.depth
    defer { carryOn(to: depth) }
    try event(&process, clock.now)
  }

  /// Passes an event to the coordinator, and carries out what follows.
  package func perform(_ event: Process.Event) { act { $0.pass(at: $1, event) } }

  /// The same for an event that can fail with the store.
  package func attempt(_ event: Process.FallibleEvent) throws(StoreError) {
    try attempt { (process, moment) throws(StoreError) in try process.attempt(at: moment, event) }
  }

  /// The app changes records, and its own values, in one transaction. Throws if the store fails.
  package func edit(_ edits: [RecordEdit], setting values: [AppValueChange] = []) throws(StoreError) {
    try attempt { (process, moment) throws(StoreError) in try process.edit(edits, setting: values, at: moment) }
  }

  /// A function that passes messages to the present process. A later one does not get them.
  func receiver() -> (DeviceMessage) -> Void {
    { [weak self, number = process.processNumber] message in
      guard let self, number == self.process.processNumber else { return }
      self.received(message)
    }
  }

  /// A message arrived.
  func received(_ message: DeviceMessage) {
    guard let message = process.arrived(message) else { return }
    act { $0.receive(message, at: $1.monotonic) }
  }

  /// Disconnects the device from the cloud and the push service, or connects it again.
  package func setLink(isOnline: Bool) {
    guard isOnline != process.hasLink else { return }
    link.linkChanged(isOnline: isOnline)
    act { $0.linkChanged(isOnline: isOnline, at: $1.monotonic) }
  }

  /// Signs another account in; signs out if nil. Throws if the store fails; then nothing has changed.
  package func signIn(_ account: Name?) throws(StoreError) {
    try attempt { (process, moment) throws(StoreError) in try process.changeAccount(to: account, at: moment) }
  }

  /// Whether a request was written to the cloud and its answer is missing.
  package var awaitsAnswer: Bool { link.awaitsAnswer }

  /// Begins no further requests. Those under way go on.
  package func beginNothing() {
    process.sendsRequests = false
    act { $0.pass(at: $1.monotonic) { link, now, _ in link.photosHeld(true, at: now) } }
  }

  /// The tables of which rows were moved since the last call.
  func takeMovedTables() -> MovedTables { process.takeMovedTables() }

  /// The bytes of those photos are on the device.
  func photosKept(_ photos: Set<PhotoName>) { process.photosKept(photos) }

  /// Why the device sends nothing until its user does something; nil if it can send.
  package var hindrance: DeviceEnding.Hindrance? {
    if appState != .running { return .appAway(appState.rawValue) }
    if !process.hasLink { return .offline }
    if coordinator.account == nil { return .signedOut }
    return options.knowsServer ? nil : .noServer
  }

  /// Ends all connections. The store needs no closing.
  package func close() {
    timer?.close()
    control?.close()
    link.close()
  }

  // MARK: Effects

  /// Lets the process do one thing, in one transaction of reads.
  private func step<Outcome>(_ event: (inout Process, Moment) -> Outcome) -> Outcome {
    let (store, moment) = (process.coordinator.store, clock.now)
    store.beginReading()
    defer { store.endReading() }
    return event(&process, moment)
  }

  /// Lets the process carry on until its work has that depth.
  private func carryOn(to depth: Int) {
    while process.depth > depth {
      if let effect = step({ $0.next(at: $1) }) { carryOut(effect) }
    }
    guard depth == 0 else { return }
    if let deadline = process.nextDeadline { timer?.schedule(at: deadline.milliseconds) } else { timer?.cancel() }
    onSettled?()
  }

  private func carryOut(_ effect: DeviceEffect) {
    switch effect {
    case .edit(let edit): write(edit)
    case .launched: link.coordinatorLaunched()
    case .notLaunched(let error):
      launchFailure = error
      link.appEnded()
      act { $0.crashed(at: $1.monotonic) }
    case .remoteChange(let records):
      onRemoteChange?(records)
      link.carryOut(effect)
    case .fact(let fact):
      link.carryOut(effect)
      onFact?(fact)
    case .channelFact, .signInFailed:
      link.carryOut(effect)
      onTold?(effect)
    case .photoFact, .notice, .sessionLost, .hasSignedIn, .migrationTold, .migrationEnded, .compared, .rolledBack,
      .life,
      .backgroundRefresh:
      onTold?(effect)
    case .launch: launchApp()
    case .resumed(let messages): for message in messages { act { $0.receive(message, at: $1.monotonic) } }
    case .storeFailed(let error): onFact?(.storeFailed(error))
    case .backUp: backUp()
    case .wantsSync, .asks, .receives, .receivesPush, .settled: break
    case .send, .requestAbandoned, .askRows, .askRelations, .askFunction, .askAccount, .askObject, .openSocket,
      .sendFrame,
      .closeSocket, .signedIn, .keepPhoto, .removePhotos, .prepareRollback, .linkSettled, .connectPush, .closePush:
      link.carryOut(effect)
    }
  }

  /// Writes an edit that the process makes by itself.
  private func write(_ edit: DeviceEdit) {
    do throws(StoreError) {
      try self.edit(edit.edits, setting: edit.values)
    } catch {
      onFact?(.storeFailed(error))
    }
  }

  /// A push from the push service arrived.
  func received(_ notification: PushNotification) { act { $0.pushArrived(notification, at: $1.monotonic) } }
}
