/// What is counted on a device, from the start or from the last `count from here`.
package enum Counter: String, CaseIterable, Hashable, Sendable {
  /// Pushes handed to the device's coordinator.
  case pushReceived = "push received"
  /// Of them, those that had come before.
  case pushDuplicates = "push duplicates"
  /// Of them, those of a subscription that is not the device's.
  case pushUnknown = "push unknown"
  /// Of them, those for another account.
  case pushOtherAccount = "push other account"
  /// Of them, those without a notification ID.
  case pushWithoutID = "push without ID"
  /// Pushes that were lost, thrown away or displaced on the way to the device.
  case pushLost = "push lost"
  /// Requests of any kind.
  case requests
  /// Syncs that ended well.
  case syncs
  /// Syncs that asked the cloud for changes and ended well.
  case fetches
  /// Requests that save or delete records.
  case writes
  /// Pages of zone feeds that were merged.
  case pages
  /// Conflicts that were decided or heard of.
  case conflicts
  /// Records that wait to be sent, now.
  case pending
  /// Records that are held back, now.
  case quarantined
  /// Records that the device shows, now.
  case records
  /// Zone feed requests under way at once, at most.
  case fetchesAtOnce = "fetches at once"
}

/// A counter and what it must say.
package struct CounterCheck: Hashable, Sendable {
  /// What is counted.
  package var counter: Counter
  /// What it must say.
  package var quantity: Quantity

  /// A check of that counter.
  package init(_ counter: Counter, _ quantity: Quantity) {
    self.counter = counter
    self.quantity = quantity
  }

  /// The words that read as this.
  package var text: String { "\(counter.rawValue) \(quantity.text)" }
}
