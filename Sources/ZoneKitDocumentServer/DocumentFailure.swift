import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// The reason why a request for documents has no result.
enum DocumentFailure: Error {
  /// The request is refused.
  case refused(DocumentError)
  /// Something was not read yet, or cannot be read.
  case evaluation(EvaluationFailure)

  /// The value that `read` returns, with its failure as one of a request for documents.
  static func catching<Value>(_ read: () throws(EvaluationFailure) -> Value) throws(DocumentFailure) -> Value {
    do {
      return try read()
    } catch {
      throw .evaluation(error)
    }
  }
}

extension DocumentResponse {
  /// The approximate number of bytes of the answer.
  var size: Int {
    let perDocument = 400
    func size(_ documents: [Document]) -> Int {
      documents.reduce(0) { $0 + perDocument + ($1.written?.members.count ?? 2 * $1.content.utf8.count) }
    }
    switch self {
    case .pushed(let answer):
      return answer.results.reduce(0) { sum, result in
        if case .conflict(_, let document?, _) = result.outcome { sum + size([document]) } else { sum + perDocument }
      }
    case .pulled(let answer):
      return answer.entries.reduce(0) { sum, entry in
        if case .document(let document) = entry { sum + size([document]) } else { sum + perDocument }
      }
    case .snapshot(let answer): return size(answer.documents)
    case .found(let answer): return size(answer.documents) + answer.missing.count * perDocument
    case .status, .refused: return perDocument
    }
  }
}

/// The result of a request for documents.
struct DocumentResult: Hashable, Sendable {
  /// The answer.
  let response: DocumentResponse
  /// The documents of the answer that were not kept.
  let written: [KeptDocuments.Entry]
  /// What the sender is asked to merge.
  let asked: [AskedMerges.Question]
}

extension TransactionOutcome {
  /// An answer, and its changes of zones, of which subscriptions are notified. `written` are the documents of the answer that
  /// were not kept, `asked` what the sender is asked to merge.
  init(
    _ response: DocumentResponse, writing written: [KeptDocuments.Entry] = [],
    asking asked: [AskedMerges.Question] = [],
    changing zones: [ZoneOverlay] = [], announcement: Announcement = .others
  ) {
    let result = DocumentResult(response: response, written: written, asked: asked)
    let answer = TransactionAnswer(result, size: response.size)
    self.init(answer, changing: zones, announcement: announcement)
  }
}
