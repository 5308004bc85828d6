import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

extension DeviceProcess {
  /// Something that the process does.
  enum Step {
    /// Tell the driver.
    case tell(DeviceEffect)
    /// The device connects to the push service if it has a token.
    case wantPush
    /// The connection to the push service is made or closed.
    case push(PushConnection.Effect)
    /// The operating system does something.
    case life(DeviceLife.Effect)
    /// Something happens about background refreshes.
    case backgroundRefresh(BackgroundRefresh.Effect)
    /// A suspended app goes on.
    case resume
    /// The app came to the front or left it.
    case frontChanged(Bool)
    /// The app syncs in a background refresh.
    case requestRefresh
    /// The coordinator has something to do.
    case tick
    /// The link to tables has something to do.
    case tickLink
    /// Photos wait for rows, or wait no more.
    case holdPhotos(Bool)
    /// The link learns whether rows are being moved into an account.
    case hold(Bool)
    /// The coordinator begins no sync of its own, or does so again.
    case holdOwnReasons(Bool)
    /// The state of the migration is read.
    case readMigration
    /// A migration that was interrupted goes on.
    case resumeMigration
    /// Something has happened since the migration saw the device.
    case progressMigration
    /// A sync or a photo of the migration failed.
    case failMigration(reason: String)
    /// The session of the migration is over.
    case loseMigrationSession
    /// The next question is asked.
    case inquire(Inquiry.Purpose)
    /// A question has no answer.
    case failInquiry(Inquiry.Purpose, Inquiry.Failure)
    /// The link to tables starts with that session.
    case launchLink(StoredSession?)
    /// The app's rules repair what is in the store.
    case repair
    /// The coordinator is launched for that account.
    case launch(account: Name?)
    /// The link to tables learns of the device's link.
    case tablesLinkChanged(isOnline: Bool)
    /// The coordinator learns of the device's link.
    case linkChanged(isOnline: Bool)
    /// The push service accepted the token.
    case connectPush
    /// The push service refused that token.
    case refusePushToken(String?, isTaken: Bool)
    /// That token was refused. It is tried again after a pause if the store did not forget it.
    case checkPushToken(String?)
    /// The session ends because nobody is signed in.
    case signOut
    /// The coordinator makes that request.
    case ask(RequestID, CloudRequest)
    /// Send that request to the cloud.
    case send(ReadAhead.Exchange)
    /// The coordinator gets that answer.
    case receive(RequestID, Result<CloudResponse, CloudError>)
    /// The effects of the last answer are carried out.
    case settleRequests
    /// The coordinator gets a push.
    case receivePush(PushNotification, PushHint?)
    /// The coordinator has stored a page.
    case storePage
    /// The session is over.
    case endSession(reason: String)
    /// Those records or their queued photos may have changed.
    case readPhotos([RecordID])
    /// All photos are read anew.
    case readAllPhotos
    /// What nothing needs is removed.
    case removePhotos
  }

  mutating func carryOut(_ step: Step, at moment: Moment) -> DeviceEffect? {
    let now = moment.monotonic
    switch step {
    case .tell(let effect): return effect
    case .wantPush: add(pushSteps())
    case .push(let effect): return carryOut(effect)
    case .life(let effect): return carryOut(effect, at: now)
    case .backgroundRefresh(let effect): return carryOut(effect, at: now)
    case .resume: return resume()
    case .frontChanged(let isInFront): changeFront(isInFront, at: moment)
    case .requestRefresh: requestRefresh(at: moment)
    case .tick: pass(at: moment) { $0.tick(at: $1, using: &$2) }
    case .tickLink: pass(at: now) { $0.tick(at: $1, using: &$2) }
    case .holdPhotos(let isHeld): pass(at: now) { link, now, _ in link.photosHeld(isHeld, at: now) }
    case .hold(let isMigrating):
      pass(at: now) { link, now, _ in link.migrationChanged(isMigrating: isMigrating, at: now) }
    case .holdOwnReasons(let isHeld): pass(at: moment) { $0.holdOwnReasons(isHeld, at: $1, using: &$2) }
    case .readMigration: return readMigration()
    case .resumeMigration: resumeMigration(at: moment)
    case .progressMigration: passToMigration(at: moment) { $0.progressed($1) }
    case .failMigration(let reason): passToMigration { $0.failed(reason) }
    case .loseMigrationSession: passToMigration { $0.sessionLost() }
    case .inquire(let purpose): return inquire(purpose, at: moment)
    case .failInquiry(let purpose, let failure): return failed(purpose, failure)
    case .launchLink(let session): pass(at: now) { link, now, _ in link.launched(with: session, at: now) }
    case .repair: return repair(at: moment.wall)
    case .launch(let account): return launch(account, at: moment)
    case .tablesLinkChanged(let isOnline):
      abandonExchange()
      if !isOnline { giveUpInquiries(at: nil, because: "the connection was cut") }
      pass(at: now) { link, now, _ in link.linkChanged(isOnline: isOnline, at: now) }
    case .linkChanged(let isOnline): pass(at: moment) { $0.linkChanged(isOnline: isOnline, at: $1, using: &$2) }
    case .connectPush: pass(at: moment) { $0.pushConnected(at: $1, using: &$2) }
    case .refusePushToken(let token, let isTaken):
      add([.checkPushToken(token)])
      pass(at: moment) {
        isTaken ? $0.pushTokenTaken(at: $1, using: &$2) : $0.pushTokenRefused(at: $1, using: &$2)
      }
    case .checkPushToken(let token):
      if token != nil, coordinator.pushToken == token { push.keptRefused(at: now) }
    case .signOut: pass(at: now) { link, now, _ in link.signOut(at: now) }
    case .ask(let id, let request): ask(request, as: id)
    case .send(let exchange): return send(exchange, at: now)
    case .receive(let id, let answer): pass(at: moment) { $0.received(id, answer, at: $1, using: &$2) }
    case .settleRequests: settleRequests()
    case .receivePush(let push, let hint): pass(at: moment) { $0.receivedPush(push, hint: hint, at: $1, using: &$2) }
    case .storePage: pass(at: now) { link, _, _ in link.pageStored() }
    case .endSession(let reason): pass(at: moment) { coordinator, _, _ in coordinator.sessionEnded(reason) }
    case .readPhotos(let records): return readPhotos(of: records, at: now)
    case .readAllPhotos: return readAllPhotos()
    case .removePhotos: return removePhotos(at: now)
    }
    return nil
  }

