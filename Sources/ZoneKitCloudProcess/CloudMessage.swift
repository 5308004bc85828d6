import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTableServer
import ZoneKitTables

/// A message to the cloud, already read.
package enum CloudMessage: Equatable, Sendable {
  /// A request in CloudKit's terms, to that database.
  case call(CloudRequest, in: DatabaseID)
  /// A request for the documents of that app.
  case documents(DocumentRequest, of: DocumentApp)
  /// A request for rows.
  case rows(RowRequest, RowDemands)
  /// A request for rows of the tables of a schema of a user's own.
  case relations(RelationRequest)
  /// A request for rows that cannot be read and is refused with that error. `table` is the one that it names.
  case unreadableRows(RowError, table: Name?)
  /// A call of the function of that name. `argument` is a JSON document.
  case function(String, argument: [UInt8])
  /// A request for objects.
  case object(ObjectRequest)
  /// A request to the accounts that the driver has to verify.
  case unverified(AccountRequest)
  /// A verified request to the accounts. Faults do not hit it.
  case account(AccountEvent)
  /// An administrator's operation on that database. Faults do not hit it.
  case administration(Administration, in: DatabaseID)
  /// The purge of an account's documents of that app. Faults do not hit it.
  case purge(DocumentPurge, of: DocumentApp, account: Name)
  /// The maintenance of the rows and objects of those accounts. Faults do not hit it.
  case maintenance(RowMaintenance, of: MaintainedAccounts)
}
