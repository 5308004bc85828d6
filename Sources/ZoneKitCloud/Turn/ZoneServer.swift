import ZoneKitRecords

/// The cloud: evaluates requests, keeps their answers back until everything is durable, and then returns the answers and
/// notices.
///
/// A turn is any number of `receive` and one `endTurn`. No answer and no notice leaves before the commit that it
/// promises; requests of one turn see what the ones before them staged. An evaluation reads nothing but the turn's working
/// set. A change whose premises another server has changed is not kept, and its request is evaluated again.
package struct ZoneServer<Store: ZoneStore> {
  /// Where the cloud keeps its databases.
  package var store: Store
  /// What the cloud allows and does, from the next request on.
  package var limits: Limits
  private var index = SubscriptionIndex()
  private var workingSet = WorkingSet()
  private var pending: [PendingAnswer] = []

  /// A cloud with that store's content.
  package init(store: Store, limits: Limits = Limits()) {
    self.store = store
    self.limits = limits
  }

  // MARK: Taking in

  /// Takes a request in and reads at once all that its evaluation needs. The answer comes with `endTurn`. For this request
  /// feeds are read with that `visibleDelay`, in milliseconds; nil for what the limits say.
  package mutating func receive(
    _ request: CloudRequest, ticket: Ticket, in database: DatabaseID, from caller: Caller, at now: WallTime,
    visibleDelay: Int64? = nil, using generator: inout some RandomNumberGenerator
  ) {
    take(
      submission(of: request, ticket: ticket, in: database, from: caller, at: now, visibleDelay: visibleDelay),
      using: &generator)
  }

  /// Does what only an administrator can, with the guarantees of a request: the answer and the notices come with `endTurn`.
  /// Changes are attributed to the caller; where the caller has no device, every device is notified.
  package mutating func administer(
    _ operation: Administration, ticket: Ticket, in database: DatabaseID, from caller: Caller, at now: WallTime,
    using generator: inout some RandomNumberGenerator
  ) {
    take(
      Submission(.administration(operation), ticket: ticket, in: database, from: caller, at: now, limits: limits),
      using: &generator)
  }

  /// A request as `offer` takes it in.
  package func submission(
    of request: CloudRequest, ticket: Ticket, in database: DatabaseID, from caller: Caller, at now: WallTime,
    visibleDelay: Int64? = nil
  ) -> Submission {
    var limits = limits
    if let visibleDelay { limits.visibleDelay = visibleDelay }
    return Submission(.request(request), ticket: ticket, in: database, from: caller, at: now, limits: limits)
  }

  /// Evaluates a submission over what was read in this turn, stages what it changes, and keeps its answer back until
  /// `endTurn`. Where something was not read yet, nothing happens and no random number is drawn: the driver of a store
  /// that waits has its needs read by `prefetch`, and offers the submission again.
  package mutating func offer(
    _ submission: Submission, using generator: inout some RandomNumberGenerator
  ) -> Reception {
    var draws = generator
    let reception = evaluate(submission, using: &draws)
    if case .taken = reception { generator = draws }
    return reception
  }

  private mutating func evaluate(
    _ submission: Submission, using generator: inout some RandomNumberGenerator
  ) -> Reception {
    let missing = workingSet.missing(of: submission.likelyNeeds)
    guard missing.isEmpty else { return .needs(missing) }
    switch submission.evaluated(over: workingSet, index: index, using: &generator) {
    case .absent(let needs): return .needs(needs)
    case .answer(let answer):
      keep(answer)
      return .taken
    }
  }

  /// Reads needs for the submissions of this turn.
  package mutating func prefetch(_ needs: [Need]) { store.prefetch(needs, into: &workingSet) }

  private mutating func take(_ submission: Submission, using generator: inout some RandomNumberGenerator) {
    // A generator of the system draws other numbers each time, and a record without a name would get another name.
    var draws = RepeatedDraws(generator)
    while case .needs(let needs) = evaluate(submission, using: &draws) {
      prefetch(needs)
      draws.rewind()
    }
    generator = draws.generator
  }

  // MARK: The end of a turn

  /// Commits what the turn staged; then come, request by request in the order of their coming, the answer, the notices
  /// and the registration, and at last the facts. Requests whose changes were stale are evaluated again, committed and
  /// answered behind the others. Nothing was received: nothing is done.
  package mutating func endTurn(using generator: inout some RandomNumberGenerator) -> [CloudEffect] {
    var effects: [CloudEffect] = []
    while !pending.isEmpty {
      let turn = seal()
      let failures = store.commit()
      effects += turn.effects(after: failures)
      for stale in turn.stale(after: failures) { take(stale.submission.again, using: &generator) }
    }
    return effects
  }

  /// Ends the turn for submissions that come from now on.
  private mutating func seal() -> SealedTurn {
    defer { pending = [] }
    workingSet = WorkingSet()
    return SealedTurn(answers: pending)
  }

  /// The content of a database, staged changes included.
  package func status(of database: DatabaseID) throws(StoreError) -> DatabaseStatus {
    DatabaseStatus(
      database: database, state: try store.database(database), zones: try store.zones(in: database))
  }

  /// Stages what a submission changes, and keeps its answer until the commit.
  private mutating func keep(_ answer: PendingAnswer) {
    for change in answer.outcome.zoneChanges {
      store.stage(change.transition, in: change.key)
      workingSet.forget(change.key)
    }
    if let spent = answer.outcome.spentSubscriptions { stage(spent) }
    if let change = answer.outcome.databaseChange {
      stage(change)
      let delay = limits.subscriptionIndexDelay
      index.take(change.transition, in: change.database, at: answer.submission.now, delay: delay)
    }
    workingSet.forgetFailures()
    pending.append(answer)
  }

  private mutating func stage(_ change: Outcome.DatabaseChange) {
    store.stage(change.transition, in: change.database)
    workingSet.forget(change.database)
  }
}
