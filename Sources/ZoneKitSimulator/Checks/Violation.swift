import ZoneKitRecords

/// A violation of an invariant.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// The invariant.
  package enum Rule: String, CaseIterable, Hashable, Sendable {
    /// All devices and the cloud have the same content at the end.
    case convergence
    /// Every edit is present, superseded by a recorded decision, or refused with a recorded reason.
    case lostEdit
    /// Deleted records stay deleted.
    case resurrection
    /// A change token never goes back.
    case tokenWentBack
    /// An atomic batch is written completely or not at all.
    case tornBatch
    /// No record has a binding reference to a missing record.
    case reference
    /// Without faults, pushes alone are sufficient for devices to agree soon.
    case pushNeeded
    /// At the end no device writes or sends requests.
    case notQuiescent
    /// The number of requests is limited.
    case storm
    /// Feeds are not read without a reason.
    case fetchWithoutReason
    /// An edit made after seeing another one has the later stamp.
    case stamp
    /// A command of a user changes the records and fields that it names, and no others.
    case strayEdit
    /// A conflict is decided by the app's rule.
    case decision
    /// No data of one account reaches another.
    case account
    /// After edits one after another, the content is exactly that of the last one.
    case model
    /// At the end no change waits that could be sent.
    case pending
    /// A device gets a new device ID only if it is a copy.
    case identity
    /// The user sees what the device holds.
    case view
    /// The push service keeps a push for a device that is away.
    case lostPush
    /// A repeated push causes no further fetch.
    case repeatedPush
    /// A failed sync is tried again, not before the retry time and not later than its failures explain.
    case retry
    /// A push, a request of the user and an unsent edit cause a sync in time, and a sync for changes fetches them.
    case requestMissing
    /// Requests for a sync within the debounce are joined, and a device has one request in progress at a time.
    case requestTooEarly
    /// Only records that the cloud refuses permanently are in quarantine, and only as long as the reason exists.
    case quarantine
    /// One subscription of an account wakes its devices, and each device has verified it.
    case subscription
    /// The diagnostics describe the last fetch correctly.
    case diagnostics
    /// Messages carry requests and answers unchanged.
    case message
    /// An expectation of a scenario.
    case expectation
  }

  /// When it was found.
  package var at: MonotonicTime
  /// The invariant.
  package var rule: Rule
  /// The device; nil for the cloud or all devices.
  package var device: String?
  /// What was observed, and what would be right.
  package var text: String

  /// A violation of that invariant.
  package init(_ rule: Rule, at: MonotonicTime, on device: String? = nil, _ text: String) {
    self.rule = rule
    self.at = at
    self.device = device
    self.text = text
  }

  /// The invariant, the device and what was observed.
  package var description: String { "\(rule.rawValue)\(device.map { " on \($0)" } ?? ""): \(text)" }
}
