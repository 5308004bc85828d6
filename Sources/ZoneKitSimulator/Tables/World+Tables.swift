import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTableClient
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitTimeline
import ZoneKitWire

/// Requests of devices for tables, the turns of the cloud that serve them, and the channels.
extension World {
  /// A request of a device for rows or to the accounts, on its way to the cloud.
  package struct TableVisit {
    var device: Int
    var life: Int
    /// The device's number of the request.
    var id: UInt64
    var ask: Ask
    /// The access token in the request; nil for none.
    var token: String?
    /// Whether it is the second copy of a request that a link duplicated.
    var isRepeat = false

    /// What is asked.
    package enum Ask: Equatable, Sendable {
      case rows(RowRequest, RowDemands)
      case relations(RelationRequest)
      case function(String, JSON)
      case account(AccountRequest)
      case object(PhotoTransfer)
    }
  }

  /// The answer to a request of a device for tables.
  package enum TableAnswer: Sendable {
    case rows(RowOutcome)
    case relations(RelationOutcome)
    case function(FunctionOutcome)
    case account(AccountResponse)
    case object(ObjectOutcome)
    /// The request did not arrive, or its answer was lost.
    case failed(TableVisit.Ask, MissingAnswer)

    /// Whether the service may have carried out the request, and the device does not have its answer.
    var isLost: Bool { if case .failed(_, .answerLost) = self { true } else { false } }
  }
}

// MARK: - At the cloud

extension World {
  mutating func arrive(_ visit: TableVisit) {
    guard cloud.isRunning, cloud.tables != nil else {
      return fail(visit, .notSent("nobody listens there"))
    }
    let isFirst = !cloud.process.hasWaiting
    take(visit)
    if isFirst, cloud.process.hasWaiting { queue.add(.cloudTurn(life: cloud.life), at: now) }
  }

  /// Passes a request to the process, and answers it if that needs no commit.
  private mutating func take(_ visit: TableVisit) {
    guard let tables = cloud.tables else { return }
    var waiting = SimulatedTables.Waiting(visit: visit)
    let message: CloudMessage
    switch visit.ask {
    case .account(let request): message = .unverified(request)
    case .rows(let request, let demands): message = read(request, demands, &waiting)
    case .relations(let request): message = read(request, &waiting)
    case .function(let name, let argument): message = .function(name, argument: argument.bytes())
    case .object(let transfer): message = .object(tables.request(transfer))
    }
    let sender = cloud.sender(
      visit.token, asking: message, from: devices[visit.device].coordinator.deviceID)
    if let account = (try? sender.token?.get())?.account { noteDatabase(of: account) }
    let reception = cloud.process.receive(
      message, from: CloudSender(sender), at: cloudMoment, naming: naming(of: visit), using: &cloud.generator)
    if !reception.faults.isEmpty {
      note(.cloud, .fault, cloud.names(of: reception.faults) + ": " + visit.ask.words)
    }
    if let reply = reception.reply { return answer(waiting, reply) }
    cloud.tables?.turn[reception.ticket] = waiting
    for preparation in reception.preparations { prepare(preparation, for: visit) }
  }

  /// Adds the name of a device in the simulation to a subject of faults, because a device ID may change.
  private func naming(of visit: TableVisit) -> (FaultSubject) -> FaultSubject {
    let name = devices[visit.device].name
    return { subject in
      var subject = subject
      subject.devices.append(name)
      return subject
    }
  }

  /// Does what a request needs before it goes on. Passwords and tokens are plain words here.
  private mutating func prepare(_ preparation: CloudPreparation, for visit: TableVisit) {
    let effects: [CloudProcessEffect]
    switch preparation {
    case .store(let ticket, let place):
      cloud.tables?.keep(place)
      effects = cloud.process.stored(ticket, at: cloudMoment, using: &cloud.generator)
    case .verify(let ticket, let request, let time):
      let event = cloud.event(of: request, token: visit.token, at: time)
      effects = cloud.process.verified(ticket, event, at: cloudMoment, using: &cloud.generator)
    }
    for effect in effects { carryOut(effect) }
  }

  /// A request for rows as the cloud reads it.
  private mutating func read(
    _ request: RowRequest, _ demands: RowDemands, _ waiting: inout SimulatedTables.Waiting
  ) -> CloudMessage {
    do throws(RowError) {
      waiting.messages = try messages(of: waiting.visit, request, demands)
    } catch {
      return .unreadableRows(error, table: request.table)
    }
    let (asked, demanded) = waiting.messages?.asked ?? (request, demands)
    return .rows(asked, demanded)
  }

  /// A request for rows of a user's own schema as the cloud reads it. It always travels as a message.
  private func read(_ request: RelationRequest, _ waiting: inout SimulatedTables.Waiting) -> CloudMessage {
    let visit = waiting.visit
    do throws(RowError) {
      let messages = try RelationMessages(
        request, from: devices[visit.device].coordinator.deviceID, token: visit.token)
      waiting.relations = messages
      return .relations(messages.asked)
    } catch {
      return .unreadableRows(error, table: nil)
    }
  }

  /// The messages of a request for rows; nil if it travels as a value. Throws what a cloud answers that cannot read it.
  private mutating func messages(
    of visit: TableVisit, _ request: RowRequest, _ demands: RowDemands
  ) throws(RowError) -> RowMessages? {
    guard writesMessage(), let tables = cloud.tables, let table = tables.table(of: request) else { return nil }
    let messages = try RowMessages(
      request, demands, of: table, in: tables.app.schema, from: devices[visit.device].coordinator.deviceID,
      token: visit.token)
    if messages.asked != (request, demands) {
      report(Finding(.message, "the request \(request), \(demands) is read as \(messages.asked)"))
    }
    return messages
  }

