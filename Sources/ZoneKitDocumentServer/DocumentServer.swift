import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// The documents of an app's accounts. It turns requests into transactions, which the service submits to the `ZoneServer`
/// of the turn, and their results into answers.
package struct DocumentServer {
  /// The app whose documents these are.
  package let app: DocumentApp
  private var kept = KeptDocuments()
  private var asked = AskedMerges()

  /// A server of that app's documents.
  package init(app: DocumentApp) { self.app = app }

  /// A request arrived. Feeds show commits from the age of `visibleDelay` milliseconds on.
  package func receive(
    _ request: DocumentRequest, from caller: Caller, at now: WallTime, visibleDelay: Int64 = 0
  ) -> TransactionReception<DocumentResponse> {
    let database = app.database(of: caller.user)
    switch request {
    case .push(let push):
      guard push.changes.count <= DocumentRequest.itemLimit else {
        return .answer(.refused(.tooMany(push.changes.count, "changes")))
      }
      let feeds = Set(push.changes.map(\.name.feed))
      guard feeds.count <= 1 else {
        return .answer(
          .refused(DocumentError(.malformed, "a push has changes of the conflict journal or of documents, not of both"))
        )
      }
      let sender = Caller(user: caller.user, deviceID: push.deviceID)
      let pushing = PushTransaction(
        app: app, push: push, feed: feeds.first ?? .documents, database: database, author: Author(sender), asked: asked,
        now: now)
      return .submit(pushing, in: database, from: sender)
    case .lookup(let lookup):
      guard lookup.names.count <= DocumentRequest.itemLimit else {
        return .answer(.refused(.tooMany(lookup.names.count, "documents")))
      }
    case .pull, .snapshot, .status: break
    }
    return .submit(
      ReadingTransaction(
        app: app, request: request, database: database, user: caller.user, now: now, visibleDelay: visibleDelay,
        kept: kept),
      in: database, from: caller)
  }

  /// The answer to a request whose transaction has that result.
  package func answer(to result: TransactionResult) -> DocumentResponse {
    switch result {
    case .done(let answer):
      answer.value(as: DocumentResult.self)?.response
        ?? .refused(DocumentError(.internal, "the answer of the transaction is of another kind; this is a defect"))
    case .failed(let error): .refused(DocumentError(error))
    }
  }

  /// Keeps the documents that a transaction read, so that the next reading of them takes less time, and which clients it
  /// asks to merge.
  package mutating func keep(_ result: TransactionResult) {
    guard case .done(let answer) = result, let done = answer.value(as: DocumentResult.self) else { return }
    kept.keep(done.written)
    asked.note(done.asked)
  }
}

extension DocumentError {
  /// The error for a request with too many items.
  fileprivate static func tooMany(_ count: Int, _ items: String) -> DocumentError {
    DocumentError(.tooLarge, "the request has \(count) \(items), at most \(DocumentRequest.itemLimit) are allowed")
  }
}
