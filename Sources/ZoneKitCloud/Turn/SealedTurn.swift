import ZoneKitRecords

/// The submissions of a turn that takes no more in, on their way through the commit.
struct SealedTurn {
  /// Their answers, in the order of their coming.
  let answers: [PendingAnswer]

  /// What a commit with those failures brings about: submission by submission the answer, the notices and the
  /// registration, and then the facts. Submissions that are evaluated again bring nothing about yet.
  func effects(after failures: [CommitFailure]) -> [CloudEffect] {
    answers.flatMap { effects(of: $0, after: failures) } + facts(after: failures)
  }

  /// The submissions that are evaluated again after a commit with those failures.
  func stale(after failures: [CommitFailure]) -> [PendingAnswer] {
    guard !failures.isEmpty else { return [] }
    return answers.filter { answer in
      if case .stale = answer.settlement(after: failures) { true } else { false }
    }
  }

  private func effects(of answer: PendingAnswer, after failures: [CommitFailure]) -> [CloudEffect] {
    guard case .answered(let response) = answer.settlement(after: failures) else { return [] }
    var effects: [CloudEffect] = [.answer(answer.submission.ticket, response)]
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