  /// A message that the process put off goes on.
  mutating func resume(_ ticket: Ticket, life: Int) {
    guard cloud.isRunning, cloud.life == life else { return }
    let isFirst = !cloud.process.hasWaiting
    for effect in cloud.process.resume(ticket, at: cloudMoment, using: &cloud.generator) { carryOut(effect) }
    if isFirst, cloud.process.hasWaiting { queue.add(.cloudTurn(life: cloud.life), at: now) }
  }

  /// The present time of the cloud.
  var cloudMoment: Moment { Moment(wall: wall, monotonic: now) }

  /// An account's database is asked for.
  private mutating func noteDatabase(of account: UUID) {
    guard let database = cloud.tables?.app.database(of: account), !cloud.databases.contains(database) else { return }
    cloud.databases.append(database)
  }

  // MARK: Answers

  /// Sends the answer of the process to a request.
  mutating func answer(_ waiting: SimulatedTables.Waiting, _ reply: CloudReply) {
    if case .session(let grant)? = reply.response?.account { noteDatabase(of: grant.account.id) }
    log(reply, to: waiting.visit)
    send(reply.answer.flatMap { read($0, by: waiting) }, to: waiting.visit, after: reply.delayMilliseconds)
  }

  /// Logs an answer with rows, also one that is lost.
  private mutating func log(_ reply: CloudReply, to visit: TableVisit) {
    guard case .rows(let request, _) = visit.ask, let table = cloud.tables?.table(of: request) else { return }
    let account = visit.token.flatMap { SimulatedTables.account(ofToken: $0) }
    log(.rowsAnswered(request, table, carriedOut: reply.response?.rows, sent: reply.answer?.rows, to: account))
  }

  /// What a device reads in an answer; nil if it is one to another request.
  private mutating func read(_ answer: CloudAnswer, by waiting: SimulatedTables.Waiting) -> TableAnswer? {
    switch (waiting.visit.ask, answer) {
    case (.rows, .rows(let response)): return .rows(outcome(of: response, over: waiting.messages))
    case (.relations, .relation(let result)):
      return waiting.relations.map { .relations($0.outcome(result, damagedBy: &answerDamage)) }
    case (.relations, .rows(.refused(let error))): return .relations(.refused(ServiceRefusal(error)))
    case (.account, .account(let response)): return .account(response)
    case (.function, .function(let result)): return .function(FunctionOutcome(result))
    case (.object(let transfer), .object(let response)):
      return (cloud.tables?.outcome(of: transfer, response)).map { .object($0) }
    case (.rows, _), (.relations, _), (.account, _), (.function, _), (.object, _): return nil
    }
  }

  /// What a device reads in an answer.
  private mutating func outcome(of response: RowResponse, over messages: RowMessages?) -> RowOutcome {
    guard let messages, var kept = cloud.tables?.kept else { return RowOutcome(response) }
    let isHarmed = answerDamage != nil
    let read = messages.outcome(response, keeping: &kept, damagedBy: &answerDamage)
    cloud.tables?.kept = kept
    if !isHarmed { report(messages.finding(response, readAs: read)) }
    return options.carriesMessages ? read : RowOutcome(response)
  }

  /// Reports a finding about the service, or about that device, if there is one.
  mutating func report(_ finding: Finding?, on device: Int? = nil) {
    guard let finding else { return }
    checkers.report(Violation(finding.rule, at: now, on: device.map { devices[$0].name }, finding.text))
  }

  /// Sends an answer after that time; none at all if it is nil.
  private mutating func send(_ answer: TableAnswer?, to visit: TableVisit, after delay: Int64) {
    guard let answer else {
      let arrow = Arrow(.answer, from: .cloud, to: .device(visit.device), "no answer", .dies(now, "lost"))
      trace.add(TraceEvent(at: now, .arrow(arrow)))
      if happens(links[visit.device].toldLosses) {
        fail(visit, .answerLost("the answer was cut off"))
      }
      return
    }
    if delay > 0 {
      let due = now.advanced(byMilliseconds: delay)
      let arrow = Arrow(
        .answer, from: .cloud, to: .device(visit.device), answer.words, .arrives(due), traced(TraceDetail(answer)))
      trace.add(TraceEvent(at: now, .arrow(arrow)))
      return queue.add(.tables(.answer(device: visit.device, life: visit.life, id: visit.id, answer)), at: due)
    }
    send(answer, to: visit)
  }

  private mutating func send(_ answer: TableAnswer, to visit: TableVisit) {
    let work = Work.tables(.answer(device: visit.device, life: visit.life, id: visit.id, answer))
    let (text, detail) = (answer.words, traced(TraceDetail(answer)))
    let isTold = send(work, over: LinkWay(device: visit.device, direction: .down)) { fate in
      Arrow(.answer, from: .cloud, to: .device(visit.device), text, fate, detail)
    }
    if isTold == true { fail(visit, .answerLost("the answer was cut off")) }
  }

  /// Answers a device's request with an error of its connection.
  mutating func fail(_ visit: TableVisit, _ missing: MissingAnswer) {
    let due = now.advanced(byMilliseconds: draw(links[visit.device].down.delay))
    queue.add(
      .tables(.answer(device: visit.device, life: visit.life, id: visit.id, .failed(visit.ask, missing))), at: due)
  }
}

extension FunctionOutcome {
  /// What a device reads in the answer of a function.
  fileprivate init(_ result: Result<[UInt8], FunctionError>) {
    switch result {
    case .success(let bytes): self = (try? JSON(parsing: bytes)).map { .value($0) } ?? .failed("the answer is not JSON")
    case .failure(let error): self = .refused(error.asRefusal)
    }
  }
}
