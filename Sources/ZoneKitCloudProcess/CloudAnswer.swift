import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTableServer
import ZoneKitTables

/// The cloud's answer to a message, in the terms of the message's protocol.
package enum CloudAnswer: Equatable, Sendable {
  /// The answer to a call or to an administrator's operation.
  case call(CloudResponse)
  /// The answer to a request for documents.
  case documents(DocumentResponse)
  /// The answer to a request for rows.
  case rows(RowResponse)
  /// The answer to a request for rows of the tables of a schema of a user's own.
  case relation(Result<RelationResult, RowError>)
  /// The JSON document that a function returns, or why there is none.
  case function(Result<[UInt8], FunctionError>)
  /// The answer to a request for objects.
  case object(ObjectResponse)
  /// The answer to a request to the accounts.
  case account(AccountResponse)
  /// The report of a purge of documents, or why there was none.
  case purged(Result<DocumentPurgeReport, CloudError>)
  /// A report for each account that was maintained, in the order of the accounts, or the first error.
  case maintained(Result<[AccountMaintenance], RowError>)
}

extension CloudAnswer {
  /// The answer to a call; nil for another one.
  package var call: CloudResponse? { if case .call(let answer) = self { answer } else { nil } }
  /// The answer to a request for documents; nil for another one.
  package var documents: DocumentResponse? { if case .documents(let answer) = self { answer } else { nil } }
  /// The answer to a request for rows; nil for another one.
  package var rows: RowResponse? { if case .rows(let answer) = self { answer } else { nil } }
  /// The answer to a request for rows of a schema of a user's own; nil for another one.
  package var relation: Result<RelationResult, RowError>? {
    if case .relation(let answer) = self { answer } else { nil }
  }
  /// What a function returns; nil for another answer.
  package var function: Result<[UInt8], FunctionError>? { if case .function(let answer) = self { answer } else { nil } }
  /// The answer to a request for objects; nil for another one.
  package var object: ObjectResponse? { if case .object(let answer) = self { answer } else { nil } }
  /// The answer to a request to the accounts; nil for another one.
  package var account: AccountResponse? { if case .account(let answer) = self { answer } else { nil } }
}
