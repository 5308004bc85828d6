import ZoneKitRecords

/// Faults as a story plants them: what it says of them is the same whether it was drawn or read.
extension Fault {
  /// A fault with the name that a trace gives it.
  init(telling action: FaultAction, on scope: FaultScope = FaultScope(), times: Int? = nil) {
    self.init(action, on: scope, name: action.words, times: times)
  }
}

extension CloudError {
  /// An error that only the story is the reason of, in virtual time and on processes.
  package static func planted(_ code: CloudErrorCode, retryAfterMilliseconds: Int64? = nil) -> CloudError {
    CloudError(code, "as the story says", retryAfterMilliseconds: retryAfterMilliseconds)
  }
}

extension FaultAction {
  /// What it does, in a few words.
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
