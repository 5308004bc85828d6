import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitWire

/// Requests of apps with documents. The coordinator's requests are said in the protocol of documents, and its answers in
/// the coordinator's words.
extension World {
  /// How requests of a device reach the cloud; nil if its app has no documents.
  func documentPassage(of visit: CloudVisit) -> DocumentPassage? {
    devices[visit.device].app.documents.map {
      DocumentPassage(app: $0, caller: visit.caller, carriesMessages: options.carriesMessages)
    }
  }

  /// Passes a request for documents to the cloud with the faults that hit it, and answers it if that needs no commit.
  mutating func arrive(
    _ asked: DocumentRequest, of visit: CloudVisit, over passage: DocumentPassage, from device: Caller,
    in database: DatabaseID
  ) {
    var exchange: FaultyExchange?
    var faulty: FaultyDocumentExchange?
    if case .faulty(let hit) = verdict(on: asked.cloudRequest(of: passage.app), from: device, in: database) {
      (exchange, faulty) = (hit, FaultyDocumentExchange(asked, hit, of: passage.app))
    }
    var response: DocumentResponse?
    if let request = faulty.map(\.request) ?? asked {
      response = cloud.take(request, of: visit, exchange, faulty, app: passage.app, at: wall)
      if response == nil { return }
    }
    answer(visit, response, exchange, faulty, over: passage)
  }

  /// Answers a request for documents whose transaction is done.
  mutating func answer(_ visited: SimulatedCloud.Visited, _ result: TransactionResult) {
    guard let passage = documentPassage(of: visited.visit) else { return }
    let response = cloud.answer(to: result, app: passage.app)
    answer(visited.visit, response, visited.exchange, visited.documents, over: passage)
  }

  private mutating func answer(
    _ visit: CloudVisit, _ response: DocumentResponse?, _ exchange: FaultyExchange?, _ faulty: FaultyDocumentExchange?,
    over passage: DocumentPassage
  ) {
    let answered = if let faulty { faulty.answer(to: response, at: wall) } else { response }
    let read = answered.map { passage.response($0, to: visit.request, damagedBy: &answerDamage) }
    if answerDamage == nil, let answered, let read {
      report(DataSetChecker.finding(answered, readAs: read, on: visit.request), on: visit.device)
    }
    answer(visit, read, exchange)
  }

  /// Sends a message of a client that is none of the devices to a running cloud, without a link. Pushes are sent as usual.
  mutating func serve(_ message: ClientRequest, of app: DocumentApp) -> HTTPResponse {
    let writer = DocumentReplyWriter(app.schema, requestID: MessageCarrier.context.identifier)
    var unharmed: AnswerDamage?
    do throws(DocumentRefusal) {
      let call = try DocumentCall(message.received, app: app, access: .simulated)
      return writer.reply(answer(to: call, of: app)).received(damagedBy: &unharmed)
    } catch {
      return writer.reply(refusing: error).received(damagedBy: &unharmed)
    }
  }

  private mutating func answer(to call: DocumentCall, of app: DocumentApp) -> DocumentResponse {
    endCloudTurn(life: cloud.life)
    switch cloud.documentServer(of: app).receive(call.request, from: call.caller, at: wall) {
    case .answer(let response): return response
    case .submit(let transaction, in: let database, from: let sender):
      let ticket = cloud.nextTicket()
      cloud.server.transact(transaction, ticket: ticket, in: database, from: sender, at: wall, using: &cloud.generator)
      for case .transacted(ticket, let result) in carryOutForeignTurn() { return cloud.answer(to: result, app: app) }
      return .refused(DocumentError(.internal, "the cloud did not answer"))
    }
  }

  /// Takes in that a request begins deleted zones anew. To a device that has not seen the deletion of its documents that
  /// is a loss of the server's files, so it offers all that it holds.
  mutating func noteBegun(by request: CloudRequest, of account: Name) {
    guard case .modifyZones(let operations) = request,
      devices.contains(where: { $0.account == account && $0.app.documents != nil })
    else { return }
    let database = database(of: account)
    for case .create(let zone) in operations {
      let header = (try? cloud.server.store.zone(ZoneKey(database: database, zoneName: zone.zoneName))) ?? nil
      guard header?.isDeleted == true else { continue }
      let holders = devices.map(\.snapshot)
      check(account) { $0.returned.zoneIsLost(zone, of: account, heldBy: holders) }
    }
  }
}

extension SimulatedCloud {
  /// The part that serves the documents of an app.
  func documentServer(of app: DocumentApp) -> DocumentServer { documents[app.name] ?? DocumentServer(app: app) }

  /// The answer to a request for documents whose transaction has that result.
  mutating func answer(to result: TransactionResult, app: DocumentApp) -> DocumentResponse {
    var server = documentServer(of: app)
    documents[app.name] = nil
    server.keep(result)
    documents[app.name] = server
    return server.answer(to: result)
  }

  /// Takes in a request for documents, as often as faults make it arrive. Returns an answer that needs no commit; nil if the
  /// answer comes at the end of the turn.
  mutating func take(
    _ request: DocumentRequest, of visit: World.CloudVisit, _ exchange: FaultyExchange?,
    _ faulty: FaultyDocumentExchange?, app: DocumentApp, at wall: WallTime
  ) -> DocumentResponse? {
    let documents = documentServer(of: app)
    let count = faulty?.applications ?? 1
    for number in 1...count {
      let reception = documents.receive(
        request, from: visit.caller, at: wall, visibleDelay: faulty?.visibleDelayMilliseconds ?? 0)
      switch reception {
      case .answer(let response): return response
      case .submit(let transaction, in: let database, from: let sender):
        let ticket = nextTicket()
        turn.append(
          Visited(ticket: ticket, visit: visit, exchange: exchange, documents: faulty, isLast: number == count))
        server.transact(transaction, ticket: ticket, in: database, from: sender, at: wall, using: &generator)
      }
    }
    return nil
  }
}
