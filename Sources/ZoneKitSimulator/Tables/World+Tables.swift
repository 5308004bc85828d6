import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitTableClient
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitTimeline
import ZoneKitWire

/// Requests of devices for tables, the turns of the cloud that serve them, and the channels.
extension World {
  /// A request of a device for rows or to the accounts, on its way to the cloud.
  struct TableVisit {
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
    enum Ask: Equatable {
      case rows(RowRequest, RowDemands)
      case function(String, JSON)
      case account(AccountRequest)
      case object(PhotoTransfer)
    }
  }

  /// The answer to a request of a device for tables.
  enum TableAnswer {
    case rows(RowOutcome)
    case function(FunctionOutcome)
    case account(AccountResponse)
    case object(ObjectOutcome)
    /// The request did not arrive, or its answer was lost.
    case failed(TableVisit.Ask, CloudError)

    /// Whether the service may have carried out the request, and the device does not have its answer.
    var isLost: Bool { if case .failed(_, let error) = self { error.code != .networkUnavailable } else { false } }
  }
}

// MARK: - At the cloud

extension World {
  mutating func arrive(_ visit: TableVisit) {
    guard cloud.isRunning, cloud.tables != nil else {
      return fail(visit, CloudError(.networkUnavailable, "nobody listens there"))
    }
    let isFirst = !cloud.process.hasWaiting
    take(visit)
    if isFirst, cloud.process.hasWaiting { queue.add(.cloudTurn(life: cloud.life), at: now) }
  }

