import ZoneKitRecords

/// The answer to a submission and its other effects, held back until the commit.
struct PendingAnswer {
  /// The submission.
  let submission: Submission
  /// Its answer and its changes.
  let outcome: Outcome
  /// The places on which the answer depends.
  let footprint: Footprint
  /// The bytes of records and pages that were read for it.
  let readBytes: Int

  /// The most evaluations of a submission. After that the answer is an error, and the client tries again.
  static let attemptLimit = 5

  /// The consequence of a commit for the answer.
  enum Settlement {
    /// The answer is sent, unchanged or as an error.
    case answered(Outcome.Answer)
    /// The answer depends on a state that has changed, and none of its changes was committed. The submission is
    /// evaluated again.
    case stale
  }

  /// The consequence of a commit with those failures. A failure at a place on which the answer does not depend is
  /// ignored.
  func settlement(after failures: [CommitFailure]) -> Settlement {
    let concerned = failures.filter { footprint.contains($0.place) }
    guard let first = concerned.first else { return .answered(outcome.answer) }
    if let failed = concerned.first(where: { $0.cause != .stale }) {
      return .answered(submission.refusal(CloudError(failed)))
    }
    // A submission that is partly committed cannot be repeated.
    let isHalfKept = outcome.zoneChanges.contains { !$0.mayStay && isKept($0, after: failures) }
    guard isHalfKept || submission.attempt >= Self.attemptLimit else { return .stale }
    return .answered(submission.refusal(CloudError(first)))
  }

  /// How much of the turn the submission takes.
  var cost: TurnCost {
    TurnCost(
      answerBytes: outcome.answer.size, readBytes: readBytes,
      changes: outcome.zoneChanges.reduce(0) { $0 + $1.transition.records.count })
  }

  /// The notices of the changes that were committed. They are sent even if another zone of the same request failed.
  func notices(after failures: [CommitFailure]) -> [Notice] {
    outcome.zoneChanges.filter { isKept($0, after: failures) }
      .flatMap { change in (change.notice.map { [$0] } ?? []) + change.participantNotices }
  }

  /// The registration and its database, if the registration was committed.
  func registration(after failures: [CommitFailure]) -> (PushRegistration, DatabaseID)? {
    guard let registration = outcome.registration, let database = keptDatabase(after: failures) else { return nil }
    return (registration, database)
  }

  /// The push token to refuse from now on, if that was committed.
  func endedToken(after failures: [CommitFailure]) -> String? {
    keptDatabase(after: failures) == nil ? nil : outcome.endedToken
  }

  /// The committed changes of zones that are reported as facts.
  func commits(after failures: [CommitFailure]) -> [ZoneCommit] {
    outcome.zoneChanges.compactMap { change in
      change.isTold && isKept(change, after: failures)
        ? ZoneCommit(zone: change.key, transition: change.transition) : nil
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
