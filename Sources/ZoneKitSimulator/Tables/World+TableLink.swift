import ZoneKitCloud
import ZoneKitDeviceProcess
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables
import ZoneKitTimeline

/// The links of devices to the tables of the cloud. A link is the same machine as on a real device.
extension World {
  /// Something that is due about tables.
  enum TableWork {
    case ask(TableVisit)
    case answer(device: Int, life: Int, id: UInt64, TableAnswer)
    case socketAsked(Socket)
    case socketAdmitted(Socket)
    case socketOpened(Socket)
    case socketClosed(Socket)
    case socketHungUp(Socket)
    case frameUp(ChannelFrame, Socket)
    case frameDown(ChannelFrame, Socket)
    case cloudResumes(Ticket, life: Int)
    case channelTick
    case signInAsWanted(device: Int, life: Int)
  }

  mutating func happen(_ work: TableWork) {
    switch work {
    case .ask(let visit): arrive(visit)
    case .answer(let device, let life, let id, let answer):
      if devices[device].life == life { arrives(answer, to: id, at: device) }
    case .socketAsked(let socket): socketArrives(socket)
    case .socketAdmitted(let socket): openSocket(socket)
    case .socketOpened(let socket): arrives(.socketOpened, over: socket)
    case .socketClosed(let socket):
      arrives(.socketClosed, over: socket)
    case .socketHungUp(let socket): socketHungUp(socket)
    case .frameUp(let frame, let socket): frameArrives(frame, on: socket)
    case .frameDown(let frame, let socket): arrives(.frame(frame), over: socket)
    case .cloudResumes(let ticket, let life): resume(ticket, life: life)
    case .channelTick: tickChannels()
    case .signInAsWanted(let device, let life): if devices[device].life == life { signInAsWanted(device) }
    }
  }

  // MARK: Messages

  private mutating func arrives(_ answer: TableAnswer, to id: UInt64, at device: Int) {
    log(.answered(id, answer), of: device)
    arrives(answer.message(TableLink.AskID(number: id), in: cloud.tables), at: device)
  }

  /// A message of a socket arrives at its device, unless the device has closed the socket.
  private mutating func arrives(_ message: DeviceMessage, over socket: Socket) {
    guard devices[socket.device].socket == socket else { return }
    arrives(message, at: socket.device)
  }

  // MARK: Requests

  /// Sends a device's request to the tables of the cloud.
  mutating func send(_ ask: TableVisit.Ask, _ id: TableLink.AskID, _ token: String?, from device: Int) {
    let visit = TableVisit(
      device: device, life: devices[device].life, id: id.number, ask: ask, token: token)
    check(visit)
    log(.asked(visit.id, ask), of: device)
    let isTold = sendUp(.ask(visit), ask.words, traced(TraceDetail(ask)), from: device)
    switch ask {
    case .account: giveUp(visit, after: TableLink.accountPatience)
    case .object: giveUp(visit, after: TableLink.objectPatience)
    case .rows, .relations, .function: break
    }
    if isTold == true { fail(visit, .answerLost("the connection was cut")) }
  }

  /// Reports a request for rows of another account than the device's.
  private mutating func check(_ visit: TableVisit) {
    switch visit.ask {
    case .rows, .relations, .function, .object:
      let asking = visit.token.flatMap { SimulatedTables.account(ofToken: $0) }?.text
      guard asking == nil || asking != devices[visit.device].coordinator.account?.text else { return }
      let words = "\(visit.ask.words) is asked with the session of \(asking ?? "nobody")"
      checkers.report(Violation(.account, at: now, on: devices[visit.device].name, words))
    case .account: break
    }
  }

  /// Answers a request with a failure after that many milliseconds. The device ignores the second answer to a request.
  private mutating func giveUp(_ visit: TableVisit, after milliseconds: Int64) {
    let failure = TableAnswer.failed(visit.ask, .answerLost("no answer in time"))
    queue.add(
      .tables(.answer(device: visit.device, life: visit.life, id: visit.id, failure)),
      at: now.advanced(byMilliseconds: milliseconds))
  }

  @discardableResult
  private mutating func sendUp(_ work: TableWork, _ text: String, _ detail: TraceDetail, from device: Int) -> Bool? {
    send(.tables(work), over: LinkWay(device: device, direction: .up)) { fate in
      Arrow(.request, from: .device(device), to: .cloud, text, fate, detail)
    }
  }

