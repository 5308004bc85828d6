import ZoneKitRecords
import ZoneKitSync

extension ScenarioStep {
  /// The step that does what a deed of a story does. Throws where no sentence says it.
  init(_ deed: Deed, by cast: [Story.Cast]) throws(RetellingError) {
    func name(_ device: Int) -> String { cast[device].name }
    func one(_ device: Int) -> DeviceChoice { .named([name(device)]) }
    switch deed {
    case .wait(let milliseconds): self = .wait(TimeSpan(milliseconds: milliseconds))
    case .app(let device, let line): self = .app(.perform(one(device), line))
    case .sync(let device): self = .app(.sync(one(device)))
    case .online(let device, let isOnline): self = .link(isOnline ? .online(one(device)) : .offline(one(device)))
    case .link(let device, let link): self = .link(.set(one(device), link))
    case .push(let device, let rule):
      self = .push(.fault(PushTrouble(rule.fault), FaultCount(rule.count), name(device)))
    case .replayPush(let device): self = .push(.replay(name(device)))
    case .signIn(let device, let account):
      self = .account(account.map { .signIn(one(device), $0.text) } ?? .signOut(one(device)))
    case .clock(let device, let offset): self = .clock(.offset(name(device), milliseconds: offset))
    case .drift(let device, let drift): self = .clock(.drift(name(device), millisecondsADay: ClockStep.daily(drift)))
    case .reset(let device, .tokens): self = .reset(.tokens(name(device)))
    case .reset(let device, .local(let keeping)): self = .reset(.local(name(device), keepingPending: keeping))
    case .disk(let device, let deed): self = .disk(DiskStep(deed, of: name(device)))
    case .start, .kill, .crash, .forceQuit, .powerCut, .background, .foreground, .lowPower, .restoreCopy, .killCloud,
      .crashCloud:
      self = .life(try LifeStep(deed, by: cast))
    case .fullCloudDisk(let isFull): self = .cloud(.fullDisk(isFull))
    case .clearFaults: self = .cloud(.behave)
    case .fault(let fault):
      guard let step = CloudStep(fault) else { throw RetellingError("no sentence says the cloud's fault \(fault)") }
      self = .cloud(step)
    case .ask(let account, let request): self = try Self.asking(request, as: account)
    case .administer(let account, let deed): self = try Self.administering(deed, as: account)
    }
  }

  private static func asking(_ request: CloudRequest, as account: Name) throws(RetellingError) -> ScenarioStep {
    let holder = Holder.account(account.text)
    switch request {
    case .modifyZones(let operations) where operations.count == 1:
      switch operations[0] {
      case .create(let zone) where zone.isOwn: return .zone(.create(zone.zoneName.text, of: holder))
      case .delete(let zone) where zone.isOwn: return .zone(.delete(zone.zoneName.text, of: holder))
      default: break
      }
    default: break
    }
    throw RetellingError("no sentence says that somebody else asks the cloud to \(request.words)")
  }

  private static func administering(_ deed: Administration, as account: Name) throws(RetellingError) -> ScenarioStep {
    let holder = Holder.account(account.text)
    switch deed {
    case .eraseRecords(let zone) where zone.isOwn: return .reset(.zone(zone.zoneName.text, of: holder))
    case .purgeZone(let zone) where zone.isOwn: return .zone(.purge(zone.zoneName.text, of: holder))
    case .resetEncryptedData(let zone) where zone.isOwn: return .zone(.resetKeys(zone.zoneName.text, of: holder))
    case .loseZone(let zone) where zone.isOwn: return .zone(.lose(zone.zoneName.text, of: holder))
    case .expireZoneTokens(let zone) where zone.isOwn: return .zone(.expireTokens(zone.zoneName.text, of: holder))
    case .purgeTombstones(let zone, let time) where zone.isOwn:
      return .zone(.forgetDeletions(zone.zoneName.text, of: holder, before: time))
    case .expireDatabaseTokens: return .cloud(.expireDatabaseTokens(of: holder))
    case .dropSubscription: return .cloud(.loseSubscription(of: holder))
    case .muteSubscription: return .cloud(.muteSubscription(of: holder))
    default: throw RetellingError("no sentence says the administrator's deed \(deed)")
    }
  }
}

extension LifeStep {
  fileprivate init(_ deed: Deed, by cast: [Story.Cast]) throws(RetellingError) {
    func place(_ device: Int) -> Place { .device(cast[device].name) }
    func one(_ device: Int) -> DeviceChoice { .named([cast[device].name]) }
    switch deed {
    case .start(let device): self = .start(place(device))
    case .kill(let device): self = .kill(place(device))
    case .crash(let device, let point): self = try Self.crash(place(device), point)
    case .forceQuit(let device): self = .forceQuit(one(device))
    case .powerCut(let device, let permille):
      guard permille % 10 == 0 else {
        throw RetellingError("a power cut keeps whole percents of the commits, not \(permille) of a thousand")
      }
      self = .powerCut(place(device), keeping: permille / 10)
    case .background(let device): self = .background(one(device))
    case .foreground(let device): self = .foreground(one(device))
    case .lowPower(let device, let isOn): self = isOn ? .lowPower(one(device)) : .fullPower(one(device))
    case .restoreCopy(let original, let twin): self = .restoreOnto(of: cast[original].name, to: cast[twin].name)
    case .killCloud(let pause): self = .killFor(.cloud, TimeSpan(milliseconds: pause))
    case .crashCloud(let point): self = try Self.crash(.cloud, point)
    default: preconditionFailure("not about a process's life")
    }
  }

  private static func crash(_ place: Place, _ point: CrashPoint) throws(RetellingError) -> LifeStep {
    guard let moment = CrashMoment(point) else { throw RetellingError("no sentence says the moment \(point)") }
    return .killAt(place, moment, startingAgain: true)
  }
}

extension DiskStep {
  fileprivate init(_ deed: Deed.DiskDeed, of device: String) {
    switch deed {
    case .failNext(let count): self = .failWrites(device, count, keeping: false)
    case .failAfterNext(let count): self = .failWrites(device, count, keeping: true)
    case .full(let isFull): self = isFull ? .full(device) : .hasRoom(device)
    case .losesUnsynced(let isLosing): self = .buffers(device, isLosing)
    case .sync: self = .sync(device)
    }
  }
}

extension PushTrouble {
  fileprivate init(_ fault: PushFaults.Fault) {
    switch fault {
    case .drop: self = .drop
    case .duplicate: self = .duplicate
    case .delay(let delay): self = .delay(TimeSpan(milliseconds: delay))
    case .prune: self = .prune
    case .withoutID: self = .withoutID
    case .misaddress: self = .misaddress
    case .swap: self = .swap
    }
  }
}

extension FaultCount {
  fileprivate init(_ limit: Int?) { self = limit.map(FaultCount.next) ?? .every }
}

extension ClockStep {
  /// What a clock gains in a day, in milliseconds, that runs so many parts of a million too fast: `drift` reads it back.
  fileprivate static func daily(_ drift: Int64) -> Int64 {
    // A day has 86.4 million milliseconds; what is not whole is rounded away from zero, for reading rounds towards it.
    (drift * 864 + (drift < 0 ? -9 : 9)) / 10
  }
}

extension ZoneID {
  /// Whether its name says all of it.
  fileprivate var isOwn: Bool { self == ZoneID(zoneName: zoneName) }
}
