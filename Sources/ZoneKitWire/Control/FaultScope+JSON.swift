import ZoneKitRecords

extension FaultScope {
  /// The scope in a fault's members.
  init(_ members: JSONMembers) throws(MemberError) {
    self.init(
      user: try members.text("user").map { Name($0) }, deviceID: try members.text("device"),
      zoneName: try members.text("zone").map { Name($0) },
      table: try members.text("table").map { Name($0) },
      recordNames: try members.texts("records").map { $0.map { Name($0) } },
      itemsAbove: try members.integer("itemsAbove", in: 0...Int64(Int32.max)).map { Int($0) })
    receiver = try members.text("receiver")
    author = try members.text("author")
    subscriptionID = try members.text("subscription")
    topic = try members.text("topic")
    kinds = try Self.kinds(members)
    databaseScope = try members.word("scope", "must be private, shared or public")
  }

  /// Reads `device` in a fault of pushes: the receiver. Beside a receiver or an author it would be a third device.
  mutating func takeDeviceAsReceiver(_ members: JSONMembers) throws(MemberError) {
    guard let device = deviceID else { return }
    guard receiver == nil || receiver == device else {
      throw members.wrong("device", "is the receiver of a push, as receiver is; name one of them")
    }
    (receiver, deviceID) = (device, nil)
  }

  private static func kinds(_ members: JSONMembers) throws(MemberError) -> [FaultKind]? {
    guard let words = try members.texts("on") else { return nil }
    guard let wrong = words.first(where: { FaultKind($0) == nil }) else { return words.compactMap { FaultKind($0) } }
    let known = FaultKind.all.map(\.word).joined(separator: ", ")
    throw members.wrong("on", "names \(wrong), which is not one of \(known)")
  }

  /// The scope as members of a fault.
  var members: [JSON.Member] {
    [JSON.Member](known: [
      "on": kinds.map { .array($0.map { .string($0.word) }) }, "user": user.map { .string($0.text) },
      "device": deviceID.map { .string($0) }, "receiver": receiver.map { .string($0) },
      "author": author.map { .string($0) }, "scope": databaseScope.map { .string($0.rawValue) },
      "zone": zoneName.map { .string($0.text) }, "subscription": subscriptionID.map { .string($0) },
      "topic": topic.map { .string($0) }, "table": table.map { .string($0.text) },
      "records": recordNames.map { .array($0.map { .string($0.text) }) },
      "itemsAbove": itemsAbove.map { .integer(Int64($0)) },
    ])
  }
}
