import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTables
import ZoneKitWire

/// The cloud as a service. The calls of a turn are evaluated as they arrive, committed together and answered in order;
/// then the push service gets the changes. The service has no access to files and sockets and knows no protocol.
final class ZoneService<Store: ZoneStore> {
  /// A call of this turn.
  private struct Waiting {
    /// Identifies the cloud's answer; nil if the call did not reach the cloud.
    let ticket: Ticket?
    /// What a fault does to the answer; nil for nothing.
    let fault: FaultyExchange?
    /// Called with the answer; with nil if a fault suppresses it.
    let complete: (CloudResponse?) -> Void
  }

  private var server: ZoneServer<Store>
  /// The number of calls so far.
  private(set) var requests = 0
  private var faults: FaultInjector
  private let authentication: Authentication
  /// The app whose rows lie in zones; nil if there is none.
  private let tables: TableApp?
  /// The containers whose data are reached by another protocol only, which knows who sends a request.
  private let closedContainers: Set<Name>
  private let now: () -> Moment
  private let push: PushService
  private let journal: ServerJournal
  private var generator = SystemGenerator()
  private var turn: [Waiting] = []
  /// Called with the results of this turn's transactions.
  private var transactions: [Ticket: (TransactionResult) -> Void] = [:]
  private var lastTicket = 0
  private var delayed = DelayedReplies()
  /// The databases whose registrations the push service does not have yet, because they could not be read.
  private var unrestored: [DatabaseID] = []
  /// When they are read again.
  private var nextRestoring = MonotonicTime(milliseconds: 0)
  /// The time between two attempts to read them, in milliseconds.
  private static var restoringPause: Int64 { 1_000 }

  /// A service over that store.
  init(
    store: Store, authentication: Authentication, faults: FaultInjector, push: PushService, journal: ServerJournal,
    tables: TableApp? = nil, closedContainers: Set<Name> = [], now: @escaping () -> Moment
  ) {
    server = ZoneServer(store: store, limits: faults.usualLimits)
    self.authentication = authentication
    self.tables = tables
    self.closedContainers = closedContainers
    self.faults = faults
    self.push = push
    self.journal = journal
    self.now = now
  }

  // MARK: Calls

  /// Takes in a call. `answer` is called once with the reply, in this turn or later; with nil if a fault suppresses the
  /// reply, and then the connection is closed. `room` is the number of bytes that the answer may have. Returns how
  /// much of the turn the call takes.
  @discardableResult
  func receive(_ call: Call, room: Int = AnswerSize.limit, answer: @escaping (HTTPReply?) -> Void) -> TurnCost {
    let caller: Caller
    switch self.caller(of: call) {
    case .success(let known): caller = known
    case .failure(let error):
      answer(call.reply(.refused(error)))
      return TurnCost()
    }
    var cost = TurnCost()
    requests += 1
    if let error = push.refusal(of: call.request, from: caller) ?? refusal(ofChangeIn: call) {
      answer(call.reply(.refused(error)))
      return TurnCost()
    }
    let complete = { (response: CloudResponse?) in answer(response.map { call.reply(.answered($0, caller)) }) }
    let database = call.database(of: caller)
    switch faults.verdict(on: call.request, from: caller, in: database) {
    case .pass:
      let ticket = submit(call.request, in: database, from: caller, room: room, cost: &cost)
      turn.append(Waiting(ticket: ticket, fault: nil, complete: complete))
    case .faulty(let fault):
      var ticket: Ticket?
      if let request = fault.request {
        // If a request is carried out more than once, the last answer counts.
        for _ in 1...fault.applications {
          ticket = submit(
            request, in: database, from: caller, visibleDelay: fault.visibleDelayMilliseconds, room: room, cost: &cost)
        }
      }
      turn.append(Waiting(ticket: ticket, fault: fault, complete: complete))
    }
    return cost
  }

  /// The error for a change of zones that hold rows. The arbiter of rows would not know of it.
  private func refusal(ofChangeIn call: Call) -> CloudError? {
    guard let tables, call.container == tables.container, call.environment == tables.environment,
      !RequestTraits(call.request).zonesWritten.isEmpty
    else { return nil }
    return CloudError(.permissionFailure, "rows of \(tables.container) are written over /rest/v1")
  }

