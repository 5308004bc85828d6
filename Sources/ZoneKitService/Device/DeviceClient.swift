import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitWire

/// A running device: its coordinator over its store, connected to the cloud, the push socket and a timer.
///
/// The app, to which the coordinator belongs, can be suspended, ended and launched again. The connection to the push
/// service belongs to the device and stays.
package final class DeviceClient {
  /// Whether the app's process computes.
  package enum AppState: String, Hashable, Sendable {
    case running
    /// It has a process that computes nothing and receives nothing from the network.
    case suspended
    /// It has no process.
    case ended
  }

  /// The coordinator, to be asked about its state; every event goes through `perform`.
  package private(set) var coordinator: SyncCoordinator<DeviceFile>
  /// The device's clocks.
  package var clock: SystemClock
  /// Receives every fact that the coordinator reports.
  package var onFact: ((DeviceFact) -> Void)?
  /// Receives the IDs of the records that the cloud changed.
  package var onRemoteChange: (([RecordID]) -> Void)?
  /// Called after each event, when all its effects have been carried out.
  package var onSettled: (() -> Void)?
  /// Receives the pushes in place of the app; `take` hands them on to it.
  package var onPush: ((PushNotification) -> Void)?
  /// Whether the app runs.
  package private(set) var appState = AppState.running
  /// The app.
  package var app: DeviceApp { options.app }
  /// The device's random source.
  package var generator = SystemRandomNumberGenerator()

  private let options: DeviceOptions
  private let folder: String
  private let loop: Loop
  private let lock: DirectoryLock
  private let http: HTTPClient
  private let push: PushClient
  private var control: ControlSocket?
  private var timer: Timer?
  private var isOnline = true
  /// The number of the app's launch: an answer to a request of an earlier launch is dropped.
  private var run = 0
  /// The events that came while the app was suspended.
  private var unheard: [() -> Void] = []
  private var hasLaunched = false
  private var effects: [Effect] = []
  private var isCarryingOut = false

  /// Locks the device's folder and opens its store. Throws where another process holds the folder, the store cannot be
  /// read, or another app made it.
  package init(_ options: DeviceOptions, loop: Loop) throws(ServiceError) {
    self.options = options
    self.loop = loop
    clock = SystemClock(loop: loop, offset: options.clockOffset, drift: options.clockDrift)
    http = HTTPClient(address: options.server, loop: loop)
    push = PushClient(address: options.push, device: options.name, loop: loop)
    do {
      try StateSwap(data: options.data).finishInterrupted()
      folder = try options.data.device(options.name)
      lock = try DirectoryLock(folder)
      // What a device knows survives its own end at any moment, as on a phone; only the cloud promises more, and five
      // waits for the disk on the way from one screen to the other would be most of the time it takes.
      let store = try DeviceFile(folder: folder, durability: .normal)
      try store.claim(for: options.app.name, unmarkedApp: options.unmarkedApp)
      coordinator = try SyncCoordinator(store: store, configuration: options.app.configuration)
    } catch {
      throw ServiceError("\(error)")
    }
  }

  /// The account that the device belongs to: the one signed in, else the one asked for, else the default.
  package var user: Name {
    (hasLaunched ? coordinator.account : nil) ?? options.user ?? coordinator.account ?? DeviceOptions.defaultUser
  }

  /// What the app sees of the device.
  package var view: AppView {
    AppView(store: coordinator.store, account: user, wall: clock.now.wall, hidden: coordinator.parked)
  }

  /// Listens for payloads by hand, launches the coordinator, and goes online unless the options say otherwise. Throws
  /// where the store or the socket fails.
  package func launch() throws(ServiceError) {
    timer = Timer(on: loop) { [unowned self] in self.perform { $0.tick(at: $1, using: &$2) } }
    push.onWelcome = { [unowned self] in
      self.hear { $0.perform { $0.pushConnected(at: $1, using: &$2) } }
    }
    push.onNotification = { [unowned self] in self.received($0) }
    push.onRefusal = { [unowned self] reason, _ in self.refused(reason) }
    do throws(LoopError) {
      control = try ControlSocket(
        folder: folder, loop: loop, onNotification: { [unowned self] in self.received($0) },
        onAsk: { [unowned self] in
          DeviceReport.answer(self.coordinator, name: self.options.name, at: self.clock.now.wall)
        })
    } catch {
      throw ServiceError(error)
    }
    if options.startsOffline { setLink(isOnline: false) }
    do throws(StoreError) {
      if let control { try lock.note([("control", "\(control.address)")]) }
      try launchCoordinator(for: options.isSignedOut ? nil : user)
    } catch {
      throw ServiceError(error)
    }
  }

  private func launchCoordinator(for account: Name?) throws(StoreError) {
    try attempt { (coordinator, now, generator) throws(StoreError) in
      try coordinator.launch(account: account, at: now, using: &generator)
    }
    hasLaunched = true
    openPush()
  }

  // MARK: The app's life

  /// Stops the app where it is.
  package func suspendApp() {
    guard appState == .running else { return }
    appState = .suspended
    timer?.cancel()
  }

  /// Resumes a suspended app, which receives the events that came meanwhile.
  package func resumeApp() {
    guard appState == .suspended else { return }
    appState = .running
    let heard = unheard
    unheard = []
    for event in heard { event() }
    perform { $0.tick(at: $1, using: &$2) }
  }

  /// Ends the app's process. The store stays as it is.
  package func endApp() {
    appState = .ended
    run += 1
    unheard = []
    effects = []
    timer?.cancel()
    http.close()
  }

  /// Starts an ended app. Throws where the store fails.
  package func launchApp() throws(StoreError) {
    guard appState == .ended else { return }
    let account = coordinator.account
    coordinator = try SyncCoordinator(store: coordinator.store, configuration: options.app.configuration)
    appState = .running
    if !isOnline { perform { $0.linkChanged(isOnline: false, at: $1, using: &$2) } }
    try launchCoordinator(for: account)
  }

  /// Hands a push to the app.
  package func take(_ notification: PushNotification) {
    perform { $0.receivedPush(notification, at: $1, using: &$2) }
  }

  /// Hands an event to a running app now and to a suspended one when it resumes; an ended app never receives it.
  private func hear(_ event: @escaping (DeviceClient) -> Void) {
    switch appState {
    case .running: event(self)
    case .suspended:
      unheard.append { [weak self] in
        if let self { event(self) }
      }
    case .ended: return
    }
  }

  /// Hands an event to the coordinator and carries out its effects.
  package func perform(
    _ event: (inout SyncCoordinator<DeviceFile>, Moment, inout SystemRandomNumberGenerator) -> [Effect]
  ) {
    effects += event(&coordinator, clock.now, &generator)
    carryOut()
  }

  /// Hands in an event that can fail with the store. A disk that fails after the write may have kept the write.
  package func attempt(
    _ event: (inout SyncCoordinator<DeviceFile>, Moment, inout SystemRandomNumberGenerator) throws(StoreError) ->
      [Effect]
  ) throws(StoreError) {
    defer { carryOut() }
    effects += try event(&coordinator, clock.now, &generator)
  }

  /// Disconnects the device from cloud and push service, or connects it again.
  package func setLink(isOnline: Bool) {
    guard isOnline != self.isOnline else { return }
    self.isOnline = isOnline
    if !isOnline {
      http.close()
      push.close()
    }
    hear { $0.perform { $0.linkChanged(isOnline: isOnline, at: $1, using: &$2) } }
    openPush()
  }

  /// Signs another account in, or none. Throws where the store fails; then nothing has changed.
  package func signIn(_ account: Name?) throws(StoreError) {
    try attempt { (coordinator, now, generator) throws(StoreError) in
      try coordinator.accountChanged(to: account, at: now, using: &generator)
    }
  }

  /// Ends all connections. The store needs no closing.
  package func close() {
    timer?.close()
    control?.close()
    push.close()
    http.close()
  }

  // MARK: Effects

  /// An effect can cause an event at once; that event's effects are carried out after those that are here already.
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
    case .send(let id, let request): send(id, request)
    case .remoteChange(let recordIDs): onRemoteChange?(recordIDs)
    case .fact(let fact):
      if case .pushTokenRegistered = fact { openPush() }
      onFact?(fact)
    }
  }

  private func send(_ id: RequestID, _ request: CloudRequest) {
    let caller = Caller(user: user, deviceID: coordinator.deviceID)
    let database = options.app.database(of: caller.user, in: options.environment)
    http.send(options.adapter.request(request, of: database, from: caller)) { [weak self, run] answer in
      guard let self, run == self.run else { return }
      let result = self.result(of: answer, to: request, as: caller)
      self.hear { $0.perform { $0.received(id, result, at: $1, using: &$2) } }
    }
  }

  private func result(
    of answer: Result<HTTPResponse, HTTPClient.Failure>, to request: CloudRequest, as caller: Caller
  ) -> Result<CloudResponse, CloudError> {
    switch answer {
    case .success(let response):
      .success(options.adapter.response(response, to: request, from: caller))
    case .failure(.notSent(let reason)): .failure(CloudError(.networkUnavailable, reason))
    case .failure(.answerLost(let reason)): .failure(CloudError(.serverResponseLost, reason))
    }
  }

  // MARK: Push

  private func openPush() {
    guard isOnline, let token = coordinator.pushToken else { return }
    push.open(token: token)
  }

  private func received(_ notification: PushNotification) {
    if let onPush { onPush(notification) } else { take(notification) }
  }

  private func refused(_ reason: String) {
    switch reason {
    case "BadDeviceToken", "Unregistered":
      renounce { $0.pushTokenRefused(at: $1, using: &$2) }
    case "Replaced":
      renounce { $0.pushTokenTaken(at: $1, using: &$2) }
    default: return
    }
  }

  /// Disconnects from the push service because of the token. Where the store failed the coordinator still has the token,
  /// and the device connects with it again later.
  private func renounce(
    _ event: @escaping (inout SyncCoordinator<DeviceFile>, Moment, inout SystemRandomNumberGenerator) -> [Effect]
  ) {
    let token = coordinator.pushToken
    push.close()
    hear { client in
      client.perform(event)
      if client.isOnline, let token, client.coordinator.pushToken == token { client.push.openLater(token: token) }
    }
  }
}
