import ZoneKitRecords

extension CloudStep {
  /// The fault that the step adds to the cloud's plan, if it depends on nothing else; nil for other steps.
  package var fault: Fault? {
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
    case .forgetSubscriptions(let count, let device):
      Self.fault(.forgetSubscriptions, count, .subscriptionSave, device)
    case .muteSubscriptions(let count, let device):
      Self.fault(.muteSubscriptions, count, .subscriptionSave, device)
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
    scope.kinds = operation.kinds?.map { .cloud($0) }
    return Fault(telling: action, on: scope, times: count.limit)
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
