import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// Draws the steps of each kind of fault.
extension SwarmDraw {
  mutating func one() -> DeviceChoice { .named([device()]) }

  mutating func killed() -> [ScenarioStep] {
    let place = Place.device(device())
    return [.life(.kill(place)), wait(0...5_000), .life(.start(place))]
  }

  mutating func forceQuit() -> [ScenarioStep] {
    let device = device()
    return [.life(.forceQuit(.named([device]))), wait(0...60_000), .life(.start(.device(device)))]
  }

  mutating func reset(_ device: String) -> ResetStep {
    oneOf([.tokens(device), .local(device, keepingPending: true), .local(device, keepingPending: false)])
  }

  /// The device comes to a time zone. All machines know the rules of these zones.
  mutating func arrival(of device: String) -> ScenarioStep { .clock(.zone(device, oneOf(TimeZoneRules.known).name)) }

  /// A command whose result depends on the time zone.
  mutating func lineOfDays(_ app: DeviceApp) -> [ScenarioStep] {
    let lines = app.simulation.linesOfDays
    return lines.isEmpty ? [] : [write(oneOf(lines), on: device())]
  }

  mutating func tokens(_ app: DeviceApp) -> ScenarioStep {
    let holder = Holder.account(oneOf(accounts))
    let zone = zoneName(app)
    switch number(3) {
    case 0: return .zone(.expireTokens(zone, of: holder))
    case 1: return .cloud(.expireDatabaseTokens(of: holder))
    default:
      let time = WallTime(milliseconds: 1_800_000_000_000 + time(0...600_000))
      return .zone(.forgetDeletions(zone, of: holder, before: time))
    }
  }

  mutating func link() -> Link {
    var link = Link()
    link.toldLosses = oneOf([0, 500, 1_000])
    link.up = conditions()
    link.down = conditions()
    link.push = conditions()
    return link
  }

  private mutating func conditions() -> LinkConditions {
    var conditions = LinkConditions()
    conditions.delay = oneOf([1...20, 5...40, 20...500, 100...3_000])
    conditions.loss = oneOf([0, 0, 50, 300, 1_000])
    conditions.duplication = oneOf([0, 0, 0, 200])
    conditions.isReordering = number(3) == 0
    conditions.isCut = number(12) == 0
    conditions.isClogged = number(15) == 0
    return conditions
  }

  mutating func killPoint() -> KillPoint {
    switch number(4) {
    case 0: return .after(number(6) + 1, .commit)
    case 1:
      let effect = oneOf(["send", "remoteChange", "pageMerged", "batchSent", "recordSent", "conflict"])
      return .before(number(3) + 1, .effect(effect))
    default: return .before(number(40) + 1, .step)
    }
  }

  mutating func cloudCrash(_ app: DeviceApp) -> [ScenarioStep] {
    guard number(5) > 0 else {
      let disk = cloudDisk(app)
      return [.cloud(.fullDisk(disk, true)), .wait(span(0...10_000)), .cloud(.fullDisk(disk, false))]
    }
    guard !isHead() else { return [.life(.killFor(.cloud, span(0...20_000)))] }
    return [.life(.killAt(.cloud, cloudKillPoint(), startingAgain: true))]
  }

  private mutating func cloudKillPoint() -> KillPoint {
    guard !isHead() else { return .before(number(12) + 1, .step) }
    let effect = oneOf(["turn", "answer", "notify", "registered"])
    return .before(number(4) + 1, .effect(effect))
  }

  mutating func powerCut(_ device: String) -> [ScenarioStep] {
    guard number(3) > 0 else { return [.disk(.buffers(device, true))] }
    guard number(3) > 0 else { return [.disk(.sync(device))] }
    let place = Place.device(device)
    return [
      .life(.powerCut(place, keeping: oneOf([0, 50, 90, 100]))), .wait(span(0...10_000)), .life(.start(place)),
    ]
  }

  mutating func push(_ device: String) -> PushStep {
    let fault: PushFault = oneOf(
      [.drop, .drop, .duplicate, .delay(milliseconds: span(0...120_000).milliseconds), .prune, .misaddress, .swap])
    return number(5) == 0 ? .replay(device) : .fault(PushTrouble(fault, .next(number(4) + 1), to: device))
  }

  mutating func account(_ device: DeviceChoice) -> AccountStep {
    oneOf([.signOut(device), .signIn(device, "nanny"), .signIn(device, "granny")])
  }

