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

  /// The cloud's answer to a request that a transaction carried out; nil if the app has no documents.
  mutating func response(to visited: SimulatedCloud.Visited, _ result: TransactionResult) -> CloudResponse? {
    guard let passage = documentPassage(of: visited.visit) else { return nil }
    let answer = DocumentServer(app: passage.app).answer(to: result)
    let request = visited.exchange?.request ?? visited.visit.request
    return passage.response(answer, to: request, damagedBy: &answerDamage)
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
    let server = DocumentServer(app: app)
    switch server.receive(call.request, from: call.caller, at: wall) {
    case .answer(let response): return response
    case .submit(let transaction, in: let database, from: let sender):
      let ticket = cloud.nextTicket()
      cloud.server.transact(transaction, ticket: ticket, in: database, from: sender, at: wall, using: &cloud.generator)
      for case .transacted(ticket, let result) in carryOutForeignTurn() { return server.answer(to: result) }
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
  /// What the cloud does with a request of an app with documents.
  enum DocumentReception {
    /// It answers at once.
    case answer(CloudResponse)
    /// It answers at the end of the turn.
    case wait
    /// The request is one of CloudKit's protocol.
    case other
  }

  /// Takes in a request of an app with documents.
  mutating func receive(
    _ request: CloudRequest, over passage: DocumentPassage, ticket: Ticket, from caller: Caller, at wall: WallTime
  ) -> DocumentReception {
    switch passage.step(for: request) {
    case .other: return .other
    case .answer(let response): return .answer(response)
    case .ask(let asked):
      switch DocumentServer(app: passage.app).receive(asked, from: caller, at: wall) {
      case .answer(let response):
        var unharmed: AnswerDamage?
        return .answer(passage.response(response, to: request, damagedBy: &unharmed))
      case .submit(let transaction, in: let database, from: let sender):
        server.transact(transaction, ticket: ticket, in: database, from: sender, at: wall, using: &generator)
        return .wait
      }
    }
  }
}
