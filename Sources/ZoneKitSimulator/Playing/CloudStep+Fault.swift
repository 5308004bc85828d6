import ZoneKitRecords

extension CloudStep {
  /// The fault that the step puts into the cloud's plan, whatever else there is; nil where it does something else.
  var fault: Fault? {
    switch self {
    case .answer(let count, let operation, let device, let code, let wait):
      Self.fault(.refuse(.planted(code, retryAfterMilliseconds: wait?.milliseconds)), count, operation, device)
    case .loseAnswer(let count, let operation, let device): Self.fault(.loseAnswer, count, operation, device)
    case .loseRequest(let count, let operation, let device): Self.fault(.loseRequest, count, operation, device)
    case .delayAnswer(let count, let operation, let device, let span):
      Self.fault(.delayAnswer(milliseconds: span.milliseconds), count, operation, device)
    case .repeatRequest(let count, let operation, let device): Self.fault(.repeatRequest, count, operation, device)
    case .refuseItems(let count, let operation, let device, let name, let zone, let code, let wait):
      Self.fault(
        .refuseItems(.planted(code, retryAfterMilliseconds: wait?.milliseconds)), count, operation, device, zone: zone,
        record: name)
    case .staleFeed(let count, let operation, let device, let span):
      Self.fault(.staleFeed(milliseconds: span.milliseconds), count, operation, device)
    case .stuckToken(let count, let operation, let device): Self.fault(.stuckToken, count, operation, device)
    case .doubleRecords(let count, let operation, let device): Self.fault(.doubleRecords, count, operation, device)
    case .listZone(let name, let count): Self.fault(.listZone(Name(name)), count, .request, nil)
    case .partly(let step, let after, let percent): step.fault?.partly(after: after, percent: percent)
    default: nil
    }
  }

  private static func fault(
    _ action: FaultAction, _ count: FaultCount, _ operation: CloudOperation, _ device: String?, zone: String? = nil,
    record: String? = nil
  ) -> Fault {
    var scope = FaultScope(deviceID: device, zoneName: zone.map { Name($0) })
    scope.recordNames = record.map { [Name($0)] }
    scope.kinds = operation.kinds
    return Fault(telling: action, on: scope, times: count.limit)
  }

  /// The step that plants that fault; nil where no sentence says it.
  init?(_ fault: Fault) {
    guard let operation = CloudOperation(kinds: fault.scope.kinds) else { return nil }
    let count = fault.times.map(FaultCount.next) ?? .every
    guard let step = Self.step(fault.action, count, operation, fault.scope) else { return nil }
    let isWhole = fault.after == 0 && fault.perMille == 1_000
    self = isWhole ? step : .partly(step, after: fault.after, percent: fault.perMille / 10)
    var told = self.fault
    told?.name = fault.name
    guard told == fault else { return nil }
  }

  private static func step(
    _ action: FaultAction, _ count: FaultCount, _ operation: CloudOperation, _ scope: FaultScope
  ) -> CloudStep? {
    let device = scope.deviceID
    switch action {
    case .refuse(let error):
      return .answer(count, operation, of: device, error.code, retryAfter: error.retryAfter)
    case .refuseItems(let error):
      return .refuseItems(
        count, operation, of: device, named: scope.recordNames?.first?.text, zone: scope.zoneName?.text, error.code,
        retryAfter: error.retryAfter)
    case .loseRequest: return .loseRequest(count, operation, of: device)
    case .loseAnswer: return .loseAnswer(count, operation, of: device)
    case .delayAnswer(let delay): return .delayAnswer(count, operation, of: device, TimeSpan(milliseconds: delay))
    case .repeatRequest: return .repeatRequest(count, operation, of: device)
    case .staleFeed(let delay): return .staleFeed(count, operation, of: device, TimeSpan(milliseconds: delay))
    case .stuckToken: return .stuckToken(count, operation, of: device)
    case .listZone(let name): return .listZone(name.text, count)
    case .doubleRecords: return .doubleRecords(count, operation, of: device)
    case .omitRecords, .forgetSubscriptions, .muteSubscriptions: return nil
    }
  }
}

extension Fault {
  fileprivate func partly(after: Int, percent: Int) -> Fault {
    var fault = self
    fault.after = after
    fault.perMille = percent * 10
    return fault
  }
}

extension CloudError {
  fileprivate var retryAfter: TimeSpan? { retryAfterMilliseconds.map { TimeSpan(milliseconds: $0) } }
}
