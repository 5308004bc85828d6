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

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    let span: TimeSpan? =
      if case .delay(let milliseconds) = action { TimeSpan(milliseconds: milliseconds) } else { nil }
    return SlotValues(count, of: receiver)
      + [
        "from": .name(author), "zone": .name(zone), "percent": percent == 100 ? nil : .number(percent),
        "span": .span(span),
      ]
  }
}
