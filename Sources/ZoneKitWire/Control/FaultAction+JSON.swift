import ZoneKitRecords

extension FaultAction {
  /// The values of the member `do`.
  package static let words = cloudWords + PushFault.words + TableFaultAction.words + PushFault.eventWords

  private static let cloudWords = [
    "refuse", "refuseItems", "loseRequest", "loseAnswer", "delayAnswer", "repeatRequest", "staleFeed", "stuckToken",
    "listZone", "omitRecords", "doubleRecords", "forgetSubscriptions", "muteSubscriptions",
  ]

  /// The value of the member `do` for the action, and its parameters as members of a fault.
  var written: (word: String, parameters: [JSON.Member]) {
    switch self {
    case .refuse(let error): ("refuse", error.members)
    case .refuseItems(let error): ("refuseItems", error.members)
    case .loseRequest: ("loseRequest", [])
    case .loseAnswer: ("loseAnswer", [])
    case .delayAnswer(let milliseconds): ("delayAnswer", [JSON.Member("milliseconds", .integer(milliseconds))])
    case .repeatRequest: ("repeatRequest", [])
    case .staleFeed(let milliseconds): ("staleFeed", [JSON.Member("milliseconds", .integer(milliseconds))])
    case .stuckToken: ("stuckToken", [])
    case .listZone(let name): ("listZone", [JSON.Member("listed", .string(name.text))])
    case .omitRecords: ("omitRecords", [])
    case .doubleRecords: ("doubleRecords", [])
    case .forgetSubscriptions: ("forgetSubscriptions", [])
    case .muteSubscriptions: ("muteSubscriptions", [])
    case .table(let action): action.written
    case .push(let fault): (fault.word(ofEvents: false), fault.members)
    }
  }

  /// The action in a fault's members.
  init(_ members: JSONMembers) throws(MemberError) {
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
        "must be \(Self.cloudWords.joined(separator: ", ")); for pushes \(PushFault.words.joined(separator: ", ")); "
          + "for tables also \((TableFaultAction.words + PushFault.eventWords).joined(separator: ", "))")
    }
  }
}

extension CloudError {
  fileprivate var members: [JSON.Member] {
    [JSON.Member](known: [
      "error": .string(code.rawValue), "reason": .string(reason),
      "retryAfter": retryAfterMilliseconds.map { .integer($0) },
    ])
  }

  fileprivate init(_ members: JSONMembers) throws(MemberError) {
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
  func milliseconds() throws(MemberError) -> Int64 {
    guard let milliseconds = try integer("milliseconds", in: 0...Self.longest) else {
      throw wrong("milliseconds", "must say how long")
    }
    return milliseconds
  }
}
