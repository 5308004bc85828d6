import ZoneKitRecords

extension FaultPlan {
  /// The plan as JSON: `{"faults":[…]}`, with each fault's number and what came of it.
  package var json: JSON {
    let faults = entries.map { entry in
      let counts = [
        JSON.Member("id", .integer(Int64(entry.id))), JSON.Member("passed", .integer(Int64(entry.passed))),
        JSON.Member("hits", .integer(Int64(entry.hits))),
      ]
      return JSON.object(entry.fault.members + counts)
    }
    return .object([JSON.Member("faults", .array(faults))])
  }

  /// The faults of a document as `json` writes it; numbers and counts in it are passed over.
  package static func faults(in document: JSON) throws(FaultReadingError) -> [Fault] {
    guard let list = document["faults"]?.array else {
      throw FaultReadingError("faults", #"must be an array, as in {"faults":[{"do":"loseAnswer","times":1}]}"#)
    }
    var faults: [Fault] = []
    for (index, object) in list.enumerated() {
      faults.append(try Fault(object, at: "faults[\(index)]"))
    }
    return faults
  }
}

extension Fault {
  private static let keys = [
    "name", "on", "user", "device", "scope", "zone", "records", "itemsAbove", "after", "times", "perMille", "do",
    "error", "reason", "retryAfter", "milliseconds", "listed", "id", "passed", "hits",
  ]

  fileprivate init(_ object: JSON, at path: String) throws(FaultReadingError) {
    let members = try JSONMembers(object, at: path, known: Self.keys)
    let counts = 0...Int64(Int32.max)
    self.init(
      try FaultAction(members), on: try FaultScope(members), name: try members.text("name") ?? "",
      after: Int(try members.integer("after", in: counts) ?? 0),
      times: try members.integer("times", in: counts).map { Int($0) },
      perMille: Int(try members.integer("perMille", in: 1...1000) ?? 1000))
  }

  fileprivate var members: [JSON.Member] {
    var members = name.isEmpty ? [] : [JSON.Member("name", .string(name))]
    members += action.members + scope.members
    members.append(JSON.Member("after", .integer(Int64(after))))
    if let times { members.append(JSON.Member("times", .integer(Int64(times)))) }
    members.append(JSON.Member("perMille", .integer(Int64(perMille))))
    return members
  }
}

extension FaultScope {
  fileprivate init(_ members: JSONMembers) throws(FaultReadingError) {
    self.init(
      user: try members.text("user").map { Name($0) }, deviceID: try members.text("device"),
      zoneName: try members.text("zone").map { Name($0) },
      recordNames: try members.texts("records").map { $0.map { Name($0) } },
      itemsAbove: try members.integer("itemsAbove", in: 0...Int64(Int32.max)).map { Int($0) })
    kinds = try Self.kinds(members)
    guard let scope = try members.text("scope") else { return }
    guard let known = DatabaseScope(rawValue: scope) else {
      throw members.wrong("scope", "must be private, shared or public")
    }
    databaseScope = known
  }

  private static func kinds(_ members: JSONMembers) throws(FaultReadingError) -> [RequestKind]? {
    guard let words = try members.texts("on") else { return nil }
    var kinds: [RequestKind] = []
    for word in words {
      guard let kind = RequestKind(rawValue: word) else {
        let known = RequestKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw members.wrong("on", "names \(word), which is none of \(known)")
      }
      kinds.append(kind)
    }
    return kinds
  }

  fileprivate var members: [JSON.Member] {
    var members: [JSON.Member] = []
    func add(_ key: String, _ value: JSON?) {
      if let value { members.append(JSON.Member(key, value)) }
    }
    add("on", kinds.map { .array($0.map { .string($0.rawValue) }) })
    add("user", user.map { .string($0.text) })
    add("device", deviceID.map { .string($0) })
    add("scope", databaseScope.map { .string($0.rawValue) })
    add("zone", zoneName.map { .string($0.text) })
    add("records", recordNames.map { .array($0.map { .string($0.text) }) })
    add("itemsAbove", itemsAbove.map { .integer(Int64($0)) })
    return members
  }
}