  /// Sends a message on a device's socket.
  mutating func send(_ frame: ChannelFrame, from device: Int) {
    guard let socket = devices[device].socket else { return }
    sendUp(
      .frameUp(carried(frame) { $0.clientText(of: $1) }, socket), frame.event, TraceDetail(ofEvent: frame.event),
      from: device)
  }

  /// Closes a device's socket. The service notices it.
  mutating func closeSocket(of device: Int) {
    guard let socket = devices[device].socket else { return }
    devices[device].socket = nil
    queue.add(.tables(.socketHungUp(socket)), at: now.advanced(byMilliseconds: draw(links[device].up.delay)))
  }

  mutating func openSocket(of device: Int) {
    log(.socketOpened(isSecond: devices[device].socket != nil), of: device)
    lastSocket += 1
    let socket = Socket(number: lastSocket, device: device)
    devices[device].socket = socket
    let isTold = sendUp(.socketAsked(socket), "open", TraceDetail(ofEvent: "open"), from: device)
    // A failed connection is noticed sooner or later.
    if let isTold {
      queue.add(.tables(.socketClosed(socket)), at: now.advanced(byMilliseconds: isTold ? 100 : 10_000))
    }
  }

  // MARK: Sessions

  /// The session of a device that starts, if its user signed in before and its store has none yet; nil otherwise.
  mutating func firstSession(of device: Int) -> StoredSession? {
    guard devices[device].hasTables, devices[device].storedSession == nil else { return nil }
    return devices[device].account.flatMap { UUID($0.text) }.flatMap { newSession(of: $0) }
  }

  /// Signs the account in that the user of a device wants, unless it is signed in.
  mutating func signInAsWanted(_ device: Int) {
    guard let account = devices[device].wantedAccount, !devices[device].isSignedInAsWanted else { return }
    signInToTables(device, account)
  }

  private mutating func newSession(of account: UUID) -> StoredSession? {
    let time = wall
    guard let email = cloud.email(of: account) else { return nil }
    let token = cloud.startSession(of: account, at: time)
    return StoredSession(account: account, email: email, refresh: token)
  }

  /// Signs an account in, or out if nil, as the user of an app with tables. Another account is signed out first, as the
  /// app demands.
  mutating func signInToTables(_ device: Int, _ account: Name?) {
    guard devices[device].isRunning else { return }
    note(.device(device), .account, account.map { "signs in as \($0)" } ?? "signs out")
    if let held = devices[device].coordinator.account, held != account {
      guard
        changeAccount(
          device, { (process, moment) throws(StoreError) in try process.changeAccount(to: nil, at: moment) })
      else { return }
    }
    guard let account, let id = UUID(account.text), let email = cloud.email(of: id) else { return }
    let password = SimulatedTables.password(ofEmail: email)
    act(device) { $0.signIn(email: email, password: password, isNew: false, at: $1) }
  }

  /// Makes an account of that name as the user of an app with tables, and signs it in.
  mutating func signUp(_ device: Int, as name: Name) {
    let email = ScenarioAccount.email(of: name.text)
    let password = SimulatedTables.password(ofEmail: email)
    act(device) { $0.signIn(email: email, password: password, isNew: true, at: $1) }
  }

  mutating func signInFailed(_ device: Int, _ error: SessionError) {
    note(.device(device), .account, "not signed in: \(error.reason)")
    guard devices[device].wantedAccount != nil else { return }
    let due = now.advanced(byMilliseconds: Self.signInPause)
    queue.add(.tables(.signInAsWanted(device: device, life: devices[device].life)), at: due)
  }

  /// The time after which a user tries again to sign in, in milliseconds.
  private static var signInPause: Int64 { 5_000 }

  mutating func signedIn(_ device: Int, _ session: StoredSession) {
    _ = changeAccount(device) { (process, moment) throws(StoreError) in try process.signIn(session, at: moment) }
  }

  /// Changes the account of a device. Returns whether that is stored, as far as the device knows.
  private mutating func changeAccount(
    _ device: Int, _ event: (inout SimulatedDevice.Process, Moment) throws(StoreError) -> Void
  ) -> Bool {
    let before = devices[device].store
    defer { logAdoption(on: device, from: before) }
    do throws(StoreError) {
      try attempt(device, acting: event)
    } catch {
      failed(device, error)
      log(.everythingShown, of: device)
      log(.accountSet, of: device)
      // A disk that fails after the write has kept the account.
      devices[device].account = devices[device].coordinator.account
      return false
    }
    guard devices[device].isRunning else { return false }
    devices[device].account = devices[device].coordinator.account
    log(.accountSet, of: device)
    return true
  }
}
