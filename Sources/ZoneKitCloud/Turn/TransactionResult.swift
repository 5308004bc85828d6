import ZoneKitRecords

/// The result of a transaction.
package enum TransactionResult: Hashable, Sendable {
  /// It is committed, with this answer.
  case done(TransactionAnswer)
  /// Something could not be read or committed.
  case failed(CloudError)
}
