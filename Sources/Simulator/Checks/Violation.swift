import Records

/// Something that must never be, and was.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// Which promise was broken.
  package enum Rule: String, CaseIterable, Hashable, Sendable {
    /// All devices and the cloud hold the same in the end.
    case convergence
    /// Every edit is present, superseded by a recorded decision, or refused with a recorded reason.
    case lostEdit
    /// What was deleted knowingly stays deleted.
    case resurrection
    /// A token never goes back.
    case tokenWentBack
    /// An atomic batch is written whole or not at all.
    case tornBatch
    /// A push is never needed to become right, and in calm weather it is enough to become right soon.
    case pushNeeded
    /// In the end nobody writes and nobody asks.
    case unrest
    /// Requests are bounded.
    case storm
    /// Nobody asks the feeds without a reason.
    case fetchWithoutReason
    /// An edit made after seeing another has the later stamp.
    case stamp
    /// A conflict is decided as the app's rule says.
    case decision
    /// The data of one account never reaches another.
    case account
    /// What one user did after the other is what is there, exactly.
    case model
    /// Nothing waits in the end that could be sent.
    case pending
    /// A device takes a new identity only if it is a copy.
    case identity
    /// A scenario's expectation.
    case expectation
  }

  /// When it was noticed.
  package var at: MonotonicTime
  /// Which promise was broken.
  package var rule: Rule
  /// On which device; nil where it is the cloud's or everybody's.
  package var device: String?
  /// What was seen, and what should have been.
  package var text: String

  /// A broken promise.
  package init(_ rule: Rule, at: MonotonicTime, on device: String? = nil, _ text: String) {
    self.rule = rule
    self.at = at
    self.device = device
    self.text = text
  }

  /// The rule, the device and what was seen.
  package var description: String { "\(rule.rawValue)\(device.map { " on \($0)" } ?? ""): \(text)" }
}
