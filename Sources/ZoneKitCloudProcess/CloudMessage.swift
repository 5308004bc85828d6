import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords

/// A message to the cloud, already read.
package enum CloudMessage: Hashable, Sendable {
  /// A request in CloudKit's terms, to that database.
  case call(CloudRequest, in: DatabaseID)
  /// A request for the documents of that app.
  case documents(DocumentRequest, of: DocumentApp)
  /// An administrator's operation on that database. Faults do not hit it.
  case administration(Administration, in: DatabaseID)
  /// The purge of an account's documents of that app. Faults do not hit it.
  case purge(DocumentPurge, of: DocumentApp, account: Name)
}
