import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords

/// The cloud's answer to a message, in the terms of the message's protocol.
package enum CloudAnswer: Hashable, Sendable {
  /// The answer to a call or to an administrator's operation.
  case call(CloudResponse)
  /// The answer to a request for documents.
  case documents(DocumentResponse)
  /// The report of a purge of documents, or why there was none.
  case purged(Result<DocumentPurgeReport, CloudError>)
}
