import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitWire

/// A running device: its coordinator over its store, connected to the cloud and a timer.
///
/// The coordinator belongs to the app, which can be suspended, ended and launched again.
package final class DeviceClient {
  /// The state of the app's process.
  package enum AppState: String, Hashable, Sendable {
    case running
    /// The process exists, does nothing and receives nothing from the network.
    case suspended
    /// There is no process.
    case ended
  }

  /// The coordinator. Read its state only; pass events to `perform`.
  package private(set) var coordinator: SyncCoordinator<DeviceFile>
  /// The device's clocks.
  package var clock: SystemClock
  /// The device's time zone.
  package var timeZone: TimeZoneRules
  /// Called with every fact that the coordinator reports.
  package var onFact: ((DeviceFact) -> Void)?
  /// Called with the IDs of the records that remote changes affected.
  package var onRemoteChange: (([RecordID]) -> Void)?
  /// Called after each event, when all its effects have been carried out.
  package var onSettled: (() -> Void)?
  /// Called with pushes instead of passing them to the app. `take` passes one to the app.
  package var onPush: ((PushNotification) -> Void)?
  /// The state of the app's process.
  package private(set) var appState = AppState.running
  /// The app.
  package var app: DeviceApp { options.app }
  /// The device's random source.
  package var generator = SystemGenerator()

  private let options: DeviceOptions
  /// The device's folder.
  let folder: String
  private let loop: Loop
  private let lock: DirectoryLock
  private lazy var link: any CloudLink =
    switch options.app.cloud {
    case .zones(let adapter): ZoneLink(self, options, adapter: adapter, loop: loop)
    case .tables(let app): TableServerLink(self, options, app: app, loop: loop)
    case .documents(let app, .rest): ZoneLink(self, options, adapter: DocumentAdapter(app), loop: loop)
    case .documents(_, .cloudkit): ZoneLink(self, options, adapter: CloudKitAdapter(), loop: loop)
    }
  private var control: ControlSocket?
  private var timer: Timer?
  private var isOnline = true
  /// Whether the coordinator's requests are sent.
  private var beginsRequests = true
  /// The number of the app's launch. Answers to requests of an earlier launch are ignored.
  private var run = 0
  /// The events that arrived while the app was suspended.
  private var unheard: [() -> Void] = []
  private var effects: [Effect] = []
  private var isCarryingOut = false
  /// The coordinator's requests on their way.
  private var requests = ReadAhead()

  /// Locks the device's folder and opens its store. Throws if another process holds the folder, if the store cannot be
  /// read, or if another app made it.
  package init(_ options: DeviceOptions, loop: Loop) throws(ServiceError) {
    self.options = options
    self.loop = loop
    timeZone = options.timeZone
    clock = SystemClock(loop: loop, offset: options.clockOffset, drift: options.clockDrift)
    do {
      try StateSwap(data: options.data).finishInterrupted()
      folder = try options.data.device(options.name)
      lock = try DirectoryLock(folder)
      // A device's data survives the end of its process at any moment, as on a phone. Only the cloud survives a power
      // cut. Five waits for the disk between one screen and another would be most of the delay.
      let store = try DeviceFile(folder: folder, durability: .normal)
      try store.claim(for: options.app.storeName, unmarkedApp: options.unmarkedApp)
      coordinator = try SyncCoordinator(store: store, configuration: options.app.configuration)
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
  package var view: AppView {
    AppView(
      store: coordinator.store, account: account, wall: clock.now.wall, timeZone: timeZone,
      hidden: self.coordinator.hiddenRecords)
  }

  /// Copies the device's folder under the backups, in place of an earlier copy of that name. Returns the path.
  func backUp(as name: String) throws(StoreError) -> String {
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

  /// What users read of the device's syncing in one line.
  package func syncLine(_ diagnostics: DeviceDiagnostics) -> SyncStatus.Indicator {
    var facts = SyncStatus.Facts()
    let error = diagnostics.fetch.lastResult.flatMap { $0 == "ok" ? nil : $0 }
    facts.isSyncing = coordinator.isSyncing
    facts.hasSession = diagnostics.user != nil && diagnostics.state != .signedOut
    facts.needsUpdate = error?.hasPrefix(CloudErrorCode.incompatibleVersion.rawValue) ?? false
    facts.error = error
    facts.isOnline = isOnline
    facts.refused = diagnostics.send.quarantined.count
    // What is set aside waits for the user and not to be sent.
    facts.pending = max(0, diagnostics.send.pending - facts.refused)
    facts.lastSync = diagnostics.fetch.lastSucceededAt
    return SyncStatus.Indicator(lineOf: facts, at: clock.now.wall)
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
    timer = Timer(on: loop) { [unowned self] in self.perform { $0.tick(at: $1, using: &$2) } }
    do throws(LoopError) {
      control = try ControlSocket(
        folder: folder, loop: loop, onNotification: { [unowned self] in self.received($0) },
        onAsk: { [unowned self] in
          DeviceReport.answer(of: self)
        })
    } catch {
      throw ServiceError(error)
    }
    if options.startsOffline { setLink(isOnline: false) }
    do throws(StoreError) {
      if let control { try lock.note([("control", "\(control.address)")]) }
      try launchCoordinator(for: options.isSignedOut ? nil : account)
    } catch {
      throw ServiceError(error)
    }
  }

  private func launchCoordinator(for account: Name?) throws(StoreError) {
    link.appStarted()
    try attempt { (coordinator, now, generator) throws(StoreError) in
      try coordinator.launch(account: account, at: now, using: &generator)
    }
    link.coordinatorLaunched()
  }

  // MARK: The app's process

  /// Suspends the app.
  package func suspendApp() {
    guard appState == .running else { return }
    link.appSuspended()
    appState = .suspended
    timer?.cancel()
  }

  /// Resumes a suspended app, which then receives the events that arrived in the meantime.
  package func resumeApp() {
    guard appState == .suspended else { return }
    appState = .running
    let heard = unheard
    unheard = []
    for event in heard { event() }
    perform { $0.tick(at: $1, using: &$2) }
  }

  /// Ends the app's process. The store is unchanged.
  package func endApp() {
    appState = .ended
    run += 1
    unheard = []
    effects = []
    requests = ReadAhead()
    timer?.cancel()
    link.appEnded()
  }

  /// Starts an ended app. Throws if the store fails.
  package func launchApp() throws(StoreError) {
    guard appState == .ended else { return }
    let account = coordinator.account
    coordinator = try SyncCoordinator(store: coordinator.store, configuration: options.app.configuration)
    appState = .running
    if !isOnline { perform { $0.linkChanged(isOnline: false, at: $1, using: &$2) } }
    try launchCoordinator(for: account)
  }

  /// Passes a push to the app.
  package func take(_ notification: PushNotification) {
    perform { $0.receivedPush(notification, at: $1, using: &$2) }
  }

  /// Passes an event to a running app immediately, and to a suspended one when it resumes. An ended app does not
  /// receive it.
  func hear(_ event: @escaping (DeviceClient) -> Void) {
    switch appState {
    case .running: event(self)
    case .suspended:
      unheard.append { [weak self] in
        if let self { event(self) }
      }
    case .ended: return
    }
  }

  /// An event of the coordinator.
  package typealias Event = (inout SyncCoordinator<DeviceFile>, Moment, inout SystemGenerator) -> [Effect]

  /// Passes an event to the coordinator and carries out its effects.
  package func perform(_ event: Event) {
    let store = coordinator.store
    store.beginReading()
    effects += event(&coordinator, clock.now, &generator)
    store.endReading()
    carryOut()
  }

  /// The same for an event that can fail with the store. A disk that fails after a write may have kept the write.
  package func attempt(
    _ event: (inout SyncCoordinator<DeviceFile>, Moment, inout SystemGenerator) throws(StoreError) ->
      [Effect]
  ) throws(StoreError) {
    defer { carryOut() }
    effects += try event(&coordinator, clock.now, &generator)
  }

  /// Disconnects the device from the cloud and the push service, or connects it again.
  package func setLink(isOnline: Bool) {
    guard isOnline != self.isOnline else { return }
    self.isOnline = isOnline
    link.linkChanged(isOnline: isOnline)
    hear { $0.perform { $0.linkChanged(isOnline: isOnline, at: $1, using: &$2) } }
  }

  /// The app came to the front or left it.
  package func frontChanged(isInFront: Bool) { link.frontChanged(isInFront: isInFront) }

  /// Signs another account in; signs out if nil. Throws if the store fails; then nothing has changed.
  package func signIn(_ account: Name?) throws(StoreError) {
    try attempt { (coordinator, now, generator) throws(StoreError) in
      try coordinator.accountChanged(to: account, at: now, using: &generator)
    }
  }

  /// Whether a request was written to the cloud and its answer is missing.
  package var awaitsAnswer: Bool { link.awaitsAnswer }

  /// Begins no further requests. Those under way go on.
  package func beginNothing() {
    beginsRequests = false
    link.beginNothing()
  }

  /// Why the device sends nothing until its user does something; nil if it can send.
  package var hindrance: DeviceEnding.Hindrance? {
    if appState != .running { return .appAway(appState.rawValue) }
    if !isOnline { return .offline }
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

  /// Carries out the waiting effects in order. The effects of an event that one of them causes are added to the end.
  private func carryOut() {
    guard !isCarryingOut else { return }
    isCarryingOut = true
    while !effects.isEmpty { carryOut(effects.removeFirst()) }
    isCarryingOut = false
    if appState == .running, let deadline = coordinator.nextDeadline {
      timer?.schedule(at: deadline.milliseconds)
    } else {
      timer?.cancel()
    }
    onSettled?()
  }

  private func carryOut(_ effect: Effect) {
    switch effect {
    case .send(let id, let request): carryOut(requests.asked(request, as: id))
    case .remoteChange(let recordIDs):
      onRemoteChange?(recordIDs)
      link.recordsChanged(recordIDs)
    case .fact(let fact):
      link.heard(fact)
      onFact?(fact)
    }
  }

  private func carryOut(_ effects: [ReadAhead.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let exchange): send(exchange)
      case .pass(let id, let answer):
        perform { $0.received(id, answer, at: $1, using: &$2) }
        requests.settled()
      }
    }
  }

  private func send(_ exchange: ReadAhead.Exchange) {
    guard beginsRequests else { return }
    link.send(exchange.request) { [weak self, run] answer in
      guard let self, run == self.run else { return }
      self.hear { $0.carryOut($0.requests.answered(exchange, answer)) }
    }
  }

  /// A push from the push service arrived.
  func received(_ notification: PushNotification) {
    if let onPush { onPush(notification) } else { take(notification) }
  }
}
