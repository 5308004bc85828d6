import ZoneKitRecords

extension Fault {
  private static let keys = [
    "name", "on", "user", "device", "receiver", "author", "scope", "zone", "subscription", "table", "topic", "records",
    "itemsAbove", "after", "times", "perMille", "do",
    "error", "reason", "retryAfter", "milliseconds", "listed", "status", "code", "message", "id", "passed", "hits",
    "note", "sentence",
  ]

  /// Reads a fault from a JSON object. `path` is the path of the object for errors.
  init(_ object: JSON, at path: String) throws(MemberError) {
    let members = try JSONMembers(object, at: path, known: Self.keys)
    let counts = 0...Int64(Int32.max)
    var scope = try FaultScope(members)
    let action: FaultAction
    if let push = try PushFault.read(members) {
      action = .push(push.fault)
      if push.isOfEvents, scope.kinds == nil { scope.kinds = [.table(.changeEvent)] }
      if push.isOfEvents, let wrong = scope.kinds?.first(where: { $0 != .table(.changeEvent) }) {
        throw members.wrong("on", "names \(wrong.word), and \(push.fault.word(ofEvents: true)) applies to changeEvent")
      }
      try scope.takeDeviceAsReceiver(members)
    } else {
      action = try FaultAction(members)
    }
    self.init(
      action, on: scope, name: try members.text("name") ?? "",
      after: Int(try members.integer("after", in: counts) ?? 0),
      times: try members.integer("times", in: 1...counts.upperBound).map { Int($0) },
      perMille: Int(try members.integer("perMille", in: 1...1000) ?? 1000))
    if let misfit { throw members.wrong(misfit.member, misfit.problem) }
  }

  /// The fault as members of a JSON object.
  var members: [JSON.Member] {
    [JSON.Member](known: ["name": name.isEmpty ? nil : .string(name), "do": .string(word)]) + action.written.parameters
      + scope.members
      + [JSON.Member](known: [
        "after": .integer(Int64(after)), "times": times.map { .integer(Int64($0)) },
        "perMille": .integer(Int64(perMille)),
      ])
  }
}
