import ZoneKitRecords

extension Submission {
  /// The result of an evaluation.
  enum Evaluated {
    /// An answer, with its changes.
    case answer(PendingAnswer)
    /// Needs that have to be read first.
    case absent([Need])
  }

  /// Evaluates the submission with what was read so far. A refusal is an answer too, and depends on what was read for
  /// it.
  func evaluated(
    over workingSet: WorkingSet, index: SubscriptionIndex, using generator: inout some RandomNumberGenerator
  ) -> Evaluated {
    var evaluation = Evaluation(
      reader: NotingReader(workingSet), database: database, caller: caller, now: now, limits: limits, index: index,
      pageSize: pageSize)
    var outcome: Outcome
    do throws(EvaluationFailure) {
      outcome = try evaluation.outcome(of: work, using: &generator)
    } catch {
      switch error {
      case .refused(let error): outcome = Outcome(.failure(error))
      case .unreadable(let error): outcome = Outcome(.failure(CloudError(error, isOfZone: work.isOfZones)))
      case .excessive: outcome = Outcome(.failure(tooLarge))
      case .absent(let needs): return .absent(needs)
      }
    }
    if outcome.response.size > answerLimit { outcome = Outcome(.failure(tooLarge)) }
    var footprint = evaluation.reader.footprint
    for change in outcome.zoneChanges { footprint.note(change.key) }
    if let change = outcome.databaseChange { footprint.note(change.database) }
    return .answer(
      PendingAnswer(submission: self, outcome: outcome, footprint: footprint, readBytes: workingSet.readBytes))
  }
}

extension Evaluation {
  fileprivate mutating func outcome(
    of work: Submission.Work, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    switch work {
    case .request(let request): try outcome(of: request, using: &generator)
    case .administration(let operation): try outcome(of: operation, using: &generator)
    }
  }
}

extension Submission.Work {
  /// Whether the request names the zones that it is about.
  fileprivate var isOfZones: Bool {
    switch self {
    case .request(.modifyRecords), .request(.lookupRecords), .request(.fetchZoneChanges), .request(.lookupZones),
      .request(.modifyZones):
      true
    case .request, .administration: false
    }
  }
}
