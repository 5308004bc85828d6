/// A number that is counted on a device, from the start or from the last `count from here`.
package enum Counter: String, CaseIterable, Hashable, Sendable {
  /// Pushes that the device's coordinator received.
  case pushReceived = "push received"
  /// Of them, those whose notification ID was already known.
  case pushDuplicates = "push duplicates"
  /// Of them, those for a subscription that is not the device's.
  case pushUnknown = "push unknown"
  /// Of them, those for another account.
  case pushOtherAccount = "push other account"
  /// Of them, those without a notification ID.
  case pushWithoutID = "push without ID"
  /// Pushes that were lost, discarded or replaced on the way to the device.
  case pushLost = "push lost"
  /// Requests of any kind.
  case requests
  /// Syncs that ended without an error.
  case syncs
  /// Syncs that asked the cloud for changes and ended without an error.
  case fetches
  /// Requests that save or delete records.
  case writes
  /// Pages of zone feeds that were merged.
  case pages
  /// Conflicts that the device decided, or that another device reported to it.
  case conflicts
  /// Rows that the service of tables took as new.
  case verdictInserted = "verdict inserted"
  /// Rows that it changed.
  case verdictUpdated = "verdict updated"
  /// Rows that it had with the same content.
  case verdictSame = "verdict same"
  /// Rows that it recognised as accepted before.
  case verdictRepeat = "verdict repeat"
  /// Rows of which it kept its own version.
  case verdictKept = "verdict kept"
  /// Records that now wait to be sent.
  case pending
  /// Records that are now in quarantine.
  case quarantined
  /// Records that the device now shows.
  case records
  /// The largest number of zone feed requests in progress at the same time.
  case fetchesAtOnce = "fetches at once"
}

/// A counter and its expected value.
package struct CounterCheck: Hashable, Sendable {
  /// The counter.
  package var counter: Counter
  /// The expected value.
  package var quantity: Quantity

  /// A check of that counter.
  package init(_ counter: Counter, _ quantity: Quantity) {
    self.counter = counter
    self.quantity = quantity
  }

  /// The text from which the parser makes this value.
  package var text: String { "\(counter.rawValue) \(quantity.text)" }
}
