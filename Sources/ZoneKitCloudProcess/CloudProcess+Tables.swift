import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// Requests for rows, functions, objects and accounts.
extension CloudProcess {
  // MARK: Rows

  /// A request for rows arrived. The own row of its account is made first.
  mutating func begin(
    _ request: RowRequest, _ demands: RowDemands, _ arrival: Arrival,
    using generator: inout some RandomNumberGenerator
  ) -> Beginning {
    let caller = arrival.sender.ofTables
    if case .account(let account) = caller.role { makeProfile(of: account, at: arrival.at, using: &generator) }
    let limits = tables.flatMap { arrival.faulted?.limits($0.rows.limits) }
    switch tables?.receive(request, demands, limits: limits, from: caller, at: arrival.at.wall, using: &generator) {
    case .answer(.refused(let error))?: return refuse(with: error, table: request.table, arrival, using: &generator)
    case .answer(let response)?: return .answered(.rows(response))
    case .submit(let transaction, let database, let sender)?:
      return .submitted(
        .rows(isWrite: request.isWrite),
        cost: submit(transaction, in: database, from: sender, arrival, using: &generator))
    case nil: return .answered(.rows(.refused(RowError(.notServed, "the cloud serves no tables"))))
    }
  }

  /// Refuses a request for rows. The error gets the state of the sender's feed. `table` is that of the request; nil if it
  /// has none.
  mutating func refuse(
    with error: RowError, table: Name?, _ arrival: Arrival, using generator: inout some RandomNumberGenerator
  ) -> Beginning {
    let caller = arrival.sender.ofTables
    let known = table.flatMap { OwnTable($0) == .conflicts ? $0 : nil } ?? tables?.app.schema.tables.first?.name
    guard case .account = caller.role, let known,
      case .submit(let transaction, let database, let sender)? = tables?.receive(
        .read(known, RowQuery(limit: 0), isHead: true), RowDemands(), from: caller, at: arrival.at.wall,
        using: &generator)
    else { return .answered(.rows(.refused(error))) }
    return .submitted(
      .refusal(error), cost: submit(transaction, in: database, from: sender, arrival, using: &generator))
  }

  /// Makes the own row of an account unless it exists.
  private mutating func makeProfile(
    of account: UUID, at now: Moment, using generator: inout some RandomNumberGenerator
  ) {
    guard let request = tables?.profile(of: account) else { return }
    let arrival = Arrival(ticket: nextTicket(), sender: CloudSender(RowCaller(.account(account))), at: now)
    switch tables?.receive(
      request, RowDemands(), from: arrival.sender.ofTables, at: now.wall, using: &generator)
    {
    case .submit(let transaction, let database, let sender)?:
      _ = submit(transaction, in: database, from: sender, arrival, using: &generator)
      waiting[arrival.ticket] = Waiting(step: .profile(account), isLast: false)
    case .answer(.refused)?: tables?.forgetProfile(of: account)
    case .answer(.done)?, nil: break
    }
  }

  // MARK: Functions, objects and accounts

  /// A function is called, or goes on.
  mutating func begin(
    function name: String, _ argument: [UInt8], from caller: RowCaller, _ arrival: Arrival,
    using generator: inout some RandomNumberGenerator
  ) -> Beginning {
    switch tables?.rows.call(name, argument, from: caller) {
    case .answer(let answer)?: return .answered(.function(answer))
    case .submit(let transaction, let database, let sender)?:
      return .submitted(
        .function(name, argument: argument, caller, room: arrival.room),
        cost: submit(transaction, in: database, from: sender, arrival, using: &generator))
    case nil: return .answered(.function(.failure(.notFound("the cloud serves no functions"))))
    }
  }

