import ZoneKitRecords

extension TableFaultAction {
  /// The values of the member `do` that only faults of tables have.
  static let words = [
    "staleRows", "omitRows", "doubleRows", "cutSocket", "silentJoin", "refuseJoin", "deafJoin", "muteHeartbeat",
    "expireTokens", "endSession", "skewTokens", "restamp",
  ]

  /// The value of the member `do` for the action, and its parameters as members of a fault.
  var written: (word: String, parameters: [JSON.Member]) {
    func lasting(_ milliseconds: Int64) -> [JSON.Member] { [JSON.Member("milliseconds", .integer(milliseconds))] }
    return switch self {
    case .reject(let refusal): ("refuse", refusal.members)
    case .rejectItems(let code): ("refuseItems", [JSON.Member("code", .string(code))])
    case .staleRows(let milliseconds): ("staleRows", lasting(milliseconds))
    case .omitRows: ("omitRows", [])
    case .doubleRows: ("doubleRows", [])
    case .cutSocket(let code): ("cutSocket", [JSON.Member](known: ["code": code.map { .integer(Int64($0)) }]))
    case .silentJoin: ("silentJoin", [])
    case .refuseJoin(let reason): ("refuseJoin", [JSON.Member("reason", .string(reason))])
    case .deafJoin(let milliseconds): ("deafJoin", lasting(milliseconds))
    case .muteHeartbeat: ("muteHeartbeat", [])
    case .expireTokens: ("expireTokens", [])
    case .endSession: ("endSession", [])
    case .skewTokens(let milliseconds): ("skewTokens", lasting(milliseconds))
    case .restamp(let milliseconds): ("restamp", lasting(milliseconds))
    }
  }

  /// The action in a fault's members; nil if it is not one of tables. A refusal is one of tables if it has a status or a
  /// code instead of an error.
  init?(_ members: JSONMembers) throws(MemberError) {
    switch try members.text("do") {
    case "refuse":
      guard let status = try members.integer("status", in: 400...599) else { return nil }
      self = .reject(
        ServiceRefusal(
          Int(status), code: try members.text("code") ?? "\(status)",
          try members.text("message") ?? "a fault that was asked for",
          retryAfter: try members.integer("retryAfter", in: 0...JSONMembers.longest).map { Int($0) }))
    case "refuseItems":
      guard try members.text("error") == nil, let code = try members.text("code") else { return nil }
      self = .rejectItems(code: code)
    case "staleRows": self = .staleRows(milliseconds: try members.milliseconds())
    case "omitRows": self = .omitRows
    case "doubleRows": self = .doubleRows
    case "cutSocket": self = .cutSocket(code: try members.integer("code", in: 1000...4999).map { Int($0) })
    case "silentJoin": self = .silentJoin
    case "refuseJoin": self = .refuseJoin(reason: try members.required("reason", "the reason in the reply"))
    case "deafJoin": self = .deafJoin(milliseconds: try members.milliseconds())
    case "muteHeartbeat": self = .muteHeartbeat
    case "expireTokens": self = .expireTokens
    case "endSession": self = .endSession
    case "skewTokens":
      guard let skew = try members.integer("milliseconds", in: -JSONMembers.longest...JSONMembers.longest) else {
        throw members.wrong("milliseconds", "must say how far the clock is ahead")
      }
      self = .skewTokens(milliseconds: skew)
    case "restamp": self = .restamp(milliseconds: try members.milliseconds())
    default: return nil
    }
  }
}

extension ServiceRefusal {
  fileprivate var members: [JSON.Member] {
    [JSON.Member](known: [
      "status": .integer(Int64(status)), "code": .string(code), "message": .string(message),
      "retryAfter": retryAfter.map { .integer(Int64($0)) },
    ])
  }
}
