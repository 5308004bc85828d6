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
    case channelTick
    case linkTick(device: Int, MonotonicTime)
    case signInAsWanted(device: Int, life: Int)
  }

  mutating func happen(_ work: TableWork) {
    switch work {
    case .ask(let visit): arrive(visit)
    case .answer(let device, let life, let id, let answer):
      guard devices[device].life == life else { return }
      hear(device, .answer(TableLink.AskID(number: id), answer))
    case .socketAsked(let socket): socketArrives(socket)
    case .socketAdmitted(let socket): openSocket(socket)
    case .socketOpened(let socket): hear(socket, .socketOpened)
    case .socketClosed(let socket):
      hear(socket, .socketClosed)
    case .socketHungUp(let socket): socketHungUp(socket)
    case .frameUp(let frame, let socket): frameArrives(frame, on: socket)
    case .frameDown(let frame, let socket): hear(socket, .frame(frame))
    case .channelTick: tickChannels()
    case .linkTick(let device, let time): tickLink(device, at: time)
    case .signInAsWanted(let device, let life): if devices[device].life == life { signInAsWanted(device) }
    }
  }

  // MARK: Messages

  /// Passes a message of a socket to its device, unless the device has closed the socket.
  private mutating func hear(_ socket: Socket, _ message: SimulatedDevice.TableMessage) {
    guard devices[socket.device].socket == socket else { return }
    hear(socket.device, message)
  }

  /// Passes a message to the link of a running app, and keeps it for a suspended one.
  private mutating func hear(_ device: Int, _ message: SimulatedDevice.TableMessage) {
    guard devices[device].isRunning else { return }
    guard devices[device].isComputing else { return devices[device].tableMailbox.append(message) }
    take(message, on: device)
  }

  /// Passes the messages that arrived while the app was suspended to its link.
  mutating func readTableMailbox(_ device: Int) {
    let messages = devices[device].tableMailbox
    devices[device].tableMailbox = []
    for message in messages { take(message, on: device) }
  }

  private mutating func take(_ message: SimulatedDevice.TableMessage, on device: Int) {
    switch message {
    case .answer(let id, let answer):
      devices[device].counters.count(answer)
      checkers.refreshes.answered(id.number, on: device, hasFailed: answer.isLost, at: now)
      switch answer.outcome(in: cloud.tables) {
      case .rows(let outcome): link(device) { link, now, _ in link.rowsAnswered(id, outcome, at: now) }
      case .account(let outcome): link(device) { link, now, _ in link.accountAnswered(id, outcome, at: now) }
      case .object(let outcome): link(device) { $0.objectAnswered(id, outcome, at: $1, using: &$2) }
      }
    case .socketOpened: link(device) { link, now, _ in link.socketOpened(at: now) }
    case .socketClosed:
      devices[device].socket = nil
      link(device) { $0.socketClosed(at: $1, using: &$2) }
    case .frame(let frame):
      checkers.channels.received(frame, on: device)
      link(device) { $0.frameReceived(frame, at: $1, using: &$2) }
    }
  }

  // MARK: The link

  /// Passes an event to a device's link, if its process runs and its app has tables, and carries out the effects.
  mutating func link(
    _ device: Int, _ event: (inout TableLink, MonotonicTime, inout SplitMix64) -> [TableLink.Effect]
  ) {
    guard devices[device].isRunning else { return }
    let wasConnected = devices[device].link?.isConnected == true
    guard let effects = devices[device].handleLink(now, event) else { return }
    // What changed while the device was not connected is fetched.
    if !wasConnected, devices[device].link?.isConnected == true { log(.syncWanted, of: device) }
    devices[device].linkEffects += effects
    guard !devices[device].isCarryingOutLink else { return }
    let life = devices[device].life
    devices[device].isCarryingOutLink = true
    while !devices[device].linkEffects.isEmpty {
      carryOut(devices[device].linkEffects.removeFirst(), of: device)
      // An effect may have ended the process.
      guard devices[device].life == life else { return }
    }
    devices[device].isCarryingOutLink = false
    if let state = devices[device].link?.channelState {
      report(checkers.channels.finding(shown: state, of: device), on: device)
    }
    scheduleLinkTick(device)
  }

  private mutating func scheduleLinkTick(_ device: Int) {
    guard let time = devices[device].nextLinkTick(from: now) else { return }
    queue.add(.tables(.linkTick(device: device, time)), at: time)
  }

  private mutating func tickLink(_ device: Int, at time: MonotonicTime) {
    guard devices[device].linkTickAt == time, devices[device].isComputing else { return }
    devices[device].linkTickAt = nil
    link(device) { $0.tick(at: $1, using: &$2) }
  }

  private mutating func carryOut(_ effect: TableLink.Effect, of device: Int) {
    switch effect {
    case .askRows(let id, let request, let demands, let token): send(.rows(request, demands), id, token, from: device)
    case .askAccount(let id, let request, let token): send(.account(request), id, token, from: device)
    case .askObject(let id, let transfer, let token): send(transfer, id, token, from: device)
    case .photo(let effect): carryOut(effect, of: device)
    case .openSocket: openSocket(of: device)
    case .send(let frame):
      guard let socket = devices[device].socket else { return }
      sendUp(
        .frameUp(carried(frame) { $0.clientText(of: $1) }, socket), frame.event, TraceDetail(ofEvent: frame.event),
        from: device)
    case .closeSocket:
      guard let socket = devices[device].socket else { return }
      devices[device].socket = nil
      queue.add(.tables(.socketHungUp(socket)), at: now.advanced(byMilliseconds: draw(links[device].up.delay)))
    case .answer(let ticket, let answer):
      guard let exchange = devices[device].linkExchange, exchange.number == ticket else { return }
      devices[device].linkExchange = nil
      hand(answer, to: exchange, of: device, life: devices[device].life)
    case .news(let push, let hint): news(push, hint, on: device)
    case .joined: perform(device) { $0.connected(at: $1, using: &$2) }
    case .signedIn(let session): signedIn(device, session)
    case .signInFailed(let error): signInFailed(device, error)
    case .store(let session): store(session, on: device)
    case .sessionLost(let session, let reason):
      note(.device(device), .account, "session lost: \(reason)")
      store(session, on: device)
      perform(device) { coordinator, _, _ in coordinator.sessionEnded(reason) }
      signInAsWanted(device)
    case .notice(let notice): note(.device(device), .push, "\(notice.kind.name): \(notice.action)")
    case .fact(let fact): note(.device(device), .push, fact.text)
    }
  }

  /// Sends a request for an object. A photo whose file is gone cannot be sent.
  private mutating func send(_ transfer: PhotoTransfer, _ id: TableLink.AskID, _ token: String, from device: Int) {
    if case .upload(_, let photo, _) = transfer, devices[device].photos?.files.contains(photo.name) != true {
      return link(device) {
        $0.objectAnswered(id, .unreadable("the device has no file of the photo"), at: $1, using: &$2)
      }
    }
    send(.object(transfer), id, token, from: device)
  }

  private mutating func send(_ ask: TableVisit.Ask, _ id: TableLink.AskID, _ token: String?, from device: Int) {
    let visit = TableVisit(
      device: device, life: devices[device].life, id: id.number, ask: ask, token: token)
    check(visit)
    let isTold = sendUp(.ask(visit), ask.words, traced(TraceDetail(ask)), from: device)
    switch ask {
    case .account: giveUp(visit, after: TableLink.accountPatience)
    case .object: giveUp(visit, after: TableLink.objectPatience)
    case .rows: break
    }
    if isTold == true { fail(visit, CloudError(.serverResponseLost, "the connection was cut")) }
  }

  /// Reports a request for rows of another account than the device's, and a refresh at the wrong time.
  private mutating func check(_ visit: TableVisit) {
    switch visit.ask {
    case .rows, .object:
      let asking = visit.token.flatMap { SimulatedTables.account(ofToken: $0) }?.text
      guard asking == nil || asking != devices[visit.device].coordinator.account?.text else { return }
      let words = "\(visit.ask.words) is asked with the session of \(asking ?? "nobody")"
      checkers.report(Violation(.account, at: now, on: devices[visit.device].name, words))
    case .account(.refresh(let token)):
      report(checkers.refreshes.asked(visit.id, token, by: visit.device, at: now), on: visit.device)
    case .account: break
    }
  }

  /// Answers a request with a failure after that many milliseconds. The device ignores the second answer to a request.
  private mutating func giveUp(_ visit: TableVisit, after milliseconds: Int64) {
    let failure = TableAnswer.failed(visit.ask, CloudError(.serverResponseLost, "no answer in time"))
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

  private mutating func openSocket(of device: Int) {
    report(checkers.channels.opened(by: device, besideAnother: devices[device].socket != nil), on: device)
    lastSocket += 1
    let socket = Socket(number: lastSocket, device: device)
    devices[device].socket = socket
    let isTold = sendUp(.socketAsked(socket), "open", TraceDetail(ofEvent: "open"), from: device)
    // A failed connection is noticed sooner or later.
    if let isTold {
      queue.add(.tables(.socketClosed(socket)), at: now.advanced(byMilliseconds: isTold ? 100 : 10_000))
    }
  }

  /// Passes a push of the channel to the coordinator.
  private mutating func news(_ push: PushNotification, _ hint: PushHint, on device: Int) {
    devices[device].counters.pushes += 1
    let isDiskSound = devices[device].isDiskSound
    let before = (try? devices[device].store.values())?[.pushReceived]?.integer ?? 0
    perform(device) { $0.receivedPush(push, hint: hint, at: $1, using: &$2) }
    guard isDiskSound, devices[device].isRunning else { return }
    log(.pushHanded(push, hint: hint, countBefore: before), of: device)
  }

  // MARK: Sessions

  /// Starts the link of a process that was just started, with the session on its disk. If there is none and the device
  /// has an account, it gets a session, as if its user had signed in before. The session is returned, to be stored when
  /// the coordinator is launched.
  mutating func startLink(_ device: Int) -> StoredSession? {
    guard case .tables(let app) = devices[device].app.cloud else { return nil }
    devices[device].link = TableLink(app: app, deviceID: devices[device].coordinator.deviceID)
    let stored = devices[device].storedSession
    let account = devices[device].account.flatMap { UUID($0.text) }
    let new = stored == nil ? account.flatMap { newSession(of: $0) } : nil
    link(device) { link, now, _ in link.launched(with: stored ?? new, at: now) }
    return new
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
      let isStored = changeAccount(device, to: nil, setting: [])
      guard devices[device].isRunning, devices[device].coordinator.account == nil else { return }
      link(device) { link, now, _ in link.signOut(at: now) }
      guard isStored else { return }
    }
    guard let account, let id = UUID(account.text), let email = cloud.email(of: id) else { return }
    link(device) { link, _, _ in link.signIn(email: email, password: SimulatedTables.password(ofEmail: email)) }
  }

  /// Makes an account of that name as the user of an app with tables, and signs it in.
  mutating func signUp(_ device: Int, as name: Name) {
    let email = SimulatedTables.email(of: name)
    link(device) { link, _, _ in link.signUp(email: email, password: SimulatedTables.password(ofEmail: email)) }
  }

  private mutating func signInFailed(_ device: Int, _ error: SessionError) {
    note(.device(device), .account, "not signed in: \(error.reason)")
    guard devices[device].wantedAccount != nil else { return }
    let due = now.advanced(byMilliseconds: Self.signInPause)
    queue.add(.tables(.signInAsWanted(device: device, life: devices[device].life)), at: due)
  }

  /// The time after which a user tries again to sign in, in milliseconds.
  private static var signInPause: Int64 { 5_000 }

  private mutating func signedIn(_ device: Int, _ session: StoredSession) {
    let value = AppValueChange(StoredSession.key, .text(session.text))
    guard !changeAccount(device, to: Name(session.account.text), setting: [value]) else { return }
    link(device) { link, now, _ in link.signOut(at: now) }
  }

  /// Changes the account of the coordinator. Returns whether that is stored.
  private mutating func changeAccount(_ device: Int, to account: Name?, setting values: [AppValueChange]) -> Bool {
    let before = devices[device].store
    checkers.photos.forget(device)
    defer { logAdoption(on: device, from: before) }
    do throws(StoreError) {
      try attempt(device) { (coordinator, moment, generator) throws(StoreError) in
        try coordinator.accountChanged(to: account, setting: values, at: moment, using: &generator)
      }
    } catch {
      failed(device, error)
      log(.everythingShown, of: device)
      // A disk that fails after the write has kept the account.
      devices[device].account = devices[device].coordinator.account
      return false
    }
    guard devices[device].isRunning else { return false }
    devices[device].account = account
    log(.accountSet, of: device)
    lookAtPhotos(device)
    return true
  }

  mutating func store(_ session: StoredSession, on device: Int) {
    do throws(StoreError) {
      try attempt(device) { (coordinator, moment, generator) throws(StoreError) in
        try coordinator.edit(
          [], setting: [AppValueChange(StoredSession.key, .text(session.text))], at: moment, using: &generator)
      }
    } catch {
      failed(device, error)
    }
  }
}
