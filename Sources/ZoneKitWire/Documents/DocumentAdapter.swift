import ZoneKitDocuments
import ZoneKitRecords

/// The protocol of documents on a device: each request of the coordinator is one REST call. Push tokens and subscriptions
/// go over CloudKit Web Services.
package struct DocumentAdapter: ClientAdapter {
  /// The app whose documents are synced.
  package let app: DocumentApp
  private let cloudKit: CloudKitAdapter

  /// The adapter of that app. `apiToken` is the app's token for both protocols.
  package init(_ app: DocumentApp, apiToken: String = CloudKitAdapter.testToken) {
    self.app = app
    cloudKit = CloudKitAdapter(apiToken: apiToken)
  }

  private func exchange(of caller: Caller) -> DocumentExchange {
    DocumentExchange(app, user: caller.user, deviceID: caller.deviceID ?? Author.unnamedDevice)
  }

  /// Writes a request as a REST call. One that cannot be asked becomes a call whose answer is not read.
  package func request(_ request: CloudRequest, of database: DatabaseID, from caller: Caller) -> ClientRequest {
    let writer = DocumentRequestWriter(app: app, caller: caller, apiToken: cloudKit.apiToken)
    switch exchange(of: caller).step(for: request) {
    case .other: return cloudKit.request(request, of: database, from: caller)
    case .ask(let asked): return writer.request(asked)
    case .answer: return writer.request(.status(since: nil))
    }
  }

  /// Reads the answer to a REST call.
  package func response(_ answer: HTTPResponse, to request: CloudRequest, from caller: Caller) -> CloudResponse {
    let exchange = exchange(of: caller)
    switch exchange.step(for: request) {
    case .other: return cloudKit.response(answer, to: request, from: caller)
    case .answer(let response): return response
    case .ask(let asked):
      let reader = DocumentAnswerReader(schema: app.schema, user: caller.user)
      do throws(DocumentAnswerReader.Failure) {
        return exchange.response(try reader.response(answer, to: asked), to: request)
      } catch {
        return .failure(error.cloudError(ofStatus: answer.status))
      }
    }
  }
}
