import ZoneKitRecords

/// The cloud. It evaluates requests, holds their answers back until all changes are durable, and then returns answers
/// and notices.
///
/// A turn is any number of calls of `receive` and one of `endTurn`. No answer and no notice is sent before the commit
/// that it promises. Requests of one turn see the staged changes of those before them. An evaluation reads only the
/// turn's working set. If another server has changed a state on which a change is based, the change is not committed,
/// and its request is evaluated again.
package struct ZoneServer<Store: ZoneStore> {
  /// The store of the cloud's databases.
  package var store: Store
  /// The limits and behaviour of the cloud, for the following requests.
  package var limits: Limits
  /// The rules that are strict, for the following requests.
  package var policy = CloudPolicy()
  /// How long the reads of a transaction that may take long last within a turn, in milliseconds; nil for as long as they
  /// need. `takeLongReadings` returns those that need more.
  package var readingTime: Int64?
  private var longReadings: [LongReading] = []
  private var index = SubscriptionIndex()
  private var workingSet = WorkingSet()
  private var pending: [PendingAnswer] = []

  /// A cloud over that store.
  package init(store: Store, limits: Limits = Limits()) {
    self.store = store
    self.limits = limits
  }

  // MARK: Receiving

  /// A request arrived. Reads everything that its evaluation needs. The answer comes from `endTurn`. `visibleDelay` is
  /// the age in milliseconds from which this request's feeds show commits; nil for the limits' value. `room` is the
  /// number of bytes that the answer may have. Returns how much of the turn the request takes.
  @discardableResult
  package mutating func receive(
    _ request: CloudRequest, ticket: Ticket, in database: DatabaseID, from caller: Caller, at now: WallTime,
    visibleDelay: Int64? = nil, room: Int = AnswerSize.limit, using generator: inout some RandomNumberGenerator
  ) -> TurnCost {
    take(
      submission(
        of: request, ticket: ticket, in: database, from: caller, at: now, visibleDelay: visibleDelay, room: room),
      using: &generator)
  }

  /// An administrator's operation arrived, with the guarantees of a request: answer and notices come from `endTurn`.
  /// Changes are attributed to the caller. If the caller has no device, every device is notified.
  package mutating func administer(
    _ operation: Administration, ticket: Ticket, in database: DatabaseID, from caller: Caller, at now: WallTime,
    using generator: inout some RandomNumberGenerator
  ) {
    _ = take(
      Submission(
        .administration(operation), ticket: ticket, in: database, from: caller, at: now, limits: limits,
        policy: policy),
      using: &generator)
  }

  /// A transaction arrived, with the guarantees of a request: its result comes from `endTurn`. `room` is the number of
  /// bytes that the answer may have. Returns how much of the turn the transaction takes.
  @discardableResult
  package mutating func transact(
    _ transaction: any ZoneTransaction, ticket: Ticket, in database: DatabaseID, from caller: Caller, at now: WallTime,
    room: Int = AnswerSize.limit, using generator: inout some RandomNumberGenerator
  ) -> TurnCost {
    take(
      submission(of: transaction, ticket: ticket, in: database, from: caller, at: now, room: room), using: &generator)
  }

  /// A transaction as a submission for `offer`.
  package func submission(
    of transaction: any ZoneTransaction, ticket: Ticket, in database: DatabaseID, from caller: Caller,
    at now: WallTime, room: Int = AnswerSize.limit
  ) -> Submission {
    Submission(
      .transaction(transaction), ticket: ticket, in: database, from: caller, at: now, limits: limits,
      policy: policy, room: room)
  }

  /// A request as a submission for `offer`.
  package func submission(
    of request: CloudRequest, ticket: Ticket, in database: DatabaseID, from caller: Caller, at now: WallTime,
    visibleDelay: Int64? = nil, room: Int = AnswerSize.limit
  ) -> Submission {
    var limits = limits
    if let visibleDelay { limits.visibleDelay = visibleDelay }
    return Submission(
      .request(request), ticket: ticket, in: database, from: caller, at: now, limits: limits, policy: policy,
      room: room)
  }

  /// Evaluates a submission with what was read in this turn, stages its changes, and holds its answer back until
  /// `endTurn`. If something was not read yet, nothing happens, and `generator` is not advanced. The driver then has the
  /// needs read by `prefetch` and offers the submission again, which remembers the random numbers of its evaluation.
  package mutating func offer(
    _ submission: inout Submission, using generator: inout some RandomNumberGenerator
  ) -> Reception {
    let missing = likelyMissing(for: submission)
    guard missing.isEmpty else { return .needs(missing) }
    return evaluate(&submission, using: &generator)
  }

  /// The likely needs of a submission that were not read in this turn yet. Its reads are limited from now on.
  private mutating func likelyMissing(for submission: Submission) -> [Need] {
    workingSet.limits = submission.readingLimits
    return workingSet.missing(of: submission.likelyNeeds)
  }

  private mutating func evaluate(
    _ submission: inout Submission, using generator: inout some RandomNumberGenerator
  ) -> Reception {
    var draws = RepeatedDraws(submission.drawn, then: generator)
    let evaluated = submission.evaluated(over: workingSet, index: index, using: &draws)
    submission.drawn = draws.drawn
    switch evaluated {
    case .absent(let needs): return .needs(needs)
    case .answer(let answer):
      generator = draws.generator
      keep(answer)
      return .taken
    case .late:
      longReadings.append(LongReading(submission))
      workingSet.endRequest()
      return .taken
    }
  }

  /// Reads needs for the submissions of this turn.
  package mutating func prefetch(_ needs: [Need]) { store.prefetch(needs, into: &workingSet) }

  private mutating func take(
    _ submission: Submission, using generator: inout some RandomNumberGenerator
  ) -> TurnCost {
    var submission = submission
    let time = longReadings.isEmpty ? readingTime : readingTime.map { min($0, LongReading.laterTime) }
    let limit = submission.mayTakeLong ? time : nil
    if limit != nil { store.limitReads(milliseconds: limit) }
    let missing = likelyMissing(for: submission)
    if !missing.isEmpty { prefetch(missing) }
    var readBytes = workingSet.readBytes
    while case .needs(let needs) = evaluate(&submission, using: &generator) {
      prefetch(needs)
      readBytes = workingSet.readBytes
    }
    if limit != nil { store.limitReads(milliseconds: nil) }
    guard let last = pending.last, last.submission.ticket == submission.ticket else {
      return TurnCost(readBytes: readBytes)
    }
    return last.cost
  }

  // MARK: The end of a turn

  /// Commits the turn's staged changes, or refuses them all with that error. Returns, request by request in the order of
  /// arrival, the answer, the notices and the registration; then the facts. Requests whose changes were stale are evaluated again, committed and
  /// answered after the others. Without any request nothing is done.
  package mutating func endTurn(
    refusing error: StoreError? = nil, using generator: inout some RandomNumberGenerator
  ) -> [CloudEffect] {
    if let error { store.refuseStaged(because: error) }
    var effects: [CloudEffect] = []
    while !pending.isEmpty {
      let turn = seal()
      let failures = store.commit()
      effects += turn.effects(after: failures)
      for stale in turn.stale(after: failures) { _ = take(stale.submission.again, using: &generator) }
    }
    return effects
  }

  /// The readings that the turns had no time for. The driver answers each of them once, after `endTurn`.
  package mutating func takeLongReadings() -> [LongReading] {
    defer { longReadings = [] }
    return longReadings
  }

  /// Closes the turn. Later submissions belong to the next one.
  private mutating func seal() -> SealedTurn {
    defer { pending = [] }
    workingSet = WorkingSet()
    return SealedTurn(answers: pending)
  }

  /// The content of a database, including staged changes. If it cannot be read, its findings name the error.
  package func status(of database: DatabaseID) -> DatabaseStatus {
    do {
      return DatabaseStatus(
        database: database, state: try store.database(database),
        zones: try store.zones(in: database).filter { !ZoneKey(database: database, zoneName: $0.zoneName).isInternal },
        findings: store.findings(in: database))
    } catch {
      return DatabaseStatus(
        database: database, state: DatabaseState(), zones: [], findings: [.unreadable(nil, error)])
    }
  }

  /// Stages the changes of a submission, and holds its answer back until the commit.
  private mutating func keep(_ answer: PendingAnswer) {
    for change in answer.outcome.zoneChanges {
      store.stage(change.transition, in: change.key)
      workingSet.forget(change.key)
    }
    for spent in answer.outcome.spentSubscriptions { stage(spent) }
    if let change = answer.outcome.databaseChange {
      stage(change)
      let delay = limits.subscriptionIndexDelay
      index.take(change.transition, in: change.database, at: answer.submission.now, delay: delay)
    }
    workingSet.endRequest()
    pending.append(answer)
  }

  private mutating func stage(_ change: Outcome.DatabaseChange) {
    store.stage(change.transition, in: change.database)
    workingSet.forget(change.database)
  }
}
