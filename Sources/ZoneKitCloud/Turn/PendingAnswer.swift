import ZoneKitRecords

/// The answer to a submission and its other effects, held back until the commit.
struct PendingAnswer {
  /// What was asked for.
  let submission: Submission
  /// Its answer and its changes.
  let outcome: Outcome
  /// The places on which the answer rests.
  let footprint: Footprint

  /// How often a submission is evaluated at most; then its answer is an error after which the client tries again.
  static let attemptLimit = 5

  /// What a commit means for the answer.
  enum Settlement {
    /// It leaves, as it was or as an error.
    case answered(CloudResponse)
    /// It rests on something that was not there any more, and nothing of it was kept: the submission is evaluated again.
    case stale
  }

  /// What a commit with those failures means for the answer. A failure anywhere else does not void it.
  func settlement(after failures: [CommitFailure]) -> Settlement {
    let concerned = failures.filter { footprint.contains($0.place) }
    guard let first = concerned.first else { return .answered(outcome.response) }
    if let failed = concerned.first(where: { $0.cause != .stale }) { return .answered(.failure(CloudError(failed))) }
    // What is half kept cannot be done again.
    let isHalfKept = outcome.zoneChanges.contains { isKept($0, after: failures) }
    return isHalfKept || submission.attempt >= Self.attemptLimit ? .answered(.failure(CloudError(first))) : .stale
  }

  /// The notices of those changes that did become durable. A notice promises nothing about the answer: where one of
  /// several zones failed, the devices are notified of the others.
  func notices(after failures: [CommitFailure]) -> [Notice] {
    outcome.zoneChanges.compactMap { change in isKept(change, after: failures) ? change.notice : nil }
  }

  /// The registration, if it did become durable, and the database it is kept in.
  func registration(after failures: [CommitFailure]) -> (PushRegistration, DatabaseID)? {
    guard let registration = outcome.registration, let database = keptDatabase(after: failures) else { return nil }
    return (registration, database)
  }

  /// The push token that is refused from now on, if that did become durable.
  func endedToken(after failures: [CommitFailure]) -> String? {
    keptDatabase(after: failures) == nil ? nil : outcome.endedToken
  }

  /// What the submission changed in zones, as facts.
  func commits(after failures: [CommitFailure]) -> [ZoneCommit] {
    outcome.zoneChanges.compactMap { change in
      isKept(change, after: failures) ? ZoneCommit(zone: change.key, transition: change.transition) : nil
    }
  }

  private func isKept(_ change: Outcome.ZoneChange, after failures: [CommitFailure]) -> Bool {
    !failures.contains { $0.place == .zone(change.key) }
  }

  private func keptDatabase(after failures: [CommitFailure]) -> DatabaseID? {
    guard let database = outcome.databaseChange?.database,
      !failures.contains(where: { $0.place == .database(database) })
    else { return nil }
    return database
  }
}
