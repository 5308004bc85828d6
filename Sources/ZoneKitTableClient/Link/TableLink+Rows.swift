import ZoneKitRecords
import ZoneKitTables

/// Requests for rows, and their outcomes.
extension TableLink {
  /// The outcome of a request for rows arrived.
  package mutating func rowsAnswered(_ id: AskID, _ outcome: RowOutcome, at now: MonotonicTime) -> [Effect] {
    var refusal: ServiceRefusal?
    if case .refused(let error) = outcome { refusal = error }
    return answered(id, refusal, at: now) { link in
      guard case .rows(var exchange)? = link.work?.exchange else { return }
      if case .ask(let request) = exchange.step { link.moved.note(request, outcome) }
      exchange.received(outcome)
      link.work?.exchange = .rows(exchange)
    }
  }

  /// The outcome of a request for rows of a user's own schema arrived.
  package mutating func relationsAnswered(
    _ id: AskID, _ outcome: RelationOutcome, at now: MonotonicTime
  ) -> [Effect] {
    var refusal: ServiceRefusal?
    if case .refused(let error) = outcome { refusal = error }
    return answered(id, refusal, at: now) { link in
      guard case .relations(var exchange)? = link.work?.exchange else { return }
      if case .ask(let request) = exchange.step {
        link.moved.note(request, outcome)
        link.channel.answered(request, outcome)
      }
      exchange.received(outcome)
      link.work?.exchange = .relations(exchange)
    }
  }

  /// A request was answered. One that was refused because of its access token is sent again once, with a new one.
  private mutating func answered(
    _ id: AskID, _ refusal: ServiceRefusal?, at now: MonotonicTime, _ take: (inout TableLink) -> Void
  ) -> [Effect] {
    guard case .asked(id, let token)? = work?.state else { return [] }
    work?.state = .waiting
    if refusal?.status == 401, work?.wasRefused == false {
      work?.wasRefused = true
      return carryOut(session.refused(token, at: now), at: now) + proceed(at: now)
    }
    work?.wasRefused = false
    take(&self)
    return proceed(at: now)
  }

  /// Sends the next request of the exchange, if the session allows it, or answers the coordinator.
  mutating func proceed(at now: MonotonicTime) -> [Effect] {
    guard let work, work.state == .waiting else { return [] }
    switch work.exchange {
    case .rows(let exchange):
      if let cursors = exchange.cursors { answered = cursors }
      return proceed(exchange.step, at: now) { .askRows($0, $1, RowDemands(), token: $2) }
    case .relations(let exchange):
      return proceed(exchange.step, at: now) { .askRelations($0, $1, token: $2) }
    }
  }

  private mutating func proceed<Request>(
    _ step: ExchangeStep<Request, CloudResponse>, at now: MonotonicTime, _ ask: (AskID, Request, String) -> Effect
  ) -> [Effect] {
    switch (step, work) {
    case (_, nil): return []
    case (.answer(let response), let work?):
      self.work = nil
      return [.answer(work.ticket, .success(response))]
    case (.ask(let request), _):
      switch session.permission(at: now) {
      case .wait: return []
      case .none: return giveUp(CloudError(.notAuthenticated, owner?.reason ?? Self.noSession))
      case .use(let token):
        let id = nextAsk()
        work?.state = .asked(id, token: token)
        return [ask(id, request, token)]
      }
    }
  }

  /// Ends the request under way with a failure.
  mutating func giveUp(_ error: CloudError) -> [Effect] {
    guard let work else { return [] }
    self.work = nil
    return [.answer(work.ticket, .failure(error))]
  }
}
