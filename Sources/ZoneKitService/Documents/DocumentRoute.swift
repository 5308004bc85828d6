import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// The route `/sync`: an app's documents.
struct DocumentRoute {
  /// The documents.
  let documents: DocumentService
  /// The cloud, which has the fault plan.
  let zones: ZoneService<CloudFiles>
  /// Finds out who sends a request.
  let access: DocumentAccess
  /// Takes in the facts of requests.
  let journal: ServerJournal

  /// A request with the ways of its reply.
  private struct Asked {
    let call: DocumentCall
    let exchange: HTTPExchange
    let writer: DocumentReplyWriter
    let requestID: String
  }

  /// The route.
  var route: HTTPRoute {
    let busy = DocumentError(
      .unavailable, "the server is busy and has no room for this request now; try again later",
      retryAfterMilliseconds: AnswerSize.retryAfter)
    var route = HTTPRoute(busy: { _ in refusal(busy) }) { serve($0) }
    route.oversized = { refusal(DocumentError(.tooLarge, $1.reason)) }
    route.crossOrigin = .documents
    return route
  }

  /// The reply to a request that is refused before it is read.
  private func refusal(_ error: DocumentError) -> HTTPReply {
    DocumentReplyWriter(documents.app.schema, requestID: Self.identifier()).reply(.refused(error))
  }

  private static func identifier() -> String {
    var generator = SystemGenerator()
    return RandomIdentifier.uuid(using: &generator)
  }

  private func serve(_ exchange: HTTPExchange) {
    let requestID = Self.identifier()
    let writer = DocumentReplyWriter(documents.app.schema, requestID: requestID)
    do throws(DocumentRefusal) {
      if exchange.request.path == DocumentCall.descriptionPath {
        let description = try DocumentCall.description(exchange.request, app: documents.app)
        return exchange.reply(writer.reply(description))
      }
      let call = try DocumentCall(exchange.request, app: documents.app, access: access)
      pass(Asked(call: call, exchange: exchange, writer: writer, requestID: requestID))
    } catch {
      exchange.reply(writer.reply(refusing: error))
    }
  }

  /// Lets a request pass through the fault plan.
  private func pass(_ asked: Asked) {
    let (request, caller) = (asked.call.request, asked.call.caller)
    guard zones.hasFaults else {
      return carryOut(request, asked) { finish(asked, $0) }
    }
    let app = documents.app
    let cloudRequest = request.cloudRequest(of: app)
    switch zones.verdict(on: cloudRequest, from: caller, in: app.database(of: caller.user)) {
    case .pass: carryOut(request, asked) { finish(asked, $0) }
    case .faulty(let exchange):
      let faulty = FaultyDocumentExchange(request, exchange, of: app)
      guard let request = faulty.request else { return finish(asked, faulty, with: nil) }
      // If a request is carried out more than once, the last answer counts.
      let delay = faulty.visibleDelayMilliseconds
      for _ in 1..<faulty.applications { carryOut(request, asked, visibleDelay: delay) { _ in } }
      carryOut(request, asked, visibleDelay: delay) { finish(asked, faulty, with: $0) }
    }
  }

  private func carryOut(
    _ request: DocumentRequest, _ asked: Asked, visibleDelay: Int64 = 0, answer: @escaping (DocumentResponse) -> Void
  ) {
    let cost = documents.receive(
      request, from: asked.call.caller, visibleDelay: visibleDelay, room: asked.exchange.room, answer: answer)
    asked.exchange.note(answerOf: cost.answerBytes, work: cost.work)
  }

  // MARK: Answers

  private func finish(_ asked: Asked, _ response: DocumentResponse) {
    note(asked, response)
    asked.exchange.reply(asked.writer.reply(response))
  }

  private func finish(_ asked: Asked, _ faulty: FaultyDocumentExchange, with response: DocumentResponse?) {
    let answer = faulty.answer(to: response, at: documents.time)
    if let known = answer ?? response { note(asked, known) }
    zones.delay(milliseconds: faulty.delayMilliseconds) {
      asked.exchange.answer(answer.map(asked.writer.reply))
    }
  }

  private func note(_ asked: Asked, _ response: DocumentResponse) {
    journal.record(
      DocumentFact(
        asked.call.request, from: asked.call.caller, answeredWith: response, requestID: asked.requestID))
  }
}
