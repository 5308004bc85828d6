import ZoneKitRecords

/// A fault of pushes as a scenario names it: what happens, to which pushes, and how often.
package struct PushTrouble: Hashable, Sendable {
  /// What happens to a push.
  package var action: PushFault
  /// The next ones that are hit, or all.
  package var count: FaultCount
  /// The device that gets the pushes.
  package var receiver: String
  /// The device whose changes the pushes report; nil for any.
  package var author: String?
  /// The zone that changed; nil for any.
  package var zone: String?
  /// The percentage of these pushes that is hit, at random.
  package var percent = 100

  /// A fault of the next pushes to a device, or of all of them.
  package init(_ action: PushFault, _ count: FaultCount, to receiver: String) {
    self.action = action
    self.count = count
    self.receiver = receiver
  }

  /// The line from which the parser makes this value.
  var text: String {
    let pushes = count.text("push", "pushes") + (author.map { " from \($0)" } ?? "") + " to \(receiver)"
    let limits =
      (zone.map { " in zone \(ScenarioWord.named($0))" } ?? "") + (percent == 100 ? "" : " in \(percent)% of cases")
    return switch action {
    case .drop: "drop \(pushes)\(limits)"
    case .duplicate: "duplicate \(pushes)\(limits)"
    case .prune: "prune \(pushes)\(limits)"
    case .swap: "reorder \(pushes)\(limits)"
    case .delay(let milliseconds): "delay \(pushes) by \(TimeSpan(milliseconds: milliseconds).text)\(limits)"
    case .withoutID: "deliver \(pushes) without an ID\(limits)"
    case .misaddress: "deliver \(pushes) for another subscription\(limits)"
    }
  }
}
