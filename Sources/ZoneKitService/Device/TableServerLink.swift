import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables
import ZoneKitWire

/// A device's connections to a table server: HTTP for rows and accounts, and a WebSocket for the channel. It carries out
/// what the machine `TableLink` decides.
package final class TableServerLink: CloudLink {
  /// The result of a sign-in or sign-up.
  package typealias SignInCompletion = (Result<StoredSession, SessionError>) -> Void

  /// Called with each fact of the channel.
  package var onChannelFact: ((ChannelFact) -> Void)?
  /// Called with each change of another device that was stored.
  package var onNotice: ((ChangeNotice) -> Void)?
  /// Called when the session is over, with the reason.
  package var onSessionLost: ((String) -> Void)?
  /// The state of the upload of local rows; nil if the app has none.
  package var migration: (() -> Migration)?
  /// The machine. Read its state only.
  package private(set) var machine: TableLink

  /// The device's photos; nil if its app has none.
  package private(set) lazy var photos = PhotoDriver(self, options)

  /// Since when the device has been in its state.
  var watch = StateWatch()
  /// What the state was last computed from.
  var marks: StateMarks?
  /// The number of rows that the app cannot read; nil if they have to be counted.
  var unreadable: Int?

  unowned let device: DeviceClient
  private let options: DeviceOptions
  let loop: Loop
  let http: HTTPClient
  private let socket: ChannelSocket
  private var timer: Timer?
  private var effects: [TableLink.Effect] = []
  private var isCarryingOut = false
  private(set) var isOnline = true
  private var isInFront = true
  /// The completion of the coordinator's request under way.
  private var answer: (ticket: TableLink.Ticket, completion: (Result<CloudResponse, CloudError>) -> Void)?
  private var lastTicket: TableLink.Ticket = 0
  /// Passes an answer to the coordinator, when the effects before it are carried out.
  private var delivery: (() -> Void)?
  private var signIn: SignInCompletion?
  /// Since when the channel is joined, or not any more; nil if it never was.
  var channelSince: WallTime?
  /// Why the channel is not joined; nil if nothing says so.
  var channelReason: String?

  /// The connections of that device, which are opened when they are needed.
  init(_ device: DeviceClient, _ options: DeviceOptions, app: TableApp, loop: Loop) {
    self.device = device
    self.options = options
    self.loop = loop
    machine = TableLink(app: app, deviceID: "")
    http = HTTPClient(address: options.server, loop: loop)
    socket = ChannelSocket(address: options.server, version: options.channelVersion, loop: loop)
    timer = Timer(on: loop) { [unowned self] in self.perform { $0.tick(at: $1, using: &$2) } }
    socket.onOpen = { [unowned self] in self.hear { machine, now, _ in machine.socketOpened(at: now) } }
    socket.onClose = { [unowned self] in self.hear { $0.socketClosed(at: $1, using: &$2) } }
    socket.onFrame = { [unowned self] frame in self.hear { $0.frameReceived(frame, at: $1, using: &$2) } }
  }

  package var account: Name? { device.coordinator.account }

  // MARK: The app's process

  func appStarted() {
    machine = TableLink(app: machine.app, deviceID: device.coordinator.deviceID)
    if !isOnline { perform { machine, now, _ in machine.linkChanged(isOnline: false, at: now) } }
    if !isInFront { perform { machine, now, _ in machine.frontChanged(isInFront: false, at: now) } }
    let values = (try? device.coordinator.store.appValues()) ?? [:]
    let stored = values[StoredSession.key]?.text.flatMap { StoredSession($0) }
    // A migration goes on with its rows.
    if MigrationRecord(values[MigrationRecord.key])?.phase == .running { photos?.hold(true) }
    guard device.coordinator.account != nil else { return }
    perform { machine, now, _ in machine.launched(with: stored, at: now) }
  }

  func coordinatorLaunched() { photos?.look() }

  func appSuspended() {
    // What the app had to do in its last moment in the background.
    perform { $0.tick(at: $1, using: &$2) }
    timer?.cancel()
  }

  func appEnded() {
    machine = TableLink(app: machine.app, deviceID: "")
    effects = []
    answer = nil
    delivery = nil
    signIn = nil
    close()
  }

  func close() {
    timer?.cancel()
    socket.close(code: WebSocketCloseCode.normal.rawValue)
    http.close()
    photos?.close()
  }

  func linkChanged(isOnline: Bool) {
    self.isOnline = isOnline
    answer = nil
    if !isOnline {
      http.close()
      photos?.close()
    }
    device.hear { [unowned self] _ in
      self.perform { machine, now, _ in machine.linkChanged(isOnline: isOnline, at: now) }
    }
  }

  func frontChanged(isInFront: Bool) {
    self.isInFront = isInFront
    perform { machine, now, _ in machine.frontChanged(isInFront: isInFront, at: now) }
  }

  func recordsChanged(_ records: [RecordID]) {
    unreadable = nil
    photos?.recordsChanged(records)
  }

  func heard(_ fact: DeviceFact) {
    switch fact {
    case .pageMerged: perform { machine, _, _ in machine.pageStored() }
    case .syncFinished, .syncFailed: storeTimes()
    case .accountChanged: unreadable = nil
    default: break
    }
    noteState()
  }

  /// The tables of which rows were moved since the last call.
  func takeMovedTables() -> MovedTables { machine.takeMovedTables() }

  func send(_ request: CloudRequest, completion: @escaping (Result<CloudResponse, CloudError>) -> Void) {
    // Without an answer in time the connection is of no use, and this request would wait behind the other one.
    if answer != nil { http.close() }
    lastTicket += 1
    let ticket = lastTicket
    answer = (ticket, completion)
    perform { machine, now, _ in machine.ask(request, ticket: ticket, at: now) }
  }

  var awaitsAnswer: Bool { http.awaitsAnswer || photos?.awaitsAnswer == true }

  func beginNothing() { photos?.hold(true) }

  /// The device begins or ends to move its rows into an account.
  func migrationChanged(isMigrating: Bool) {
    perform { machine, now, _ in machine.migrationChanged(isMigrating: isMigrating, at: now) }
  }

  // MARK: Signing in and out

  /// Signs an account in, or makes it first if it is new.
  package func signIn(email: String, password: String, isNew: Bool, completion: @escaping SignInCompletion) {
    signIn = completion
    perform { machine, _, _ in
      isNew ? machine.signUp(email: email, password: password) : machine.signIn(email: email, password: password)
    }
  }

  /// Ends the session. The link reports it to the service, whose answer does not matter.
  package func signOut() {
    perform { machine, now, _ in machine.signOut(at: now) }
    photos?.look()
  }

  /// An account signed in. The coordinator changes to it and stores the session in one transaction.
  private func signedIn(_ session: StoredSession) {
    let account = Name(session.account.text)
    let completion = signIn
    signIn = nil
    do throws(StoreError) {
      if let other = device.coordinator.account, other != account {
        throw StoreError(.failed, "the store belongs to another account", place: "account \(other)")
      }
      let value = AppValueChange(StoredSession.key, .text(session.text))
      try device.attempt { (coordinator, now, generator) throws(StoreError) in
        try coordinator.accountChanged(to: account, setting: [value], at: now, using: &generator)
      }
      completion?(.success(session))
      photos?.look()
    } catch {
      signOut()
      completion?(.failure(SessionError(.refused("store"), "\(error)")))
    }
  }

  // MARK: The machine

  /// Passes an event to the machine of a running app.
  func hear(
    _ event: @escaping (inout TableLink, MonotonicTime, inout SystemGenerator) -> [TableLink.Effect]
  ) {
    device.hear { [unowned self] _ in self.perform(event) }
  }

  /// Passes an event to the machine, and carries out its effects.
  func perform(_ event: (inout TableLink, MonotonicTime, inout SystemGenerator) -> [TableLink.Effect]) {
    machine.deviceID = device.coordinator.deviceID
    effects += event(&machine, MonotonicTime(milliseconds: loop.now), &device.generator)
    guard !isCarryingOut else { return }
    isCarryingOut = true
    while !effects.isEmpty { carryOut(effects.removeFirst()) }
    isCarryingOut = false
    noteState()
    if let deadline = machine.nextDeadline, device.appState == .running {
      timer?.schedule(at: deadline.milliseconds)
    } else {
      timer?.cancel()
    }
    // The receiver may send the next request at once.
    let delivery = delivery
    self.delivery = nil
    delivery?()
  }

  private func carryOut(_ effect: TableLink.Effect) {
    switch effect {
    case .askRows(let id, let request, let demands, let token): askRows(id, request, demands, token: token)
    case .askAccount(let id, let request, let token): askAccount(id, request, token: token)
    case .askObject(let id, let transfer, let token): photos?.carryOut(id, transfer, token: token)
    case .photo(let effect): photos?.carryOut(effect)
    case .openSocket: socket.open(as: sender(token: nil))
    case .send(let frame): socket.send(frame)
    case .closeSocket(let code): socket.close(code: code)
    case .answer(let ticket, let result): answered(ticket, result)
    case .news(let push, let hint):
      device.hear { $0.perform { $0.receivedPush(push, hint: hint, at: $1, using: &$2) } }
    case .joined: device.hear { $0.perform { $0.connected(at: $1, using: &$2) } }
    case .signedIn(let session): signedIn(session)
    case .signInFailed(let error):
      let completion = signIn
      signIn = nil
      completion?(.failure(error))
    case .store(let session): store(session)
    case .sessionLost(let session, let reason):
      store(session)
      device.hear { $0.perform { coordinator, _, _ in coordinator.sessionEnded(reason) } }
      onSessionLost?(reason)
    case .notice(let notice): onNotice?(notice)
    case .fact(let fact):
      note(fact)
      onChannelFact?(fact)
    }
  }

  private func answered(_ ticket: TableLink.Ticket, _ result: Result<CloudResponse, CloudError>) {
    guard let answer, answer.ticket == ticket else { return }
    self.answer = nil
    delivery = { answer.completion(result) }
  }

  /// Stores the session. If that fails, the device signs in again after a restart.
  private func store(_ session: StoredSession) {
    let value = AppValueChange(StoredSession.key, .text(session.text))
    do throws(StoreError) {
      try device.attempt { (coordinator, now, generator) throws(StoreError) in
        try coordinator.edit([], setting: [value], at: now, using: &generator)
      }
    } catch {
      device.onFact?(.storeFailed(error))
    }
  }

  // MARK: Requests

  func sender(token: String?) -> SupabaseSender {
    SupabaseSender(key: options.tableKey(), token: token, deviceID: device.coordinator.deviceID)
  }

  private func askRows(_ id: TableLink.AskID, _ request: RowRequest, _ demands: RowDemands, token: String) {
    guard let table = OwnTable(request.table)?.table ?? machine.app.schema.table(request.table) else { return }
    http.send(ClientRequest(request, demands, of: table, from: sender(token: token))) { [weak self] answer in
      let outcome: RowOutcome
      switch answer {
      case .success(let response): outcome = RowOutcome(response, of: table)
      case .failure(.notSent(let reason)): outcome = .notSent(reason)
      case .failure(.answerLost(let reason)): outcome = .answerLost(reason)
      }
      self?.hear { machine, now, _ in machine.rowsAnswered(id, outcome, at: now) }
    }
  }

  private func askAccount(_ id: TableLink.AskID, _ request: AccountRequest, token: String?) {
    guard isOnline else { return answered(id, .failed(Self.unreachable("the device is offline"))) }
    let limit = Timer(on: loop) { [weak self] in self?.http.close() }
    limit.schedule(after: TableLink.accountPatience)
    http.send(ClientRequest(request, from: sender(token: token))) { [weak self] answer in
      limit.close()
      switch answer {
      case .success(let response): self?.answered(id, AccountOutcome(response))
      case .failure(.notSent(let reason)): self?.answered(id, .failed(Self.unreachable(reason)))
      case .failure(.answerLost(let reason)): self?.answered(id, .failed(Self.unreachable(reason, .unanswered)))
      }
    }
  }

  private static func unreachable(
    _ reason: String, _ failure: SessionFailure = .transient(retryAfter: nil)
  ) -> SessionError {
    SessionError(failure, "needs the server: \(reason)")
  }

  private func answered(_ id: TableLink.AskID, _ outcome: AccountOutcome) {
    hear { machine, now, _ in machine.accountAnswered(id, outcome, at: now) }
  }
}
