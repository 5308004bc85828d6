import ZoneKitRecords

extension TableFaultAction {
  /// The values of the member `do` that only faults of tables have.
  static let words = [
    "staleRows", "omitRows", "doubleRows", "cutSocket", "silentJoin", "refuseJoin", "deafJoin", "muteHeartbeat",
    "expireTokens", "endSession", "skewTokens", "restamp",
  ]

  /// The value of the member `do` for the action.
  var word: String {
    switch self {
    case .reject: "refuse"
    case .rejectItems: "refuseItems"
    case .staleRows: "staleRows"
    case .omitRows: "omitRows"
    case .doubleRows: "doubleRows"
    case .cutSocket: "cutSocket"
    case .silentJoin: "silentJoin"
    case .refuseJoin: "refuseJoin"
    case .deafJoin: "deafJoin"
    case .muteHeartbeat: "muteHeartbeat"
    case .expireTokens: "expireTokens"
    case .endSession: "endSession"
    case .skewTokens: "skewTokens"
    case .restamp: "restamp"
    }
  }

  /// The parameters of the action, as members of a fault.
  var members: [JSON.Member] {
    switch self {
    case .reject(let refusal):
      return [JSON.Member](known: [
        "status": .integer(Int64(refusal.status)), "code": .string(refusal.code), "message": .string(refusal.message),
        "retryAfter": refusal.retryAfter.map { .integer(Int64($0)) },
      ])
    case .rejectItems(let code): return [JSON.Member("code", .string(code))]
    case .staleRows(let milliseconds), .deafJoin(let milliseconds), .skewTokens(let milliseconds),
      .restamp(let milliseconds):
      return [JSON.Member("milliseconds", .integer(milliseconds))]
    case .cutSocket(let code): return [JSON.Member](known: ["code": code.map { .integer(Int64($0)) }])
    case .refuseJoin(let reason): return [JSON.Member("reason", .string(reason))]
    case .omitRows, .doubleRows, .silentJoin, .muteHeartbeat, .expireTokens, .endSession: return []
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
