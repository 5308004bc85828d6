import ZoneKitRecords
import ZoneKitSync

extension World {
  /// How long a process that a crash point ended stays down, in milliseconds.
  static var crashPause: Int64 { 2_000 }

  /// Does one thing. What cannot be done is passed over, with a line in the trace: a story that lost a step goes on.
  package mutating func play(_ deed: Deed) {
    switch deed {
    case .wait(let milliseconds): wait(milliseconds)
    case .app(let device, let line): playLine(line, on: device)
    case .start(let device): start(device)
    case .kill(let device): kill(device)
    case .crash(let device, let point): if devices[device].isRunning { crash(device, at: point, comesBack: true) }
    case .forceQuit(let device): forceQuit(device)
    case .powerCut(let device, let permille):
      powerCut(device, keeping: devices[device].store.unsyncedCommits * permille / 1_000)
    case .background(let device): if devices[device].isRunning { background(device) }
    case .foreground(let device): foreground(device)
    case .lowPower(let device, let isOn): setLowPower(device, isOn)
    case .online(let device, let isOnline): setOnline(device, isOnline)
    case .link(let device, let link): setLink(device, link)
    case .push(let device, let rule): pushFaults[device].rules.append(rule)
    case .replayPush(let device): if let push = pushFaults[device].last { deliver(push, to: device) }
    case .sync(let device): sync(device)
    case .signIn(let device, let account): signIn(device, account)
    case .clock(let device, let offset): setClock(device, offset: offset)
    case .drift(let device, let drift): setDrift(device, drift)
    case .reset(let device, let kind): if devices[device].isRunning { play(kind, of: device) }
    case .disk(let device, let deed): changeDisk(device) { $0.play(deed) }
    case .restoreCopy(let original, let twin): restoreCopy(of: original, to: twin)
    case .killCloud, .crashCloud, .fullCloudDisk, .fault, .clearFaults, .ask, .administer: playCloud(deed)
    }
  }

  private mutating func playCloud(_ deed: Deed) {
    switch deed {
    case .killCloud(let pause):
      killCloud()
      startCloud(after: pause)
    case .crashCloud(let point): if cloud.isRunning { crashCloud(at: point, comesBack: true) }
    case .fullCloudDisk(let isFull): setCloudDisk(isFull: isFull)
    case .fault(let fault): cloud.faults.add(fault)
    case .clearFaults: cloud.faults.removeAll()
    case .ask(let account, let request):
      guard cloud.isRunning else { return }
      note(.cloud, .step, "\(account): \(request.words)")
      play(request, as: account)
    case .administer(let account, let deed):
      guard cloud.isRunning else { return }
      note(.cloud, .step, "\(account): \(deed)")
      play(deed, as: account)
    default: preconditionFailure("not a deed of the cloud's")
    }
  }

  /// Somebody else of that account asks a cloud that runs for something, and the inspector knows what that takes away.
  @discardableResult
  mutating func play(_ request: CloudRequest, as account: Name) -> CloudResponse {
    if case .modifyZones(let operations) = request {
      inspector.lostZones(of: account)
      for case .delete(let zone) in operations { takeAway(zone, of: account) }
    }
    return ask(request, as: account)
  }

  /// An administrator does something in a cloud that runs, and the inspector knows what that takes away.
  @discardableResult
  mutating func play(_ deed: Administration, as account: Name) -> CloudResponse {
    if deed.takesRecordsAway { inspector.lostZones(of: account) }
    if case .purgeZone(let zone) = deed { takeAway(zone, of: account) }
    switch deed {
    case .resetEncryptedData(let zone), .loseZone(let zone):
      inspector.zoneIsLost(zone, of: account, heldBy: devices)
    default: break
    }
    return administer(deed, as: account)
  }

  private mutating func takeAway(_ zone: ZoneID, of account: Name) {
    let waiting = devices.flatMap { (try? $0.store.pending(in: zone, after: 0, limit: .max)) ?? [] }.map(\.recordID)
    inspector.zoneGoes(zone, with: held(zone, of: account), of: account, waiting: Set(waiting))
  }

  private mutating func playLine(_ line: String, on device: Int) {
    do throws(AppRefusal) {
      try perform(device, line)
    } catch {
      note(.device(device), .step, "passed over: \(line): \(error)")
    }
  }

  /// Resets a device that runs, and the inspector knows what that takes away. Returns why the store failed; nil where it
  /// did not.
  @discardableResult
  mutating func play(_ kind: StoreReset, of device: Int) -> StoreError? {
    let before = devices[device].store
    do throws(StoreError) {
      try reset(device, kind)
      if case .local(keepingPending: false) = kind {
        inspector.lost(device, from: before, to: devices[device].store, of: devices[device].account)
      }
      return nil
    } catch {
      failed(device, error)
      // A disk that dies after the write has forgotten it all the same.
      inspector.lost(device, from: before, to: devices[device].store, of: devices[device].account)
      inspector.lookedAnew(device, devices[device])
      return error
    }
  }

  /// Changes what a device's link does; what waited at a clog that is gone goes on.
  package mutating func setLink(_ device: Int, _ link: Link) {
    links[device] = link
    note(.device(device), .link, link.words)
    unclog()
  }

  /// The disk of one device becomes a copy of another one's, or of an older one of its, and its process starts anew;
  /// nothing where both are one.
  mutating func restoreCopy(of original: Int, to twin: Int, disk older: MemoryDeviceStore? = nil) {
    guard original != twin else { return }
    kill(twin)
    let (before, disk) = (devices[twin].store, older ?? devices[original].store)
    inspector.lost(twin, from: before, to: disk, of: devices[twin].coordinator.account)
    inspector.doubled(devices[original])
    restore(disk, to: twin)
    devices[twin].account = devices[original].account
    start(twin)
  }
}

extension MemoryDeviceStore {
  /// Does one thing to the disk.
  mutating func play(_ deed: Deed.DiskDeed) {
    let error = StoreError(.failed, "the disk hiccuped", place: "memory")
    switch deed {
    case .failNext(let count): faults += Array(repeating: .beforeCommit(error), count: count)
    case .failAfterNext(let count): faults += Array(repeating: .afterCommit(error), count: count)
    case .full(let isFull): self.isFull = isFull
    case .losesUnsynced(let isLosing): losesUnsyncedCommits = isLosing
    case .sync: sync()
    }
  }
}

extension Administration {
  /// Whether records go that no user deleted.
  var takesRecordsAway: Bool {
    switch self {
    case .eraseRecords, .purgeZone, .resetEncryptedData, .loseZone, .purgeTombstones: true
    case .expireZoneTokens, .expireDatabaseTokens, .dropSubscription, .muteSubscription, .endPushToken: false
    }
  }
}

extension Link {
  /// What it does, in a few words.
  var words: String {
    [("up", up), ("down", down), ("push", push)].map { "\($0) \($1.words)" }.joined(separator: "; ")
  }
}

extension LinkConditions {
  fileprivate var words: String {
    if isCut { return "cut" }
    if isClogged { return "clogged" }
    var words = ["\(delay.lowerBound)-\(delay.upperBound) ms"]
    if loss > 0 { words.append("loses \(loss)/1000") }
    if duplication > 0 { words.append("doubles \(duplication)/1000") }
    if isReordering { words.append("reorders") }
    return words.joined(separator: " ")
  }
}
