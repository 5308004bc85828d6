import ZoneKitRecords

extension PushNotification {
  /// The notification with as much removed as needed for its payload to fit, in CloudKit's order, the notification ID
  /// last; nil if even the rest is too long. `measure` returns the size of a payload in bytes. A notification that
  /// loses only ZoneKit's own tracing does not count as pruned.
  package func pruned(
    toFit measure: (PushNotification) -> Int, limit: Int = PushNotification.payloadLimit
  ) -> PushNotification? {
    var shorter = self
    var steps = PruningStep.allCases.makeIterator()
    while measure(shorter) > limit {
      guard let step = steps.next() else { return nil }
      let before = shorter
      step.apply(to: &shorter)
      if step != .tracing, shorter != before { shorter.isPruned = true }
    }
    return shorter
  }
}
