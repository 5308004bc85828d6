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
      documents.reduce(0) { $0 + perDocument + 2 * $1.content.utf8.count }
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
    case .found(let documents, missing: let missing, at: _): return size(documents) + missing.count * perDocument
    case .status, .refused: return perDocument
    }
  }
}

extension TransactionOutcome {
  /// An answer, and its changes of zones, of which subscriptions are notified.
  init(_ response: DocumentResponse, changing zones: [ZoneOverlay] = [], announcement: Announcement = .others) {
    self.init(TransactionAnswer(response, size: response.size), changing: zones, announcement: announcement)
  }
}
