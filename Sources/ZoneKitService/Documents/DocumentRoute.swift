import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitWire

/// The route `/sync`: an app's documents.
struct DocumentRoute<Store: ZoneStore, Accounts: AccountStore> {
  /// The app.
  let app: DocumentApp
  /// The cloud.
  let zones: ZoneService<Store, Accounts>
  /// Finds out who sends a request.
  let access: DocumentAccess
  /// Gets the facts of requests.
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
    DocumentReplyWriter(app.schema, requestID: identifier()).reply(.refused(error))
  }

  private func identifier() -> String { RandomIdentifier.uuid(using: &zones.generator) }

  private func serve(_ exchange: HTTPExchange) {
    let requestID = identifier()
    let writer = DocumentReplyWriter(app.schema, requestID: requestID)
    do throws(DocumentRefusal) {
      if exchange.request.path == DocumentCall.descriptionPath {
        let description = try DocumentCall.description(exchange.request, app: app)
        return exchange.reply(writer.reply(description))
      }
      let call = try DocumentCall(exchange.request, app: app, access: access)
      pass(Asked(call: call, exchange: exchange, writer: writer, requestID: requestID))
    } catch {
      exchange.reply(writer.reply(refusing: error))
    }
  }

  private func pass(_ asked: Asked) {
    let message = CloudMessage.documents(asked.call.request, of: app)
    let cost = zones.receive(message, from: zones.sender(asked.call.caller), room: asked.exchange.room) { reply in
      note(asked, reply)
      let answer: DocumentResponse? = if case .documents(let answer)? = reply.answer { answer } else { nil }
      zones.delay(milliseconds: reply.delayMilliseconds) { asked.exchange.answer(answer.map(asked.writer.reply)) }
    }
    asked.exchange.note(answerOf: cost.answerBytes, work: cost.work)
  }

  private func note(_ asked: Asked, _ reply: CloudReply) {
    guard case .documents(let response)? = reply.answer ?? reply.response else { return }
    journal.record(
      DocumentFact(asked.call.request, from: asked.call.caller, answeredWith: response, requestID: asked.requestID))
  }
}
