import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords

/// Requests of apps with documents. They travel as the coordinator's requests; at the cloud they are said in the protocol
/// of documents, and its answers in the coordinator's words.
extension World {
  /// The exchange of a device's app; nil if the app has no documents.
  func documentExchange(of visit: CloudVisit) -> DocumentExchange? {
    devices[visit.device].app.documents.map { app in
      DocumentExchange(
        app, user: visit.caller.user, deviceID: visit.caller.deviceID ?? Author.unnamedDevice)
    }
  }

  /// The cloud's answer to a request that a transaction carried out; nil if the app has no documents.
  func response(to visited: SimulatedCloud.Visited, _ result: TransactionResult) -> CloudResponse? {
    guard let exchange = documentExchange(of: visited.visit) else { return nil }
    let answer = DocumentServer(app: exchange.app).answer(to: result)
    return exchange.response(answer, to: visited.exchange?.request ?? visited.visit.request)
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
      checkers.returned.zoneIsLost(zone, of: account, heldBy: devices.map(\.snapshot))
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
    _ request: CloudRequest, over exchange: DocumentExchange, ticket: Ticket, from caller: Caller, at wall: WallTime
  ) -> DocumentReception {
    switch exchange.step(for: request) {
    case .other: return .other
    case .answer(let response): return .answer(response)
    case .ask(let asked):
      switch DocumentServer(app: exchange.app).receive(asked, from: caller, at: wall) {
      case .answer(let response): return .answer(exchange.response(response, to: request))
      case .submit(let transaction, in: let database, from: let sender):
        server.transact(transaction, ticket: ticket, in: database, from: sender, at: wall, using: &generator)
        return .wait
      }
    }
  }
}
