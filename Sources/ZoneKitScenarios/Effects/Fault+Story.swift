import ZoneKitRecords

/// Faults of scenarios, with a description for the trace.
extension Fault {
  /// A fault whose name is its description in the trace.
  package init(telling action: FaultAction, on scope: FaultScope = FaultScope(), times: Int? = nil) {
    self.init(action, on: scope, name: action.words, times: times)
  }
}

extension CloudError {
  /// An error that a scenario causes, in virtual time and on processes.
  package static func planted(_ code: CloudErrorCode, retryAfterMilliseconds: Int64? = nil) -> CloudError {
    CloudError(code, "as the story says", retryAfterMilliseconds: retryAfterMilliseconds)
  }
}

extension FaultAction {
  /// A short description.
  package var words: String {
    switch self {
    case .refuse(let error), .refuseItems(let error): error.code.rawValue
    case .loseRequest: "request lost"
    case .loseAnswer: "answer lost"
    case .delayAnswer: "answer late"
    case .repeatRequest: "done twice"
    case .staleFeed: "shown late"
    case .stuckToken: "token repeated"
    case .listZone: "zone listed"
    case .omitRecords: "record left out"
    case .doubleRecords: "records twice"
    case .forgetSubscriptions: "subscription lost"
    case .muteSubscriptions: "subscription muted"
    case .table(let action): action.words
    case .push(let fault): "push \(fault.summary)"
    }
  }
}

extension TableFaultAction {
  /// A short description.
  fileprivate var words: String {
    switch self {
    case .reject(let refusal): "refused with \(refusal.status) \(refusal.code)"
    case .rejectItems(let code): "refused with \(code)"
    case .staleRows: "shown late"
    case .omitRows: "row left out"
    case .doubleRows: "rows twice"
    case .cutSocket: "socket cut"
    case .silentJoin: "join without reply"
    case .refuseJoin(let reason): "join refused: \(reason)"
    case .deafJoin: "join deaf"
    case .muteHeartbeat: "heartbeat without reply"
    case .expireTokens: "token expired"
    case .endSession: "session ended"
    case .skewTokens: "tokens judged by another clock"
    case .restamp: "stamp cut"
    }
  }
}

extension FaultCount {
  /// The number; nil for all.
  package var limit: Int? {
    switch self {
    case .next(let count): count
    case .every: nil
    }
  }
}
