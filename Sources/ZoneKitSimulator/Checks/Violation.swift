import ZoneKitRecords

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
    /// No record refers to one that is not there in a way that the cloud does not allow.
    case reference
    /// A push is never needed to become right, and in calm weather it is enough to become right soon.
    case pushNeeded
    /// In the end nobody writes and nobody asks.
    case notQuiescent
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
    /// What the user sees is what the device holds.
    case view
    /// The same push makes a device fetch once.
    case repeatedPush
    /// A sync that failed is tried again: not before the cloud wants to hear of it, and not later than failures explain.
    case retry
    /// A push, a user's wish and an unsent edit lead to a sync in time, and a sync for news asks for it.
    case requestMissing
    /// Wishes that come quickly join each other, and one request of a device is under way at a time.
    case requestTooEarly
    /// Only what the cloud refuses for its own sake is held back, and only as long as there is reason to.
    case quarantine
    /// One subscription of an account wakes its devices, and each device has made sure of it.
    case subscription
    /// What the diagnostics say of the last fetch is true.
    case diagnostics
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