  private func caller(of call: Call) -> Result<Caller, CloudError> {
    switch call.credentials {
    case .caller(let caller): .success(caller)
    case .tokens where closedContainers.contains(call.container):
      .failure(
        CloudError(
          .permissionFailure,
          "\(call.container) is closed to CloudKit Web Services with --auth strict; its app has a protocol of its own"))
    case .tokens(let app, let user, let deviceID):
      authentication.caller(
        apiToken: app, webAuthToken: user, deviceID: deviceID, readsPublicRecords: call.readsPublicRecords)
    }
  }

  /// Passes a request to the cloud, and adds its cost to `cost`.
  private func submit(
    _ request: CloudRequest, in database: DatabaseID, from caller: Caller, visibleDelay: Int64? = nil, room: Int,
    cost: inout TurnCost
  ) -> Ticket {
    let ticket = nextTicket()
    cost += server.receive(
      request, ticket: ticket, in: database, from: caller, at: now().wall, visibleDelay: visibleDelay, room: room,
      using: &generator)
    return ticket
  }

  private func nextTicket() -> Ticket {
    lastTicket += 1
    return Ticket(lastTicket)
  }

  /// Takes in a transaction of another machine. `complete` is called once with its result, at the end of the turn. `room`
  /// is the number of bytes that the answer may have. Returns how much of the turn the transaction takes.
  func transact(
    _ transaction: any ZoneTransaction, in database: DatabaseID, from caller: Caller, room: Int,
    complete: @escaping (TransactionResult) -> Void
  ) -> TurnCost {
    let ticket = nextTicket()
    transactions[ticket] = complete
    return server.transact(
      transaction, ticket: ticket, in: database, from: caller, at: now().wall, room: room, using: &generator)
  }

  /// Takes in a request that may be a transaction of another machine. `answer` is called now with an answer that needs none;
  /// otherwise `complete` is called as in `transact`, with the database. Returns how much of the turn the request takes.
  func carryOut<Response>(
    _ reception: TransactionReception<Response>, room: Int, answer: (Response) -> Void,
    complete: @escaping (TransactionResult, DatabaseID) -> Void
  ) -> TurnCost {
    switch reception {
    case .answer(let response):
      answer(response)
      return TurnCost()
    case .submit(let transaction, let database, let sender):
      return transact(transaction, in: database, from: sender, room: room) { complete($0, database) }
    }
  }

  // MARK: Administration

  /// Performs an administrator's operation. `answer` is called once with the cloud's answer.
  func administer(_ request: AdministrationRequest, answer: @escaping (CloudResponse) -> Void) {
    let ticket = nextTicket()
    server.administer(
      request.operation, ticket: ticket, in: request.database, from: request.caller, at: now().wall, using: &generator)
    turn.append(Waiting(ticket: ticket, fault: nil) { answer($0 ?? Self.missing) })
  }

  /// Whether everyone who reaches the server may use faults and administration.
  var isOpen: Bool { faults.isOpen }

  /// Whether the fault plan has faults.
  var hasFaults: Bool { faults.hasFaults }

  /// What the fault plan does to a request of a service of tables; nil for nothing.
  func faults(on subject: FaultSubject) -> RequestFaults? { faults.faults(on: subject) }

  /// What the fault plan does to a request that another protocol turns into one of the cloud.
  func verdict(on request: CloudRequest, from caller: Caller, in database: DatabaseID) -> FaultVerdict {
    faults.verdict(on: request, from: caller, in: database)
  }

  /// Calls `deliver` after that time; at once if it is zero.
  func delay(milliseconds: Int64, _ deliver: @escaping () -> Void) {
    guard milliseconds > 0 else { return deliver() }
    delayed.add(due: now().monotonic.milliseconds + milliseconds, deliver)
  }

  /// What the fault plan does to a push on its way to one receiver; nil for nothing.
  func pushFault(on subject: FaultSubject) -> PushFault? { faults.pushFault(on: subject) }

  /// Whether a fault makes pushes wait for the next one.
  var swapsPushes: Bool { faults.swapsPushes }

  /// The fault plan and the limits as JSON. `note` says why a fault cannot hit anything now; nil if it can.
  func faultPlan(note: (Fault) -> String? = { _ in nil }) -> JSON { faults.document(server.limits, note: note) }

