import Records
import Service
import Simulator
import ZoneServer

/// What the cloud does wrong, or is told to do.
extension RealPlayer {
  func play(_ step: CloudStep) throws(ExitFailure) {
    switch step {
    case .answer(let count, let operation, let device, let code, let retry):
      let error = CloudError(
        code, "the scenario asks for it", retryAfterMilliseconds: retry.map(\.milliseconds))
      try add(.refuse(error), count, operation, of: device)
    case .loseAnswer(let count, let operation, let device): try add(.loseAnswer, count, operation, of: device)
    case .loseRequest(let count, let operation, let device): try add(.loseRequest, count, operation, of: device)
    case .delayAnswer(let count, let operation, let device, let span):
      try add(.delayAnswer(milliseconds: span.milliseconds), count, operation, of: device)
    case .repeatRequest(let count, let operation, let device): try add(.repeatRequest, count, operation, of: device)
    case .refuse(let record, let code):
      let name = try name(of: record)
      let scope = FaultScope(.modifyRecords, recordNames: [Name(name)])
      try stage.addFault(Fault(.refuseItems(CloudError(code, "the scenario asks for it")), on: scope, name: name))
    case .accept(let record): try stage.removeFaults(named: try name(of: record))
    case .refuseAbove(let count):
      let error = CloudError(.limitExceeded, "more than \(count) records at once")
      try stage.addFault(Fault(.refuse(error), on: FaultScope(.modifyRecords, itemsAbove: count)))
    case .full:
      let error = CloudError(.quotaExceeded, "the cloud is full")
      try stage.addFault(Fault(.refuseItems(error), on: FaultScope(.saveRecords), name: "full"))
    case .hasRoom: try stage.removeFaults(named: "full")
    case .showLate(let span): try stage.addFault(Fault(.staleFeed(milliseconds: span.milliseconds)))
    case .stuckToken(let count, let device): try add(.stuckToken, count, .fetch, of: device)
    case .omit(let record, let count, let device):
      try add(.omitRecords, count, .zoneFetch, of: device, records: [Name(try name(of: record))])
    case .doubleRecords(let count, let device): try add(.doubleRecords, count, .zoneFetch, of: device)
    case .listZone(let name): try stage.addFault(Fault(.listZone(Name(name))))
    case .loseSubscription(let device): try stage.loseSubscriptions(of: try account(of: device))
    case .doubleSubscription(let device): try stage.doubleSubscription(of: try account(of: device))
    case .behave: try stage.clearFaults()
    case .expireTokens(let kind, let device): try expireTokens(kind, of: device)
    case .muteSubscription(let device): try stage.muteSubscriptions(of: try account(of: device))
    }
  }

  private func add(
    _ action: FaultAction, _ count: FaultCount, _ operation: CloudOperation, of device: String?, records: [Name]? = nil
  ) throws(ExitFailure) {
    var scope = FaultScope()
    scope.kinds = operation.kinds
    scope.recordNames = records
    if let device { scope.deviceID = try stage.deviceID(of: try stage.device(device)) }
    let times: Int? = if case .next(let number) = count { number } else { nil }
    try stage.addFault(Fault(action, on: scope, times: times))
  }

  func play(_ step: ZoneStep) throws(ExitFailure) {
    switch step {
    case .delete(let zone, let device):
      try stage.deleteZone(zone ?? RealStage.zoneName, of: try account(of: device))
    case .purge(let zone, let device): try administer("purgeZone", zone, of: device)
    // Both take the zone away without an entry in any feed.
    case .resetKeys(let zone, let device), .lose(let zone, let device):
      try administer("resetEncryptedData", zone, of: device)
    case .forgetDeletions(let zone, let device): try administer("purgeTombstones", zone, of: device)
    }
  }

  private func administer(_ deed: String, _ zone: String?, of device: String) throws(ExitFailure) {
    try stage.administer(deed, [("zone", .string(zone ?? RealStage.zoneName))], of: try account(of: device))
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
