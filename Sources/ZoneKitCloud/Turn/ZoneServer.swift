import ZoneKitRecords

/// The cloud: takes requests in, keeps their answers back until everything is durable, and then says what to answer and
/// whom to tell.
///
/// A turn is any number of `receive` and one `endTurn`. No answer and no notice leaves before the commit that it
/// promises; requests of one turn see what the ones before them staged.
package struct ZoneServer<Store: ZoneStore> {
  /// Where the cloud keeps its databases.
  package var store: Store
  /// What the cloud allows and does, from the next request on.
  package var limits: Limits
  private var index = SubscriptionIndex()
  private var pending: [PendingAnswer] = []

  /// A cloud with that store's content.
  package init(store: Store, limits: Limits = Limits()) {
    self.store = store
    self.limits = limits
  }

  /// Works a request out, stages what it changes, and keeps its answer back until `endTurn`. For this request feeds are
  /// read with that `visibleDelay`, in milliseconds; nil for what the limits say.
  package mutating func receive(
    _ request: CloudRequest, ticket: Ticket, in database: DatabaseID, from caller: Caller, at now: WallTime,
    visibleDelay: Int64? = nil, using generator: inout some RandomNumberGenerator
  ) {
    let outcome = outcome(
      in: database, from: caller, at: now, visibleDelay: visibleDelay
    ) { (evaluation) throws(CloudError) in
      try evaluation.outcome(of: request, using: &generator)
    }
    keep(outcome, ticket: ticket, at: now, dependencies: Dependency.all(of: request, in: database, from: caller))
  }

  /// Does what only an administrator can, under the laws of a request: the answer and the notices come with `endTurn`.
  /// The caller is whom the deed is put down to; a caller without a device makes every device hear of it.
  package mutating func administer(
    _ deed: Administration, ticket: Ticket, in database: DatabaseID, from caller: Caller, at now: WallTime,
    using generator: inout some RandomNumberGenerator
  ) {
    let outcome = outcome(in: database, from: caller, at: now) { (evaluation) throws(CloudError) in
      try evaluation.outcome(of: deed, using: &generator)
    }
    keep(outcome, ticket: ticket, at: now, dependencies: deed.dependencies(in: database))
  }

  /// Commits what the turn staged; then come, request by request in the order of their coming, the answer, the notices
  /// and the registration, and at last the facts. Nothing was received: nothing is done.
  package mutating func endTurn() -> [CloudEffect] {
    guard !pending.isEmpty else { return [] }
    let failures = store.commit()
    let answers = pending
    pending = []
    return answers.flatMap { effects(of: $0, after: failures) } + facts(of: answers, after: failures)
  }

  /// What there is to say about a database, staged changes included.
  package func status(of database: DatabaseID) throws(StoreError) -> DatabaseStatus {
    DatabaseStatus(
      database: database, state: try store.database(database), zones: try store.zones(in: database))
  }

  /// The evaluation's copy of the store ends here: staging must find the store unshared, or it would copy all of it.
  private func outcome(
    in database: DatabaseID, from caller: Caller, at now: WallTime, visibleDelay: Int64? = nil,
    of work: (Evaluation<Store>) throws(CloudError) -> Outcome
  ) -> Outcome {
    var limits = limits
    if let visibleDelay { limits.visibleDelay = visibleDelay }
    do {
      return try work(
        Evaluation(
          store: StoreReader(store: store), database: database, caller: caller, now: now, limits: limits,
          index: index))
    } catch {
      return Outcome(.failure(error))
    }
  }

  private mutating func keep(_ outcome: Outcome, ticket: Ticket, at now: WallTime, dependencies: [Dependency]) {
    for change in outcome.zoneChanges { store.stage(change.transition, in: change.key) }
    if let change = outcome.databaseChange {
      store.stage(change.transition, in: change.database)
      index.take(change.transition, in: change.database, at: now, delay: limits.subscriptionIndexDelay)
    }
    pending.append(PendingAnswer(ticket: ticket, outcome: outcome, dependencies: dependencies))
  }

  private func effects(of answer: PendingAnswer, after failures: [CommitFailure]) -> [CloudEffect] {
    var effects: [CloudEffect] = [.answer(answer.ticket, answer.response(after: failures))]
    effects += answer.notices(after: failures).map { .notify($0) }
    if let (registration, database) = answer.registration(after: failures) {
      effects.append(.registered(registration, database))
    }
    if let token = answer.endedToken(after: failures) { effects.append(.unregistered(token: token)) }
    return effects
  }

  private func facts(of answers: [PendingAnswer], after failures: [CommitFailure]) -> [CloudEffect] {
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