  /// Sets the fault plan and changes limits. Throws if the document is invalid.
  func setFaultPlan(_ document: FaultDocument) throws(ControlReadingError) { try faults.set(document, &server.limits) }

  /// Removes all faults and resets the limits.
  func clearFaultPlan() { faults.clear(&server.limits) }

  // MARK: The end of a turn

  /// Commits the changes of the turn's calls, answers the calls, and passes the changes to the push service.
  func endTurn() {
    var (answers, retired) = commit()
    if !retired.isEmpty { forget(retired) }
    let calls = turn
    turn.removeAll(keepingCapacity: true)
    // An answer is removed when it is encoded, so that it is in memory only once.
    for call in calls { answer(call, with: call.ticket.map { answers.removeValue(forKey: $0) ?? Self.missing }) }
    if !unrestored.isEmpty, !calls.isEmpty, now().monotonic >= nextRestoring { restoreRegistrations() }
  }

  /// Commits the turn and carries out its effects. Returns the answers and the push tokens that became invalid.
  private func commit() -> (answers: [Ticket: CloudResponse], retired: [PushService.RetiredToken]) {
    var answers: [Ticket: CloudResponse] = [:]
    var retired: [PushService.RetiredToken] = []
    for effect in server.endTurn(using: &generator) {
      switch effect {
      case .answer(let ticket, let response): answers[ticket] = response
      case .transacted(let ticket, let result): transactions.removeValue(forKey: ticket)?(result)
      case .notify(let notice): push.notify(notice)
      case .registered(let registration, let database): retired += push.register(registration, in: database)
      case .unregistered(let token): push.unregister(token: token)
      case .fact(let fact): journal.record(fact)
      }
    }
    return (answers, retired)
  }

  /// Removes the registrations of invalid tokens, so that a restart does not restore them.
  private func forget(_ retired: [PushService.RetiredToken]) {
    for token in retired {
      server.administer(
        .endPushToken(token.token), ticket: nextTicket(), in: token.database, from: Caller(user: token.database.user),
        at: now().wall, using: &generator)
    }
    _ = commit()
  }

  private func answer(_ call: Waiting, with response: CloudResponse?) {
    guard let fault = call.fault else { return call.complete(response) }
    let answer = fault.answer(to: response)
    delay(milliseconds: fault.delayMilliseconds) { call.complete(answer) }
  }

  private static var missing: CloudResponse {
    .failure(CloudError(.internalError, "the request was not answered; this is a defect"))
  }

  /// When `answerDelayed` has to be called next, in milliseconds of the loop's clock; nil if no answer is delayed.
  var nextDelayedAnswer: Int64? { delayed.nextDue }

  /// Gives the delayed answers that are due.
  func answerDelayed() {
    for deliver in delayed.take(at: now().monotonic.milliseconds) { deliver() }
  }

  // MARK: The store

  /// Passes all registrations in the store to the push service. Those of a database that cannot be read follow when it
  /// can. Throws if the databases cannot be listed.
  func loadRegistrations() throws(StoreError) {
    unrestored = try server.store.databases()
    restoreRegistrations()
  }

  private func restoreRegistrations() {
    nextRestoring = now().monotonic.advanced(byMilliseconds: Self.restoringPause)
    unrestored.removeAll { database in
      guard let state = try? server.store.database(database) else { return false }
      for registration in state.registrations { push.restore(registration, in: database) }
      return true
    }
  }

  /// Every database of the cloud. Throws if they cannot be listed.
  func databases() throws(StoreError) -> [DatabaseID] { try server.store.databases() }

  /// The status of every database. Throws if they cannot be listed.
  func databaseStatuses() throws(StoreError) -> [DatabaseStatus] {
    try server.store.databases().map { server.status(of: $0) }
  }

  /// Whether a zone has a record, or a tombstone of it. A zone that cannot be read has none.
  func hasRecord(_ name: Name, in zone: ZoneKey) -> Bool { (try? server.store.record(name, in: zone)) != nil }

  /// Closes the store.
  func close() { server.store.close() }
}

extension ZoneService where Store == CloudFiles {
  /// When `writeMarks` has to be called, in milliseconds of the loop's clock; nil for not before the next commit.
  var marksDue: Int64? { server.store.marksDue }

  /// Records how far the zones have come.
  func writeMarks() { server.store.writeMarks() }
}