  /// The time of a message with that ticket has come, which `CloudProcessEffect.resume` asked for. Returns what is left to
  /// the driver.
  package mutating func resume(
    _ ticket: Ticket, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [CloudProcessEffect] {
    guard case .function(let name, let argument, let caller, let room)? = waiting[ticket]?.step else { return [] }
    let arrival = Arrival(ticket: ticket, sender: CloudSender(caller), at: now, room: room)
    return go(on: ticket, begin(function: name, argument, from: caller, arrival, using: &generator), at: now)
  }

  /// The place of the bytes of an upload; nil for another request. Throws if the upload is refused.
  private func place(ofUpload request: ObjectRequest, from caller: RowCaller) throws(ObjectError) -> ObjectTurn.Place? {
    guard let tables, case .put(let bucket, let path, let content, _) = request else { return nil }
    if let relations = tables.relations {
      if let error = relations.refusal(ofUploadTo: path, in: bucket, content) { throw error }
      return ObjectTurn.Place(hash: content.hash, database: tables.objectDatabase)
    }
    if let error = tables.objects.refusal(
      ofUploadTo: path, in: bucket, size: content.size, contentType: content.contentType, from: caller)
    {
      throw error
    }
    guard let account = ObjectPath(path)?.account else { throw .path(path) }
    return ObjectTurn.Place(hash: content.hash, database: tables.app.database(of: account))
  }

  /// A request for objects arrived. An upload waits for its bytes.
  mutating func begin(
    _ request: ObjectRequest, _ arrival: Arrival, using generator: inout some RandomNumberGenerator
  ) -> Beginning {
    let caller = arrival.sender.ofTables
    do throws(ObjectError) {
      guard let place = try place(ofUpload: request, from: caller) else {
        return submit(request, upload: nil, from: caller, arrival, using: &generator)
      }
      return .prepares(.upload(request, caller, room: arrival.room), .store(arrival.ticket, place))
    } catch {
      return .answered(.object(.refused(error)))
    }
  }

  /// The bytes of the upload with that ticket are where `CloudPreparation.store` asked for them, or they could not be
  /// written because of that error. Returns what is left to the driver.
  package mutating func stored(
    _ ticket: Ticket, _ error: ObjectError? = nil, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [CloudProcessEffect] {
    guard case .upload(let request, let caller, let room)? = waiting[ticket]?.step else { return [] }
    if let error { return replies(to: ticket, .object(.refused(error)), at: now) }
    let arrival = Arrival(ticket: ticket, sender: CloudSender(caller), at: now, room: room)
    let place = try? place(ofUpload: request, from: caller)
    return go(on: ticket, submit(request, upload: place, from: caller, arrival, using: &generator), at: now)
  }

  /// The request with that ticket was verified as `CloudPreparation.verify` asked for. Returns what is left to the driver.
  package mutating func verified(
    _ ticket: Ticket, _ event: AccountEvent, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [CloudProcessEffect] {
    guard case .verification? = waiting[ticket]?.step else { return [] }
    let arrival = Arrival(ticket: ticket, sender: CloudSender(RowCaller(.anonymous)), at: now)
    return go(on: ticket, begin(event, arrival, using: &generator), at: now)
  }

  /// Goes on with a message that waited for the driver.
  private mutating func go(on ticket: Ticket, _ beginning: Beginning, at now: Moment) -> [CloudProcessEffect] {
    switch beginning {
    case .answered(let answer): return replies(to: ticket, answer, at: now)
    case .submitted(let step, _), .prepares(let step, _):
      waiting[ticket]?.step = step
      return []
    }
  }

  private mutating func submit(
    _ request: ObjectRequest, upload: ObjectTurn.Place?, from caller: RowCaller, _ arrival: Arrival,
    using generator: inout some RandomNumberGenerator
  ) -> Beginning {
    if let context = tables?.context(of: caller, at: arrival.at.wall, using: &generator) {
      tables?.relations?.receive(request, upload: upload, ticket: arrival.ticket, context)
      return .submitted(.relation(isWrite: request.isWrite), cost: TurnCost())
    }
    switch tables?.objects.receive(request, from: caller, at: arrival.at.wall) {
    case .answer(let response)?: return .answered(.object(response))
    case .submit(let transaction, let database, let sender)?:
      return .submitted(
        .object(database, upload: upload),
        cost: submit(transaction, in: database, from: sender, arrival, using: &generator))
    case nil: return .answered(.object(.refused(.unavailable("the cloud serves no objects"))))
    }
  }

  /// A request to the accounts arrived. The own row of an account that it makes is made in the same turn.
  mutating func begin(
    _ event: AccountEvent, _ arrival: Arrival, using generator: inout some RandomNumberGenerator
  ) -> Beginning {
    guard tables != nil else {
      return .answered(.account(.failure(AccountError(.notFound, "the cloud serves no accounts"))))
    }
    let removed: UUID? = if case .remove(let account) = event { account } else { nil }
    if let removed, let error = tables?.removeRelations(of: removed, at: arrival.at.wall, using: &generator) {
      let message = "Database error deleting user: \(error.message)"
      let refusal = ServiceRefusal(error.status == 503 ? 503 : 500, code: "unexpected_failure", message)
      return .answered(.account(.failure(AccountError(refusal))))
    }
    let touched = tables?.receive(event, ticket: arrival.ticket, at: arrival.at.wall, using: &generator)
    if removed == nil, let changed = touched?.changed {
      let error = tables?.changeRelations(of: changed, at: arrival.at.wall, using: &generator)
      if let error, let made = touched?.made {
        let message = "Database error saving new user: \(error.message)"
        let refusal = ServiceRefusal(error.status == 503 ? 503 : 500, code: "unexpected_failure", message)
        tables?.takeBack(made, of: arrival.ticket, AccountError(refusal))
        return .submitted(.account(removing: nil), cost: TurnCost())
      }
    }
    if let made = touched?.made { makeProfile(of: made, at: arrival.at, using: &generator) }
    return .submitted(.account(removing: removed), cost: TurnCost())
  }

  // MARK: Results

  /// The result of a transaction of a step for tables arrived.
  mutating func finish(
    _ step: Step, _ ticket: Ticket, _ result: TransactionResult, at now: Moment
  ) -> [CloudProcessEffect] {
    switch step {
    case .rows:
      guard let (response, changes) = tables?.answer(to: result) else { return [] }
      return replies(to: ticket, .rows(response), at: now) + told(changes)
    case .refusal(var error):
      if case .done(let found)? = tables?.rows.answer(to: result).response { error.feed = found.feed }
      return replies(to: ticket, .rows(.refused(error)), at: now)
    case .profile(let account):
      guard let (response, changes) = tables?.answer(to: result) else { return [] }
      if case .refused = response { tables?.forgetProfile(of: account) }
      return replies(to: ticket, .rows(response), at: now) + told(changes)
    case .function:
      switch tables?.rows.callProgress(after: result) {
      case .answered(let answer)?: return replies(to: ticket, .function(answer), at: now)
      // Other requests come between.
      case .unfinished?: return [.resume(ticket, afterMilliseconds: 1)]
      case nil: return []
      }
    case .object(let database, let upload):
      guard let answer = tables?.objects.answer(to: result) else { return [] }
      tables?.bytes.released(answer.unused, in: database)
      if case .object = answer.response, let upload { tables?.bytes.stored(upload) }
      return replies(to: ticket, .object(answer.response), at: now)
    case .maintained(let account, let maintenance): return finish(maintenance, on: account, ticket, result, at: now)
    case .erasure(let account): return finishErasure(of: account, ticket, result, at: now)
    case .call, .registration, .documents, .documentPurge, .relation, .upload, .verification, .account, .maintenance:
      return []
    }
  }

  /// The accounts answered a request.
  mutating func finish(
    _ ticket: Ticket, _ response: AccountResponse, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [CloudProcessEffect] {
    var effects: [CloudProcessEffect] = []
    if case .account(removing: let account?)? = waiting[ticket]?.step, case .account = response {
      effects = endChannels(of: account)
      tables?.forgetProfile(of: account)
      // The rows follow the commit of the removal.
      maintain(
        .removeAll(isDryRun: false), of: MaintainedAccount(orphan: account), for: nil, at: now, using: &generator)
    }
    return effects + replies(to: ticket, .account(response), at: now)
  }

  /// Changes were committed. The channels are told at the end of the turn. Returns what is left to the driver.
  mutating func told(_ changes: [AccountChanges]) -> [CloudProcessEffect] {
    for change in changes { tables?.channels.untold.append(change) }
    return changes.map { .changed($0) }
  }

  // MARK: Bytes of objects

  /// No object of a database has the bytes with those hashes any more.
  package mutating func release(_ hashes: [String], in database: DatabaseID) {
    tables?.bytes.released(hashes, in: database)
  }

  /// The bytes that no object has any more since the commits of this turn, in ascending order of their hashes.
  package mutating func takeUnusedBytes() -> [ObjectTurn.Place] {
    tables?.bytes.end().sorted { ($0.hash, $0.database.user) < ($1.hash, $1.database.user) } ?? []
  }
}

extension ObjectRequest {
  /// Whether the request changes objects.
  fileprivate var isWrite: Bool {
    switch self {
    case .put, .remove: true
    case .find, .list, .sign: false
    }
  }
}

extension RowRequest {
  /// Whether the request changes rows.
  fileprivate var isWrite: Bool { if case .read = self { false } else { true } }
}
