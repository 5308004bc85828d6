import ZoneKitRecords
import ZoneKitSync

/// The single troubles.
extension SwarmDraw {
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

  mutating func crashPoint() -> CrashPoint {
    switch number(4) {
    case 0: .commit(Int(number(6)) + 1)
    case 1:
      .effect(oneOf(["send", "remoteChange", "pageMerged", "batchSent", "recordSent", "conflict"]), Int(number(3)) + 1)
    default: .step(Int(number(40)) + 1)
    }
  }

  mutating func cloudCrashPoint() -> CrashPoint {
    isHead()
      ? .step(Int(number(12)) + 1) : .effect(oneOf(["commit", "answer", "notify", "registered"]), Int(number(4)) + 1)
  }

  mutating func powerCut(_ device: Int) -> [Deed] {
    guard number(3) > 0 else { return [.disk(device, .losesUnsynced(true))] }
    guard number(3) > 0 else { return [.disk(device, .sync)] }
    return [.powerCut(device, keeping: Int(oneOf([0, 500, 900, 1_000]))), .wait(time(0...10_000)), .start(device)]
  }

  mutating func push(_ device: Int) -> Deed {
    let fault: PushFaults.Fault = oneOf(
      [.drop, .drop, .duplicate, .delay(time(0...120_000)), .prune, .misaddress, .swap])
    return number(5) == 0 ? .replayPush(device) : .push(device, PushFaults.Rule(fault, count: Int(number(4)) + 1))
  }

  mutating func account(_ device: Int) -> [Deed] {
    [.signIn(device, oneOf([nil, "nanny", "granny"]))]
  }

  mutating func clock(_ device: Int) -> Deed {
    switch number(3) {
    case 0: .drift(device, oneOf([-20_000, -50, 50, 20_000]))
    case 1: .clock(device, offset: 0)
    default:
      .clock(device, offset: oneOf([-3_600_000, 3_600_000, -86_400_000 * 400, 86_400_000 * 400, -500, 500, 60_000]))
    }
  }

  mutating func disk(_ device: Int) -> Deed {
    let deed: Deed.DiskDeed = oneOf(
      [.failNext(Int(number(3)) + 1), .failAfterNext(1), .full(true), .full(false), .full(false)])
    return .disk(device, deed)
  }

  mutating func serverError() -> Fault {
    var error = CloudError.planted(oneOf(Self.transientCodes))
    if number(3) == 0 { error.retryAfterMilliseconds = time(1...40) * 1_000 }
    let action: FaultAction = oneOf(
      [
        .refuse(error), .loseRequest, .loseAnswer, .loseAnswer, .delayAnswer(milliseconds: time(0...90_000)),
        .repeatRequest,
      ])
    var fault = Fault(telling: action, on: scope())
    fault.after = Int(number(4))
    fault.times = Int(number(4)) + 1
    fault.perMille = oneOf([1_000, 500])
    return fault
  }

  /// Errors that pass; the others end a sync for good, as they should.
  private static let transientCodes: [CloudErrorCode] = [
    .internalError, .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited, .zoneBusy,
    .serverResponseLost, .accountTemporarilyUnavailable, .limitExceeded,
  ]

  private mutating func scope() -> FaultScope {
    guard isHead() else { return FaultScope() }
    return FaultScope(
      oneOf([
        .saveRecords, .saveRecords, .deleteRecords, .fetchZoneChanges, .fetchDatabaseChanges, .lookupRecords,
        .lookupSubscriptions, .saveSubscriptions, .registerPushToken, .createZones,
      ]))
  }

  mutating func serverOddity(_ app: SimulatedApp) -> Fault {
    let zone = oneOf(app.zones).zoneName
    let fault: Fault =
      switch number(8) {
      case 0: Fault(telling: .staleFeed(milliseconds: time(100...5_000)))
      case 1: Fault(telling: .stuckToken)
      case 2: Fault(telling: .listZone("Phantom"))
      case 3: Fault(telling: .doubleRecords)
      case 4: Fault(telling: .refuseItems(.planted(.changeTokenExpired)), on: FaultScope(.fetchZoneChanges))
      case 5: Fault(telling: .refuse(.planted(.changeTokenExpired)), on: FaultScope(.fetchDatabaseChanges))
      case 6:
        Fault(
          telling: .refuseItems(.planted(.zoneBusy)),
          on: FaultScope(oneOf([.saveRecords, .fetchZoneChanges, .lookupRecords]), zoneName: zone))
      default: Fault(telling: .refuseItems(.planted(.batchRequestFailed)), on: FaultScope(.saveRecords))
      }
    var drawn = fault
    drawn.times = Int(number(3)) + 1
    drawn.after = Int(number(3))
    return drawn
  }

  mutating func fullCloud() -> Fault {
    Fault(
      telling: .refuseItems(.planted(.quotaExceeded)), on: FaultScope(.saveRecords), times: isHead() ? 2 : nil)
  }

  mutating func zone(_ app: SimulatedApp) -> [Deed] {
    let zone = oneOf(app.zones)
    let account: Name = "nanny"
    switch number(5) {
    case 0, 1: return [.administer(account, .eraseRecords(zone))]
    case 2: return [.administer(account, .purgeZone(zone))]
    case 3: return [.ask(account, .modifyZones([.delete(zone)])), .ask(account, .modifyZones([.create(zone)]))]
    default: return [.ask(account, .modifyZones([.delete(zone)]))]
    }
  }

  mutating func tokens(_ app: SimulatedApp) -> Administration {
    let zone = oneOf(app.zones)
    return switch number(3) {
    case 0: .expireZoneTokens(zone)
    case 1: .expireDatabaseTokens
    default: .purgeTombstones(zone, before: WallTime(milliseconds: 1_800_000_000_000 + time(0...600_000)))
    }
  }

  mutating func subscription(_ app: SimulatedApp) -> [Deed] {
    let id = app.configuration.subscriptionID ?? ""
    return [.administer("nanny", isHead() ? .dropSubscription(id) : .muteSubscription(id))]
  }
}