  private mutating func launch(_ account: Name?, at moment: Moment) -> DeviceEffect? {
    do throws(StoreError) {
      try attempt(at: moment) { (coordinator, moment, generator) throws(StoreError) in
        try coordinator.launch(account: account, at: moment, using: &generator)
      }
      return nil
    } catch {
      return .notLaunched(error)
    }
  }

  /// Carries out an effect of the coordinator. The driver learns of each effect before its consequences.
  mutating func carryOut(_ effect: Effect, at wall: WallTime) -> DeviceEffect {
    switch effect {
    case .send(let id, let request):
      add([.ask(id, request)])
      return .asks(id, request)
    case .remoteChange(let records):
      add([.repair] + (photos != nil ? [.readPhotos(records)] : []))
      refresh(records, at: wall)
      return .remoteChange(records)
    case .fact(let fact):
      carryOut(fact)
      return .fact(fact)
    }
  }

  private mutating func carryOut(_ fact: DeviceFact) {
    switch fact {
    case .pageMerged: if link != nil { add([.storePage]) }
    case .pushTokenRegistered: add([.wantPush])
    // A disk that fails after a write has kept changes of which the app was not notified.
    case .storeFailed: running = nil
    default: break
    }
    tellMigration(fact)
  }

  /// Carries out an effect of the link.
  mutating func carryOut(_ effect: TableLink.Effect, at moment: Moment) -> DeviceEffect? {
    switch effect {
    case .askRows(let id, let request, let demands, let token): return .askRows(id, request, demands, token: token)
    case .askRelations(let id, let request, let token): return .askRelations(id, request, token: token)
    case .askAccount(let id, let request, let token): return .askAccount(id, request, token: token)
    case .askObject(let id, let transfer, let token): return askObject(id, transfer, token: token, at: moment.monotonic)
    case .photo(let effect): return carryOut(effect, at: moment)
    case .openSocket: return .openSocket
    case .send(let frame): return .sendFrame(frame)
    case .closeSocket(let code): return .closeSocket(code: code)
    case .answer(let ticket, let answer): answered(ticket, answer)
    case .news(let push, let hint):
      add([.receivePush(push, hint)])
      return .receivesPush(push, hint)
    case .joined: pass(at: moment) { $0.connected(at: $1, using: &$2) }
    case .signedIn(let session): return .signedIn(session)
    case .signInFailed(let error): return .signInFailed(error)
    case .store(let session): return .edit(Self.storing(session))
    case .sessionLost(let session, let reason):
      add([.endSession(reason: reason), .tell(.sessionLost(reason: reason))])
      return .edit(DeviceEdit(cause: .sessionLost(reason: reason), values: Self.storing(session).values))
    case .notice(let notice): return .notice(notice)
    case .fact(let fact): return .channelFact(fact)
    }
    return nil
  }

  /// The edit that stores a session.
  static func storing(_ session: StoredSession) -> DeviceEdit {
    DeviceEdit(cause: .session, values: [AppValueChange(StoredSession.key, .text(session.text))])
  }
}
