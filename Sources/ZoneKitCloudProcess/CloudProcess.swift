import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitPush
import ZoneKitRecords
import ZoneKitTableServer

/// The cloud's process: the zone server, the tables, the documents, the push service and the faults over its stores.
///
/// A driver passes messages to `receive`. At the end of a turn it calls `commit` until that returns nothing, and passes each
/// effect of a commit to `perform`. Then it removes what `takeUnusedBytes` returns and calls `sendPushes` and `tellChanges`.
/// It carries out everything that these return, in order. A process that dies loses everything but the stores; a new one over them begins
/// with `restoreRegistrations`.
package struct CloudProcess<Store: ZoneStore, Accounts: AccountStore> {
  /// The zone server. Its store is the cloud's disk.
  package var zones: ZoneServer<Store>
  /// The push service.
  package var gateway: PushGateway
  /// The faults of messages.
  package var faults = FaultPlan()
  /// The tables; nil if there are none.
  package var tables: CloudTables<Accounts>?
  /// The uploads of assets.
  var uploads = AssetUploads()
  /// The parts that serve documents, by the names of their apps.
  private var documents: [String: DocumentServer] = [:]
  /// What is known of the messages of this turn, by their tickets.
  var waiting: [Ticket: Waiting] = [:]
  private var lastTicket = 0
  /// The users who are in the directories of their containers.
  var knownUsers = KnownUsers()
  /// The registrations that are still to be restored.
  var restoring = Restoring()

  /// A message whose reply comes with the commit.
  struct Waiting {
    /// What is done with the result.
    var step: Step
    /// What faults do to the answer; nil for nothing.
    var faulted: FaultedMessage?
    /// Whether the sender gets the answer of this application of the message.
    var isLast = true
  }

  /// A process over those stores.
  package init(
    store: Store, limits: Limits, policy: PushGateway.Policy, tables: CloudTables<Accounts>? = nil
  ) {
    zones = ZoneServer(store: store, limits: limits)
    gateway = PushGateway(policy: policy)
    self.tables = tables
  }

  /// A ticket that no message had before.
  mutating func nextTicket() -> Ticket {
    lastTicket += 1
    return Ticket(lastTicket)
  }

  /// Whether a message waits for the commit.
  package var hasWaiting: Bool { !waiting.isEmpty }

  /// Whether a message that waits for the commit may change records or rows of apps.
  package var hasWrites: Bool { waiting.values.contains { $0.step.isWrite } }

  // MARK: Messages

  /// A message arrived. The faults that hit it change it, and the process refuses what it may not get. `room` is the
  /// number of bytes that the answer may have. `naming` adds the further names of devices to a subject of faults.
  package mutating func receive(
    _ message: CloudMessage, from sender: CloudSender, at now: Moment, room: Int = AnswerSize.limit,
    naming: (FaultSubject) -> FaultSubject = { $0 }, using generator: inout some RandomNumberGenerator
  ) -> CloudReception {
    if let bearer = sender.bearer {
      return receive(message, bearing: bearer, at: now, room: room, naming: naming, using: &generator)
    }
    if let error = refusal(of: message, from: sender) {
      return refuse(with: .call(.failure(error)), nil, at: now)
    }
    guard !faults.isEmpty, let (request, database) = message.faultable(from: sender),
      case .faulty(let exchange) = faults.verdict(
        on: request, from: sender.caller, called: sender.names, in: database, using: &generator)
    else { return submit(message, from: sender, at: now, room: room, using: &generator) }
    return pass(FaultedMessage(message, exchange), from: sender, at: now, room: room, using: &generator)
  }

  /// Submits a message as often as its faults say. The last application is answered.
  mutating func pass(
    _ faulted: FaultedMessage, from sender: CloudSender, at now: Moment, room: Int,
    using generator: inout some RandomNumberGenerator
  ) -> CloudReception {
    guard let passed = faulted.message else { return refuse(with: nil, faulted, at: now) }
    var earlier = CloudReception(ticket: Ticket(0))
    for _ in 1..<faulted.applications {
      let reception = submit(passed, from: sender, at: now, room: room, faulted, isLast: false, using: &generator)
      earlier.cost += reception.cost
      earlier.preparations += reception.preparations
    }
    var reception = submit(passed, from: sender, at: now, room: room, faulted, using: &generator)
    reception.cost += earlier.cost
    reception.preparations = earlier.preparations + reception.preparations
    reception.faults = faulted.faults
    return reception
  }

  /// Answers a message that is not submitted.
  mutating func refuse(with answer: CloudAnswer?, _ faulted: FaultedMessage?, at now: Moment) -> CloudReception {
    let ticket = nextTicket()
    return CloudReception(
      ticket: ticket, reply: reply(to: ticket, answer, faulted, at: now), faults: faulted?.faults ?? [])
  }

  /// A message arrived that no fault hits.
  package mutating func submit(
    _ message: CloudMessage, from sender: CloudSender, at now: Moment, room: Int = AnswerSize.limit,
    using generator: inout some RandomNumberGenerator
  ) -> CloudReception {
    submit(message, from: sender, at: now, room: room, nil, using: &generator)
  }

  private mutating func submit(
    _ message: CloudMessage, from sender: CloudSender, at now: Moment, room: Int, _ faulted: FaultedMessage?,
    isLast: Bool = true, using generator: inout some RandomNumberGenerator
  ) -> CloudReception {
    let arrival = Arrival(ticket: nextTicket(), sender: sender, at: now, room: room, faulted: faulted)
    var reception = CloudReception(ticket: arrival.ticket)
    let step: Step
    switch begin(message, arrival, using: &generator) {
    case .answered(let answer):
      reception.reply = reply(to: arrival.ticket, answer, faulted, at: now)
      return reception
    case .submitted(let next, let cost): (step, reception.cost) = (next, cost)
    case .prepares(let next, let preparation): (step, reception.preparations) = (next, [preparation])
    }
    waiting[arrival.ticket] = Waiting(step: step, faulted: faulted, isLast: isLast)
    return reception
  }

  /// The part that serves the documents of an app.
  mutating func server(of app: DocumentApp) -> DocumentServer {
    let server = documents[app.name] ?? DocumentServer(app: app)
    documents[app.name] = server
    return server
  }

  func reply(
    to ticket: Ticket, _ response: CloudAnswer?, _ faulted: FaultedMessage?, at now: Moment
  ) -> CloudReply {
    guard let faulted else { return CloudReply(ticket: ticket, answer: response, response: response) }
    return CloudReply(
      ticket: ticket, answer: faulted.answer(to: response, at: now.wall), response: response,
      delayMilliseconds: faulted.delayMilliseconds)
  }

  // MARK: The end of a turn

  /// Commits the changes of the messages of this turn, and then those that effects of the commit led to. Returns the
  /// effects, each for `perform`; nothing if there was nothing to do. Between two effects the process can die.
  ///
  /// The accounts are committed before the rows and the zones, and none of the turn's changes is kept if that fails, so that
  /// no row is kept without its claim or its account.
  package mutating func commit(using generator: inout some RandomNumberGenerator) -> [TurnEffect] {
    let failure = tables?.store.commit()
    let relations = tables?.relations?.endTurn(after: failure) ?? []
    let accounts = tables?.answers(failure) ?? []
    return zones.endTurn(refusing: failure, using: &generator).map { .zones($0) } + relations + accounts
  }

  /// Carries out an effect of the commit inside of the process. Returns what is left to the driver.
  package mutating func perform(
    _ effect: TurnEffect, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [CloudProcessEffect] {
    switch effect {
    case .zones(.answer(let ticket, let response)): return replies(to: ticket, .call(response), at: now)
    case .zones(.transacted(let ticket, let result)): return finish(ticket, result, at: now)
    case .zones(.notify(let notice)):
      gateway.notify(notice, using: &generator)
      return []
    case .zones(.registered(let registration, let database)):
      return register(registration, in: database, at: now, using: &generator)
    case .zones(.unregistered(let token)): return gateway.unregister(token: token).map { .push($0) }
    case .zones(.fact(let fact)): return [.fact(fact)]
    case .relation(let ticket, let result, let changes):
      tables?.relations?.tell(changes, at: now.wall)
      return replies(to: ticket, .relation(result), at: now)
    case .object(let ticket, let response, let unused, let upload):
      if case .object = response, let upload { tables?.bytes.stored(upload) }
      if let database = tables?.objectDatabase { tables?.bytes.released(unused, in: database) }
      return replies(to: ticket, .object(response), at: now)
    case .relationsChanged(let changes):
      tables?.relations?.tell(changes, at: now.wall)
      return []
    case .account(let ticket, let response): return finish(ticket, response, at: now, using: &generator)
    }
  }

  /// The readings for which the turn has no time. The effect of each is passed to `perform`.
  package mutating func takeLongReadings() -> [LongReading] { zones.takeLongReadings() }

  /// The result of a transaction arrived. Returns what is left to the driver.
  package mutating func finish(_ ticket: Ticket, _ result: TransactionResult, at now: Moment) -> [CloudProcessEffect] {
    switch waiting[ticket]?.step {
    case .documents(let app, _)?:
      documents[app]?.keep(result)
      guard let server = documents[app] else { return [] }
      return replies(to: ticket, .documents(server.answer(to: result)), at: now)
    case .documentPurge(let app)?:
      documents[app]?.keep(result)
      guard let server = documents[app] else { return [] }
      return replies(to: ticket, .purged(server.purgeReport(of: result)), at: now)
    case .registration(let users, let database)?:
      finishRegistration(of: users, in: database, ticket, result)
      return []
    case .call?, nil: return []
    case let step?: return finish(step, ticket, result, at: now)
    }
  }

  /// The answer to the message with that ticket is made. Returns the reply, if the sender gets this answer.
  mutating func replies(to ticket: Ticket, _ answer: CloudAnswer, at now: Moment) -> [CloudProcessEffect] {
    guard let waiting = waiting.removeValue(forKey: ticket), waiting.isLast else { return [] }
    return [.reply(reply(to: ticket, answer, waiting.faulted, at: now))]
  }
}
