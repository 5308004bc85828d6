import ZoneKitRecords

extension PushFault {
  /// The words of faults of pushes, with those for events of channels alone; nil where no event can have the fault.
  private static let all: [(word: String, eventWord: String?, fault: PushFault)] = [
    ("dropPush", "dropEvent", .drop), ("doublePush", "doubleEvent", .duplicate), ("swapPushes", "swapEvents", .swap),
    ("delayPush", "delayEvent", .delay(milliseconds: 0)), ("prunePush", "cutEvent", .prune),
    ("pushWithoutID", nil, .withoutID), ("misaddressPush", nil, .misaddress),
  ]

  /// The values of the member `do` for pushes over any protocol.
  static let words = all.map(\.word)
  /// The values of the member `do` for events of channels alone.
  static let eventWords = all.compactMap(\.eventWord)

  /// The value of the member `do` for the fault, of events alone or of all pushes.
  func word(ofEvents: Bool) -> String {
    let entry = Self.all.first { $0.fault == self } ?? Self.all.first { $0.word == "delayPush" }
    guard let entry else { preconditionFailure("\(self) has no word") }
    return (ofEvents ? entry.eventWord : nil) ?? entry.word
  }

  /// The parameters of the fault.
  var members: [JSON.Member] {
    guard case .delay(let milliseconds) = self else { return [] }
    return [JSON.Member("milliseconds", .integer(milliseconds))]
  }

  /// The fault in a fault's members, and whether its word is for events alone; nil if it is not one of pushes.
  static func read(_ members: JSONMembers) throws(MemberError) -> (fault: PushFault, isOfEvents: Bool)? {
    let word = try members.text("do")
    guard let entry = all.first(where: { $0.word == word || ($0.eventWord != nil && $0.eventWord == word) }) else {
      return nil
    }
    let isOfEvents = entry.word != word
    guard case .delay = entry.fault else { return (entry.fault, isOfEvents) }
    return (.delay(milliseconds: try members.milliseconds()), isOfEvents)
  }
}
