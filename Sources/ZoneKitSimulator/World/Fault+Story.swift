import ZoneKitRecords

/// Faults of scenarios, with a description for the trace.
extension Fault {
  /// A fault whose name is its description in the trace.
  init(telling action: FaultAction, on scope: FaultScope = FaultScope(), times: Int? = nil) {
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
  var words: String {
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
    }
  }
}
