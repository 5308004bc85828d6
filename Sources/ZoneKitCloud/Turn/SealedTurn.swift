import ZoneKitRecords

/// The submissions of a turn that accepts no more and is being committed.
struct SealedTurn {
  /// The answers, in the order of the submissions.
  let answers: [PendingAnswer]

  /// The effects of a commit with those failures: for each submission the answer, the notices and the registration;
  /// then the facts. Submissions that are evaluated again have no effects yet.
  func effects(after failures: [CommitFailure]) -> [CloudEffect] {
    answers.flatMap { effects(of: $0, after: failures) } + facts(after: failures)
  }

  /// The submissions to evaluate again after a commit with those failures.
  func stale(after failures: [CommitFailure]) -> [PendingAnswer] {
    guard !failures.isEmpty else { return [] }
    return answers.filter { answer in
      if case .stale = answer.settlement(after: failures) { true } else { false }
    }
  }

  private func effects(of answer: PendingAnswer, after failures: [CommitFailure]) -> [CloudEffect] {
    guard case .answered(let given) = answer.settlement(after: failures) else { return [] }
    var effects: [CloudEffect] = [given.effect(to: answer.submission.ticket)]
    effects += answer.notices(after: failures).map { .notify($0) }
    if let (registration, database) = answer.registration(after: failures) {
      effects.append(.registered(registration, database))
    }
    if let token = answer.endedToken(after: failures) { effects.append(.unregistered(token: token)) }
    return effects
  }

  private func facts(after failures: [CommitFailure]) -> [CloudEffect] {
    var commits: [ZoneCommit] = []
    for commit in answers.flatMap({ $0.commits(after: failures) }) {
      if let index = commits.firstIndex(where: { $0.zone == commit.zone }) {
        commits[index].add(commit)
      } else {
        commits.append(commit)
      }
    }
    return commits.map { .fact(.committed($0)) } + failures.map { .fact(.commitFailed($0)) }
  }
}