  mutating func clock(_ device: String) -> ClockStep {
    switch number(3) {
    case 0: .drift(device, millisecondsADay: oneOf([-1_728_000, -4_320, 4_320, 1_728_000]))
    case 1: .offset(device, milliseconds: 0)
    default:
      .offset(
        device, milliseconds: oneOf([-3_600_000, 3_600_000, -Self.day * 400, Self.day * 400, -500, 500, 60_000]))
    }
  }

  mutating func disk(_ device: String) -> DiskStep {
    oneOf([
      .failWrites(device, number(3) + 1, keeping: false), .failWrites(device, 1, keeping: true), .full(device),
      .hasRoom(device), .hasRoom(device),
    ])
  }

  mutating func serverError() -> CloudStep {
    let code = oneOf(Self.transientCodes)
    let retry = number(3) == 0 ? TimeSpan(milliseconds: time(1...40) * 1_000) : nil
    let faults: [CloudFaultDraw] = [
      { .answer($0, $1, of: nil, code, retryAfter: retry) }, { .loseRequest($0, $1, of: nil) },
      { .loseAnswer($0, $1, of: nil) }, { .loseAnswer($0, $1, of: nil) }, lateAnswer(by: span(0...90_000)),
      { .repeatRequest($0, $1, of: nil) },
    ]
    let fault = oneOf(faults)
    let operation = operation()
    let after = number(4)
    let step = fault(.next(number(4) + 1), operation)
    return step.partly(after: after, percent: oneOf([100, 50]))
  }

  /// Makes a fault for the given number and kind of requests, which are drawn later.
  private typealias CloudFaultDraw = (FaultCount, CloudOperation) -> CloudStep

  private func lateAnswer(by span: TimeSpan) -> CloudFaultDraw { { .delayAnswer($0, $1, of: nil, span) } }

  /// Temporary errors. Others rightly end a sync for good.
  private static let transientCodes: [CloudErrorCode] = [
    .internalError, .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited, .zoneBusy,
    .serverResponseLost, .accountTemporarilyUnavailable, .limitExceeded,
  ]

  private mutating func operation() -> CloudOperation {
    guard isHead() else { return .request }
    return oneOf([
      .save, .save, .delete, .zoneFetch, .databaseFetch, .lookup, .namedSubscriptionLookup, .subscriptionSave,
      .tokenRegistration, .zoneSave,
    ])
  }

  mutating func serverOddity(_ app: DeviceApp) -> CloudStep {
    let zone = zoneName(app)
    let fault = serverOddity(zone)
    let count = FaultCount.next(number(3) + 1)
    return fault(count).partly(after: number(3), percent: 100)
  }

  private mutating func serverOddity(_ zone: String) -> (FaultCount) -> CloudStep {
    switch number(8) {
    case 0:
      let span = span(100...5_000)
      return { .staleFeed($0, .request, of: nil, span) }
    case 1: return { .stuckToken($0, .request, of: nil) }
    case 2: return { .listZone("Phantom", $0) }
    case 3: return { .doubleRecords($0, .request, of: nil) }
    case 4: return { .items(of: .zoneFetch, .changeTokenExpired, $0) }
    case 5: return { .answer($0, .databaseFetch, of: nil, .changeTokenExpired, retryAfter: nil) }
    case 6:
      let operation: CloudOperation = oneOf([.save, .zoneFetch, .lookup])
      return { .items(of: operation, in: zone, .zoneBusy, $0) }
    default: return { .items(of: .save, .batchRequestFailed, $0) }
    }
  }

  mutating func fullCloud() -> CloudStep { .items(of: .save, .quotaExceeded, isHead() ? .next(2) : .every) }

  mutating func zone(_ app: DeviceApp) -> [ScenarioStep] {
    let zone = zoneName(app)
    switch number(5) {
    case 0, 1: return [.reset(.zone(zone, of: Self.holder))]
    case 2: return [.zone(.purge(zone, of: Self.holder))]
    case 3: return [.zone(.delete(zone, of: Self.holder)), .zone(.create(zone, of: Self.holder))]
    default: return [.zone(.delete(zone, of: Self.holder))]
    }
  }
}

extension CloudStep {
  /// A fault that refuses items of requests: all items, or those of that record name or zone.
  static func items(
    of operation: CloudOperation, named name: String? = nil, in zone: String? = nil, _ code: CloudErrorCode,
    _ count: FaultCount
  ) -> CloudStep {
    .refuseItems(count, operation, of: nil, named: name, zone: zone, code, retryAfter: nil)
  }

  /// The same fault after `after` requests that pass, and then for that percentage of the following ones.
  func partly(after: Int, percent: Int) -> CloudStep {
    after == 0 && percent == 100 ? self : .partly(self, after: after, percent: percent)
  }
}
