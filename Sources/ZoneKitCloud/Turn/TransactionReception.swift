import ZoneKitRecords

/// What is to be done for a request of a protocol whose requests become transactions.
package enum TransactionReception<Response> {
  /// Answer it now.
  case answer(Response)
  /// Submit the transaction for that database; its result becomes the answer.
  case submit(any ZoneTransaction, in: DatabaseID, from: Caller)
}
