import ZoneKitRecords

extension FaultAction {
  /// The value of the member `do` for the action.
  var word: String {
    switch self {
    case .refuse: "refuse"
    case .refuseItems: "refuseItems"
    case .loseRequest: "loseRequest"
    case .loseAnswer: "loseAnswer"
    case .delayAnswer: "delayAnswer"
    case .repeatRequest: "repeatRequest"
    case .staleFeed: "staleFeed"
    case .stuckToken: "stuckToken"
    case .listZone: "listZone"
    case .omitRecords: "omitRecords"
    case .doubleRecords: "doubleRecords"
    case .forgetSubscriptions: "forgetSubscriptions"
    case .muteSubscriptions: "muteSubscriptions"
    case .table(let action): action.word
    }
  }

  /// The action and its parameters, as members of a fault.
  var members: [JSON.Member] {
    let word = JSON.Member("do", .string(word))
    switch self {
    case .refuse(let error), .refuseItems(let error): return [word] + error.members
    case .delayAnswer(let milliseconds), .staleFeed(let milliseconds):
      return [word, JSON.Member("milliseconds", .integer(milliseconds))]
    case .listZone(let name): return [word, JSON.Member("listed", .string(name.text))]
    case .loseRequest, .loseAnswer, .repeatRequest, .stuckToken, .omitRecords, .doubleRecords, .forgetSubscriptions,
      .muteSubscriptions:
      return [word]
    case .table(let action): return [word] + action.members
    }
  }

  /// The action in a fault's members.
  init(_ members: JSONMembers) throws(ControlReadingError) {
    if let action = try TableFaultAction(members) {
      self = .table(action)
      return
    }
    switch try members.text("do") {
    case "refuse": self = .refuse(try CloudError(members))
    case "refuseItems": self = .refuseItems(try CloudError(members))
    case "loseRequest": self = .loseRequest
    case "loseAnswer": self = .loseAnswer
    case "delayAnswer": self = .delayAnswer(milliseconds: try members.milliseconds())
    case "repeatRequest": self = .repeatRequest
    case "staleFeed": self = .staleFeed(milliseconds: try members.milliseconds())
    case "stuckToken": self = .stuckToken
    case "listZone":
      self = .listZone(Name(try members.required("listed", "the name of the zone to list")))
    case "omitRecords": self = .omitRecords
    case "doubleRecords": self = .doubleRecords
    case "forgetSubscriptions": self = .forgetSubscriptions
    case "muteSubscriptions": self = .muteSubscriptions
    default:
      throw members.wrong(
        "do",
        "must be refuse, refuseItems, loseRequest, loseAnswer, delayAnswer, repeatRequest, staleFeed, stuckToken, "
          + "listZone, omitRecords, doubleRecords, forgetSubscriptions or muteSubscriptions; for tables also "
          + TableFaultAction.words.joined(separator: ", "))
    }
  }
}

extension FaultAction {
  /// What is wrong with the kinds of requests that a fault names for the action; nil if it can hit all of them.
  func misfit(in kinds: [FaultKind]) -> String? {
    let fitting: [FaultKind]
    switch self {
    case .table(let action): fitting = action.kinds.map { .table($0) }
    case .refuse, .refuseItems, .loseRequest, .loseAnswer, .delayAnswer, .repeatRequest:
      fitting = FaultKind.all.filter { !$0.isOfSocket }
    case .staleFeed, .stuckToken, .listZone, .omitRecords, .doubleRecords, .forgetSubscriptions, .muteSubscriptions:
      fitting = RequestKind.allCases.map { .cloud($0) }
    }
    guard let wrong = kinds.first(where: { !fitting.contains($0) }) else { return nil }
    return "names \(wrong.word), and \(word) applies to \(fitting.map(\.word).joined(separator: ", "))"
  }
}

extension CloudError {
  fileprivate var members: [JSON.Member] {
    var members = [JSON.Member("error", .string(code.rawValue)), JSON.Member("reason", .string(reason))]
    if let wait = retryAfterMilliseconds { members.append(JSON.Member("retryAfter", .integer(wait))) }
    return members
  }

  fileprivate init(_ members: JSONMembers) throws(ControlReadingError) {
    guard let word = try members.text("error"), let code = CloudErrorCode(rawValue: word) else {
      let known = CloudErrorCode.allCases.map(\.rawValue).joined(separator: ", ")
      throw members.wrong("error", "must be one of \(known)")
    }
    self.init(
      code, try members.text("reason") ?? "a fault that was asked for",
      retryAfterMilliseconds: try members.integer("retryAfter", in: 0...JSONMembers.longest))
  }
}

extension JSONMembers {
  /// The duration of the member `milliseconds`.
  func milliseconds() throws(ControlReadingError) -> Int64 {
    guard let milliseconds = try integer("milliseconds", in: 0...Self.longest) else {
      throw wrong("milliseconds", "must say how long")
    }
    return milliseconds
  }
}
