import ZoneKitRecords

/// Whether a server can commit, as far as it is known. The disk is tried when someone asks, at most once in `interval`, and
/// everyone who asks meanwhile gets the same answer. A commit that failed counts until another one succeeds, or for
/// `memory`.
struct Readiness {
  /// The time for which a trial of the disk counts, in milliseconds.
  static let interval: Int64 = 1_000
  /// The time for which a failed commit counts, in milliseconds. Without it a server from which clients are kept away
  /// would never be ready again.
  static let memory: Int64 = 10_000

  /// What to do for one who asks.
  enum Answer: Equatable {
    /// The server is ready, or there is a reason why it is not.
    case known(StoreError?)
    /// The answer comes with the trial of the disk that runs.
    case wait
    /// The disk has to be tried. The result is passed to `tried`.
    case tryDisk
  }

  private var isTrying = false
  private var trial: (at: Int64, problem: StoreError?)?
  private var failure: (at: Int64, error: StoreError)?

  /// Someone asks at that time.
  mutating func asked(at now: Int64) -> Answer {
    if let failure, now - failure.at < Self.memory { return .known(failure.error) }
    if let trial, now - trial.at < Self.interval { return .known(trial.problem) }
    guard !isTrying else { return .wait }
    isTrying = true
    return .tryDisk
  }

  /// The trial of the disk ended.
  mutating func tried(_ problem: StoreError?, at now: Int64) {
    isTrying = false
    trial = (now, problem)
  }

  /// A zone was committed.
  mutating func committed() { failure = nil }

  /// A commit failed. What concerns one file does not count, because the others can be written.
  mutating func failed(_ error: StoreError, at now: Int64) {
    switch error.kind {
    case .full, .failed: failure = (now, error)
    case .readOnly, .busy, .corrupt, .interrupted: return
    }
  }
}