  /// Takes a request into the turn, or answers it at once.
  private mutating func take(_ visit: TableVisit) {
    let faults = faults(on: visit)
    if let faults { note(.cloud, .fault, cloud.names(of: faults.faults) + ": " + visit.ask.words) }
    switch visit.ask {
    case .account(let request):
      let exchange = faults.map { FaultyAccountExchange($0) }
      let waiting = SimulatedTables.Waiting(visit: visit, faults: faults, account: exchange)
      let count = exchange?.applications ?? 1
      guard count > 0 else { return answer(waiting, account: nil) }
      for number in 1...count { take(request, waiting, isLast: number == count) }
    case .rows(let sent, let demanded):
      guard let schema = cloud.tables?.app.schema else { return }
      var waiting = SimulatedTables.Waiting(visit: visit, faults: faults)
      let request: RowRequest
      let demands: RowDemands
      do throws(RowError) {
        waiting.messages = try messages(of: visit, sent, demanded)
        (request, demands) = waiting.messages?.asked ?? (sent, demanded)
      } catch {
        return answer(waiting, rows: .refused(error))
      }
      let exchange = faults.map { FaultyRowExchange(request, $0, schema: schema, at: wall) }
      waiting.rows = exchange
      guard let caller = caller(of: waiting) else { return }
      guard let asked = exchange.map(\.request) ?? request else { return answer(waiting, rows: nil) }
      if case .account(let account) = caller.role { noteDatabase(of: account) }
      let count = faults?.applications ?? 1
      for number in 1...count { take(asked, demands, from: caller, waiting, isLast: number == count) }
    case .function(let name, let argument):
      let exchange = faults.map { FaultyFunctionExchange($0) }
      let waiting = SimulatedTables.Waiting(visit: visit, faults: faults, function: exchange)
      guard let caller = caller(of: waiting) else { return }
      let count = exchange?.applications ?? 1
      guard count > 0 else { return answer(waiting, function: nil) }
      let message = CloudMessage.function(name, argument: argument.bytes())
      for number in 1...count { submit(message, from: caller, waiting, isLast: number == count) }
    case .object(let transfer):
      let exchange = faults.map { FaultyObjectExchange($0) }
      let waiting = SimulatedTables.Waiting(visit: visit, faults: faults, object: exchange)
      guard let caller = caller(of: waiting) else { return }
      let count = exchange?.applications ?? 1
      guard count > 0 else { return answer(waiting, transfer, nil) }
      for number in 1...count { take(transfer, from: caller, waiting, isLast: number == count) }
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

  /// A request to the accounts arrived. The device gets the answer to the last application of a request.
  private mutating func take(_ request: AccountRequest, _ waiting: SimulatedTables.Waiting, isLast: Bool) {
    var judging = cloudMoment
    judging.wall = judging.wall.advanced(byMilliseconds: waiting.faults?.tokenSkew ?? 0)
    let event = cloud.event(of: request, token: waiting.visit.token, at: judging)
    submit(.account(event), from: RowCaller(.anonymous), waiting, isLast: isLast)
  }

  /// A request for rows arrived. The device gets the answer to the last application of a request.
  private mutating func take(
    _ request: RowRequest, _ demands: RowDemands, from caller: RowCaller, _ waiting: SimulatedTables.Waiting,
    isLast: Bool
  ) {
    let usual = cloud.process.tables?.rows.limits ?? RowLimits()
    let limits = waiting.rows.map { $0.limits(usual) }
    submit(.rows(request, demands, limits: limits), from: caller, waiting, isLast: isLast)
  }

  /// A request for an object arrived. The bytes of an upload are on the disk first. The device gets the answer to the last
  /// application of a request.
  private mutating func take(
    _ transfer: PhotoTransfer, from caller: RowCaller, _ waiting: SimulatedTables.Waiting, isLast: Bool
  ) {
    guard let request = cloud.tables?.request(transfer) else { return }
    if case .upload = transfer {
      switch cloud.process.place(ofUpload: request, from: caller) {
      case .success(let place): cloud.tables?.keep(place)
      case .failure(let error):
        if isLast { answer(waiting, transfer, .refused(error)) }
        return
      }
    }
    submit(.object(request), from: caller, waiting, isLast: isLast)
  }

  /// A message that the process put off goes on.
  mutating func resume(_ ticket: Ticket, life: Int) {
    guard cloud.isRunning, cloud.life == life else { return }
    let isFirst = !cloud.process.hasWaiting
    for effect in cloud.process.resume(ticket, at: cloudMoment, using: &cloud.generator) { carryOut(effect) }
    if isFirst, cloud.process.hasWaiting { queue.add(.cloudTurn(life: cloud.life), at: now) }
  }

  /// Passes a message to the process, and answers it if that needs no commit.
  private mutating func submit(
    _ message: CloudMessage, from caller: RowCaller, _ waiting: SimulatedTables.Waiting, isLast: Bool
  ) {
    let reception = cloud.process.submit(
      message, from: CloudSender(caller), at: cloudMoment, using: &cloud.generator)
    guard isLast else { return }
    if let reply = reception.reply {
      answer(waiting, reply.answer)
    } else {
      cloud.tables?.turn[reception.ticket] = waiting
    }
  }

  /// The faults that hit a request; nil for none. They identify a device by its name in the simulation, because its
  /// device ID may change.
  private mutating func faults(on visit: TableVisit) -> RequestFaults? {
    guard let tables = cloud.tables, !cloud.process.faults.entries.isEmpty else { return nil }
    let claims = visit.token.flatMap { try? cloud.verdict(on: $0, at: wall).get() }
    let account = claims?.account
    let users = FaultSubject.users(account, email: account.flatMap { cloud.email(of: $0) })
    let device = devices[visit.device].name
    let subject: FaultSubject? =
      switch visit.ask {
      case .rows(let request, _):
        FaultSubject(request, users: users, deviceID: device, schema: tables.app.schema)
      case .function: FaultSubject(.callFunction, users: users, deviceID: device)
      case .account(let request): FaultSubject(request, users: users, deviceID: device)
      case .object(let transfer):
        FaultSubject(
          transfer.kind, paths: [transfer.path], in: tables.app.bucket?.name ?? "", users: users, deviceID: device)
      }
    return subject.flatMap { cloud.process.faults.faults(on: $0, using: &cloud.generator) }
  }

  /// The present time of the cloud.
  var cloudMoment: Moment { Moment(wall: wall, monotonic: now) }

  /// An account's database is asked for.
  private mutating func noteDatabase(of account: UUID) {
    guard let database = cloud.tables?.app.database(of: account), !cloud.databases.contains(database) else { return }
    cloud.databases.append(database)
  }

  /// Who sends a request for rows or objects. Answers it and returns nil if its token is not accepted.
  private mutating func caller(of waiting: SimulatedTables.Waiting) -> RowCaller? {
    let visit = waiting.visit
    let clock = wall.advanced(byMilliseconds: waiting.faults?.tokenSkew ?? 0)
    guard let token = visit.token else {
      return RowCaller(.anonymous, deviceID: devices[visit.device].coordinator.deviceID)
    }
    switch cloud.verdict(on: token, at: clock) {
    case .success(let claims):
      let role: RowCaller.Role = claims.account.map { .account($0) } ?? .anonymous
      return RowCaller(role, deviceID: devices[visit.device].coordinator.deviceID)
    case .failure(.expired):
      refuse(waiting, RowError(.expiredToken, "JWT expired"))
    case .failure(let problem):
      refuse(waiting, RowError(.invalidToken, problem.text))
    }
    return nil
  }

  /// Refuses the token of a request for rows or objects.
  private mutating func refuse(_ waiting: SimulatedTables.Waiting, _ error: RowError) {
    switch waiting.visit.ask {
    case .object(let transfer): answer(waiting, transfer, .refused(.invalidToken))
    case .function: answer(waiting, function: .refused(ServiceRefusal(401, code: error.code, error.message)))
    case .rows, .account: answer(waiting, rows: .refused(error))
    }
  }

  // MARK: Answers

  /// Sends the answer of the process to a request.
  mutating func answer(_ waiting: SimulatedTables.Waiting, _ given: CloudAnswer?) {
    switch (waiting.visit.ask, given) {
    case (.rows, .rows(let response)?): answer(waiting, rows: response)
    case (.account, .account(let response)?):
      if case .session(let grant) = response { noteDatabase(of: grant.account.id) }
      answer(waiting, account: response)
    case (.object(let transfer), .object(let response)?): answer(waiting, transfer, response)
    case (.function, .function(let result)?): answer(waiting, function: FunctionOutcome(result))
    case (.rows, _), (.account, _), (.object, _), (.function, _): send(nil, to: waiting)
    }
  }

  private mutating func answer(_ waiting: SimulatedTables.Waiting, rows response: RowResponse?) {
    let answer = waiting.rows.map { $0.answer(to: response) } ?? response
    if case .rows(let request, _) = waiting.visit.ask, let table = cloud.tables?.table(of: request) {
      let account = waiting.visit.token.flatMap { SimulatedTables.account(ofToken: $0) }
      if let answer { report(TableChecker.finding(in: answer, of: table, to: account)) }
      // Also if the answer is lost.
      if let response { report(checkers.repeats.answered(request, of: table, with: response, to: account)) }
    }
    send(answer.map { .rows(outcome(of: $0, over: waiting.messages)) }, to: waiting)
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

  private mutating func answer(_ waiting: SimulatedTables.Waiting, function outcome: FunctionOutcome?) {
    let answer = waiting.function.map { $0.answer(to: outcome) } ?? outcome
    send(answer.map { .function($0) }, to: waiting)
  }

  private mutating func answer(_ waiting: SimulatedTables.Waiting, account response: AccountResponse?) {
    let answer = waiting.account.map { $0.answer(to: response) } ?? response
    send(answer.map { .account($0) }, to: waiting)
  }

  private mutating func answer(
    _ waiting: SimulatedTables.Waiting, _ transfer: PhotoTransfer, _ response: ObjectResponse?
  ) {
    let answer = waiting.object.map { $0.answer(to: response) } ?? response
    let outcome = answer.flatMap { cloud.tables?.outcome(of: transfer, $0) }
    if case .upload(let record, _, _) = transfer, let outcome {
      checkers.photos.answered(outcome, to: record, on: waiting.visit.device)
    }
    send(outcome.map { .object($0) }, to: waiting)
  }

  /// Reports a finding about the service, or about that device, if there is one.
  mutating func report(_ finding: Finding?, on device: Int? = nil) {
    guard let finding else { return }
    checkers.report(Violation(finding.rule, at: now, on: device.map { devices[$0].name }, finding.text))
  }

  /// Sends an answer; none at all if it is nil.
  private mutating func send(_ answer: TableAnswer?, to waiting: SimulatedTables.Waiting) {
    let visit = waiting.visit
    guard let answer else {
      let arrow = Arrow(.answer, from: .cloud, to: .device(visit.device), "no answer", .dies(now, "lost"))
      trace.add(TraceEvent(at: now, .arrow(arrow)))
      if happens(links[visit.device].toldLosses) {
        fail(visit, CloudError(.serverResponseLost, "the answer was cut off"))
      }
      return
    }
    if let delay = waiting.faults?.delayMilliseconds, delay > 0 {
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
    if isTold == true { fail(visit, CloudError(.serverResponseLost, "the answer was cut off")) }
  }

  /// Answers a device's request with an error of its connection.
  mutating func fail(_ visit: TableVisit, _ error: CloudError) {
    let due = now.advanced(byMilliseconds: draw(links[visit.device].down.delay))
    queue.add(
      .tables(.answer(device: visit.device, life: visit.life, id: visit.id, .failed(visit.ask, error))), at: due)
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
