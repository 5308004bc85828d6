import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitWire

/// How a device's requests for documents reach the cloud, and the answers the device: as HTTP messages, as on real
/// devices and servers, or as values.
struct DocumentPassage {
  /// The app with the documents.
  let app: DocumentApp
  /// The device and its account.
  let caller: Caller
  /// Whether requests and answers travel as messages.
  let carriesMessages: Bool

  private var exchange: DocumentExchange {
    DocumentExchange(app, user: caller.user, deviceID: caller.deviceID ?? Author.unnamedDevice)
  }

  /// What the cloud has to do for a request of the coordinator.
  func step(for request: CloudRequest) -> DocumentExchange.Step {
    let step = exchange.step(for: request)
    guard carriesMessages, case .ask = step else { return step }
    let message = DocumentAdapter(app).request(request, of: app.database(of: caller.user), from: caller)
    do throws(DocumentRefusal) {
      return .ask(try DocumentCall(message.received, app: app, access: .simulated).request)
    } catch {
      return .answer(exchange.response(.refused(error.error), to: request))
    }
  }

  /// The answer as the device reads it. `damage` changes bytes of messages.
  func response(
    _ response: DocumentResponse, to request: CloudRequest, damagedBy damage: inout AnswerDamage?
  ) -> CloudResponse {
    guard carriesMessages else { return exchange.response(response, to: request) }
    let reply = DocumentReplyWriter(app.schema, requestID: MessageCarrier.context.identifier).reply(response)
    return DocumentAdapter(app).response(reply.received(damagedBy: &damage), to: request, from: caller)
  }
}

extension DocumentAccess {
  /// The access to simulated servers.
  static let simulated = DocumentAccess(mode: .open)
}
