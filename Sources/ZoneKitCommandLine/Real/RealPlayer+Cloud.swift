import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator

/// What the cloud does wrong, or is told to do.
extension RealPlayer {
  func play(_ step: CloudStep) throws(ExitFailure) {
    switch step {
    case .answer(let count, let operation, let device, let code, let retry):
      let error = CloudError.planted(code, retryAfterMilliseconds: retry?.milliseconds)
      try add(.refuse(error), count, operation, of: device)
    case .loseAnswer(let count, let operation, let device): try add(.loseAnswer, count, operation, of: device)
    case .loseRequest(let count, let operation, let device): try add(.loseRequest, count, operation, of: device)
    case .delayAnswer(let count, let operation, let device, let span):
      try add(.delayAnswer(milliseconds: span.milliseconds), count, operation, of: device)
    case .repeatRequest(let count, let operation, let device): try add(.repeatRequest, count, operation, of: device)
    case .refuseItems(let count, let operation, let device, let name, let zone, let code, let retry):
      let error = CloudError.planted(code, retryAfterMilliseconds: retry?.milliseconds)
      try add(.refuseItems(error), count, operation, of: device, records: name.map { [Name($0)] }, zone: zone)
    case .partly(let step, let after, let percent):
      share = (after, percent)
      defer { share = (0, 100) }
      try play(step)
    case .refuse(let record, let code):
      let name = try name(of: record)
      let scope = FaultScope(.modifyRecords, recordNames: [Name(name)])
      try stage.addFault(Fault(.refuseItems(.planted(code)), on: scope, name: name))
    case .accept(let record): try stage.removeFaults(named: try name(of: record))
    case .refuseAbove(let count):
      let error = CloudError(.limitExceeded, "more than \(count) records at once")
      try stage.addFault(Fault(.refuse(error), on: FaultScope(.modifyRecords, itemsAbove: count)))
    case .full:
      let error = CloudError(.quotaExceeded, "the cloud is full")
      try stage.addFault(Fault(.refuseItems(error), on: FaultScope(.saveRecords), name: "full"))
    case .hasRoom: try stage.removeFaults(named: "full")
    case .showLate(let span): try stage.addFault(Fault(.staleFeed(milliseconds: span.milliseconds)))
    case .staleFeed(let count, let operation, let device, let span):
      try add(.staleFeed(milliseconds: span.milliseconds), count, operation, of: device)
    case .stuckToken(let count, let operation, let device): try add(.stuckToken, count, operation, of: device)
    case .omit(let record, let count, let device):
      try add(.omitRecords, count, .zoneFetch, of: device, records: [Name(try name(of: record))])
    case .doubleRecords(let count, let operation, let device): try add(.doubleRecords, count, operation, of: device)
    case .listZone(let name, let count): try add(.listZone(Name(name)), count, .request, of: nil)
    case .loseSubscription(let holder): try stage.loseSubscriptions(of: try account(of: holder))
    case .doubleSubscription(let device): try stage.doubleSubscription(of: try account(of: device))
    case .behave: try stage.clearFaults()
    case .expireTokens(let kind, let device): try expireTokens(kind, of: device)
    case .expireDatabaseTokens(let holder): try stage.administer("expireDatabaseTokens", of: try account(of: holder))
    case .muteSubscription(let holder): try stage.muteSubscriptions(of: try account(of: holder))
    case .fullDisk: throw .virtualOnly("no process can do that")
    }
  }

  private func add(
    _ action: FaultAction, _ count: FaultCount, _ operation: CloudOperation, of device: String?, records: [Name]? = nil,
    zone: String? = nil
  ) throws(ExitFailure) {
    guard share.percent > 0 else { return }
    var scope = FaultScope(zoneName: zone.map { Name($0) })
    scope.kinds = operation.kinds
    scope.recordNames = records
    if let device { scope.deviceID = try stage.deviceID(of: try stage.device(device)) }
    let times: Int? = if case .next(let number) = count { number } else { nil }
    try stage.addFault(
      Fault(action, on: scope, after: share.after, times: times, perMille: share.percent * 10))
  }

  func play(_ step: ZoneStep) throws(ExitFailure) {
    switch step {
    case .create(let zone, let holder):
      try stage.createZone(zone ?? RealStage.zoneName, of: try account(of: holder))
    case .delete(let zone, let holder):
      try stage.deleteZone(zone ?? RealStage.zoneName, of: try account(of: holder))
    case .purge(let zone, let holder): try administer("purgeZone", zone, of: holder)
    case .resetKeys(let zone, let holder): try administer("resetEncryptedData", zone, of: holder)
    case .lose(let zone, let holder): try administer("loseZone", zone, of: holder)
    case .forgetDeletions(let zone, let holder, let time):
      try administer("purgeTombstones", zone, of: holder, time.map { [("before", .string($0.iso8601))] } ?? [])
    case .expireTokens(let zone, let holder): try administer("expireZoneTokens", zone, of: holder)
    }
  }

  private func administer(
    _ deed: String, _ zone: String?, of holder: Holder, _ members: [(String, JSON)] = []
  ) throws(ExitFailure) {
    let members = [("zone", JSON.string(zone ?? RealStage.zoneName))] + members
    try stage.administer(deed, members, of: try account(of: holder))
  }

  /// The cloud knows accounts, not who of them holds which token.
  private func expireTokens(_ kind: TokenKind, of device: String?) throws(ExitFailure) {
    let accounts = try device.map { (name) throws(ExitFailure) in [try account(of: name)] } ?? stage.accounts
    if device != nil { note = "for all devices of the account" }
    for account in accounts {
      if kind != .database {
        try stage.administer("expireZoneTokens", [("zone", .string(RealStage.zoneName))], of: account)
      }
      if kind != .zone { try stage.administer("expireDatabaseTokens", of: account) }
    }
  }
}
