import ZoneKitCloud
import ZoneKitCloudProcess
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

  /// What a device reads in an answer to its request for documents.
  mutating func read(_ response: DocumentResponse, by visit: CloudVisit) -> CloudResponse? {
    guard let passage = documentPassage(of: visit) else { return nil }
    let read = passage.response(response, to: visit.request, damagedBy: &answerDamage)
    if answerDamage == nil {
      report(DataSetChecker.finding(response, readAs: read, on: visit.request), on: visit.device)
    }
    return read
  }

  /// Sends a message of a client that is not one of the devices to a running cloud, without a link. Pushes are sent as usual.
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
    if case .documents(let response)? = serve(.documents(call.request, of: app), from: CloudSender(call.caller)) {
      return response
    }
    return .refused(DocumentError(.internal, "the cloud did not answer"))
  }

  /// Removes for good what users deleted, and conflicts and tombstones, of all accounts with documents, if they are older
  /// than that many milliseconds.
  mutating func purgeDocuments(olderThan milliseconds: Int64) {
    for account in cloudAccounts {
      guard let app = app(of: account), let documentApp = app.documents else { continue }
      let before = heldIDs(in: app.zones, of: account)
      let purge = DocumentPurge(
        deleted: milliseconds, conflicts: milliseconds, tombstones: milliseconds, isDryRun: false, at: wall)
      check(account) { $0.journalPurged(of: account) }
      _ = serve(.purge(purge, of: documentApp, account: account), from: CloudSender(Caller(user: account)))
      let gone = before.subtracting(heldIDs(in: app.zones, of: account))
      check(account) { checkers in for document in gone { checkers.model.excuse(document) } }
    }
  }

  /// A request begins deleted zones anew. To a device that has not seen the deletion of its documents that is a loss of
  /// the server's files, so it offers all that it holds.
  mutating func noteBegun(by request: CloudRequest, of account: Name) {
    guard case .modifyZones(let operations) = request,
      devices.contains(where: { $0.account == account && $0.app.documents != nil })
    else { return }
    let database = database(of: account)
    for case .create(let zone) in operations {
      let header = (try? cloud.process.zones.store.zone(ZoneKey(database: database, zoneName: zone.zoneName))) ?? nil
      guard header?.isDeleted == true else { continue }
      let holders = devices.map(\.snapshot)
      check(account) { $0.returned.zoneIsLost(zone, of: account, heldBy: holders) }
    }
  }
}
