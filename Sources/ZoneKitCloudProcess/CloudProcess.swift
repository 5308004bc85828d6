import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitPush
import ZoneKitRecords
import ZoneKitTables

/// The cloud's process: the zone server, the documents, the push service and the faults over one store.
///
/// A driver passes messages to `receive`. At the end of a turn it calls `commit` until that returns nothing, passes each
/// effect of a commit to `perform`, and then calls `sendPushes`. It carries out everything that these return, in order. A
/// process that dies loses everything but the store; a new one over that store begins with `restoreRegistrations`.
package struct CloudProcess<Store: ZoneStore> {
  /// The zone server. Its store is the cloud's disk.
  package var zones: ZoneServer<Store>
  /// The push service.
  package var gateway: PushGateway
  /// The faults of messages.
  package var faults = FaultPlan()
  /// The app whose rows lie in zones; nil if there is none.
  package var tables: TableApp?
  /// The parts that serve documents, by the names of their apps.
  private var documents: [String: DocumentServer] = [:]
  /// What is known of the messages of this turn, by their tickets.
  private var waiting: [Ticket: Waiting] = [:]
  private var lastTicket = 0
  /// The registrations that are still to be restored.
  var restoring = Restoring()

  /// A message whose reply comes with the commit.
  private struct Waiting {
    /// What faults do to the answer; nil for nothing.
    var faulted: FaultedMessage?
    /// Whether the sender gets the answer of this application of the message.
    var isLast = true
    /// What is asked of documents, and the name of their app; nil for another message.
    var documents: (app: String, isPurge: Bool)?
  }

  /// A process over that store.
  package init(store: Store, limits: Limits, policy: PushGateway.Policy, tables: TableApp? = nil) {
    zones = ZoneServer(store: store, limits: limits)
    gateway = PushGateway(policy: policy)
    self.tables = tables
  }

  /// A ticket that no message had before.
  package mutating func nextTicket() -> Ticket {
    lastTicket += 1
    return Ticket(lastTicket)
  }

  // MARK: Messages

  /// A message arrived. The faults that hit it change it, and the process refuses what it may not get. `room` is the
  /// number of bytes that the answer may have.
  package mutating func receive(
    _ message: CloudMessage, from sender: CloudSender, at now: Moment, room: Int = AnswerSize.limit,
    using generator: inout some RandomNumberGenerator
  ) -> CloudReception {
    if let error = refusal(of: message, from: sender.caller) {
      let ticket = nextTicket()
      return CloudReception(ticket: ticket, reply: reply(to: ticket, .call(.failure(error)), nil, at: now))
    }
    guard !faults.isEmpty, let (request, database) = message.faultable(from: sender.caller.user),
      case .faulty(let exchange) = faults.verdict(
        on: request, from: sender.caller, called: sender.names, in: database, using: &generator)
    else { return submit(message, from: sender.caller, at: now, room: room, using: &generator) }
    let faulted = FaultedMessage(message, exchange)
    guard let passed = faulted.message else {
      let ticket = nextTicket()
      return CloudReception(
        ticket: ticket, reply: reply(to: ticket, nil, faulted, at: now), faults: faulted.faults)
    }
    var cost = TurnCost()
    for _ in 1..<faulted.applications {
      cost +=
        submit(
          passed, from: sender.caller, at: now, room: room, faulted, isLast: false, using: &generator
        ).cost
    }
    var reception = submit(passed, from: sender.caller, at: now, room: room, faulted, using: &generator)
    reception.cost += cost
    reception.faults = faulted.faults
    return reception
  }

  /// A message arrived that no fault hits.
  package mutating func submit(
    _ message: CloudMessage, from caller: Caller, at now: Moment, room: Int = AnswerSize.limit,
    using generator: inout some RandomNumberGenerator
  ) -> CloudReception {
    submit(message, from: caller, at: now, room: room, nil, using: &generator)
  }

  private mutating func submit(
    _ message: CloudMessage, from caller: Caller, at now: Moment, room: Int, _ faulted: FaultedMessage?,
    isLast: Bool = true, using generator: inout some RandomNumberGenerator
  ) -> CloudReception {
    let ticket = nextTicket()
    var reception = CloudReception(ticket: ticket)
    var waiting = Waiting(faulted: faulted, isLast: isLast)
    switch message {
    case .call(let request, let database):
      reception.cost = zones.receive(
        request, ticket: ticket, in: database, from: caller, at: now.wall, visibleDelay: faulted?.visibleDelay,
        room: room, using: &generator)
    case .documents(let request, let app):
      waiting.documents = (app.name, isPurge: false)
      switch server(of: app).receive(request, from: caller, at: now.wall, visibleDelay: faulted?.visibleDelay ?? 0) {
      case .answer(let response):
        reception.reply = reply(to: ticket, .documents(response), faulted, at: now)
        return reception
      case .submit(let transaction, in: let database, from: let sender):
        reception.cost = zones.transact(
          transaction, ticket: ticket, in: database, from: sender, at: now.wall, room: room, using: &generator)
      }
    case .purge(let purge, let app, let account):
      waiting.documents = (app.name, isPurge: true)
      let (transaction, database, sender) = server(of: app).purging(purge, of: account, at: now.wall)
      zones.transact(transaction, ticket: ticket, in: database, from: sender, at: now.wall, using: &generator)
      for operation in server(of: app).forgettings(after: purge) {
        // One of a zone that does not exist fails, which means nothing.
        zones.administer(
          operation, ticket: nextTicket(), in: database, from: sender, at: now.wall, using: &generator)
      }
    case .administration(let operation, let database):
      zones.administer(operation, ticket: ticket, in: database, from: caller, at: now.wall, using: &generator)
    }
    self.waiting[ticket] = waiting
    return reception
  }

  /// The part that serves the documents of an app.
  private mutating func server(of app: DocumentApp) -> DocumentServer {
    let server = documents[app.name] ?? DocumentServer(app: app)
    documents[app.name] = server
    return server
  }

  private func reply(
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
  package mutating func commit(using generator: inout some RandomNumberGenerator) -> [CloudEffect] {
    zones.endTurn(using: &generator)
  }

  /// Carries out an effect of the commit inside of the process. Returns what is left to the driver.
  package mutating func perform(
    _ effect: CloudEffect, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [CloudProcessEffect] {
    switch effect {
    case .answer(let ticket, let response): return replies(to: ticket, .call(response), at: now)
    case .transacted(let ticket, let result):
      guard let asked = waiting[ticket]?.documents else { return [.transacted(ticket, result)] }
      documents[asked.app]?.keep(result)
      guard let server = documents[asked.app] else { return [] }
      let answer: CloudAnswer =
        asked.isPurge ? .purged(server.purgeReport(of: result)) : .documents(server.answer(to: result))
      return replies(to: ticket, answer, at: now)
    case .notify(let notice):
      gateway.notify(notice, using: &generator)
      return []
    case .registered(let registration, let database):
      return register(registration, in: database, at: now, using: &generator)
    case .unregistered(let token): return gateway.unregister(token: token).map { .push($0) }
    case .fact(let fact): return [.fact(fact)]
    }
  }

  private mutating func replies(
    to ticket: Ticket, _ response: CloudAnswer, at now: Moment
  ) -> [CloudProcessEffect] {
    guard let waiting = waiting.removeValue(forKey: ticket), waiting.isLast else { return [] }
    return [.reply(reply(to: ticket, response, waiting.faulted, at: now))]
  }
}
