import ZoneKitRecords

extension Submission {
  /// The result of an evaluation.
  enum Evaluated {
    /// An answer, with its changes.
    case answer(PendingAnswer)
    /// Needs that have to be read first.
    case absent([Need])
    /// Nothing: the reads ended before their result. Only for a submission that may take long.
    case late(StoreError)
  }

  /// Evaluates the submission with what was read so far. A refusal is an answer too, and depends on what was read for
  /// it.
  func evaluated(
    over workingSet: WorkingSet, index: SubscriptionIndex, using generator: inout some RandomNumberGenerator
  ) -> Evaluated {
    var evaluation = Evaluation(
      reader: NotingReader(workingSet), database: database, caller: caller, now: now, limits: limits,
      policy: policy, index: index, pageSize: pageSize)
    var outcome: Outcome
    do throws(EvaluationFailure) {
      outcome = try evaluation.outcome(of: work, using: &generator)
    } catch {
      switch error {
      case .refused(let error): outcome = Outcome(refusal(error))
      case .unreadable(let error) where error.kind == .interrupted && mayTakeLong: return .late(error)
      case .unreadable(let error): outcome = Outcome(refusal(CloudError(error, isOfZone: work.isOfZones)))
      case .excessive(let excess): outcome = Outcome(refusal(excess == .bytes ? tooLarge : tooManyDependents))
      case .absent(let needs): return .absent(needs)
      }
    }
    if outcome.answer.size > answerLimit { outcome = Outcome(refusal(tooLarge)) }
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
    case .transaction(let transaction): try outcome(of: transaction, using: &generator)
    }
  }
}

extension Evaluation {
  /// The answer of a transaction, and its changes.
  private mutating func outcome(
    of transaction: any ZoneTransaction, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome {
    let result = try transaction.outcome(reading: &reader, using: &generator)
    var outcome = Outcome(.done(result.answer))
    var states: [DatabaseID: DatabaseState] = [:]
    for zone in result.zones {
      let database = zone.key.database
      var state = if let known = states[database] { known } else { try reader.peek(database) }
      defer { states[database] = state }
      // Stamps of a transaction may be ahead of the clock, and never go back.
      let newest = max(now, zone.header.lastCommitAt)
      let changes = zone.changes
      var transition = try reader.transition(
        to: zone.header, of: zone.key, at: newest, records: changes?.records ?? [],
        definitions: changes?.definitions ?? [], state: &state)
      transition.isReadByType = result.isReadByType
      var notice: Notice?
      if result.announcement != .none {
        notice = self.notice(
          of: ZoneID(zoneName: zone.key.zoneName), in: zone.key.database, isOfRecords: changes != nil,
          subscriptions: state.subscriptions, using: &generator)
        if result.announcement == .all { notice?.originDeviceID = nil }
      }
      let change = Outcome.ZoneChange(
        key: zone.key, transition: transition, notice: notice, isTold: result.isTold)
      outcome.add(change, spending: &state, in: database)
    }
    return outcome
  }
}

extension Submission.Work {
  /// Whether the request names the zones that it is about.
  fileprivate var isOfZones: Bool {
    switch self {
    case .request(.modifyRecords), .request(.lookupRecords), .request(.queryRecords), .request(.fetchZoneChanges),
      .request(.lookupZones), .request(.modifyZones), .request(.createUploads), .request(.rereferenceAssets):
      true
    case .request, .administration, .transaction: false
    }
  }
}
