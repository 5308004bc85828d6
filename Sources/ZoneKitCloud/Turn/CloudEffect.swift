import ZoneKitRecords

/// An instruction to the driver after a turn of the cloud was committed.
package enum CloudEffect: Hashable, Sendable {
  /// Send this response to the request with that ticket.
  case answer(Ticket, CloudResponse)
  /// Hand the result of the transaction with that ticket to its sender.
  case transacted(Ticket, TransactionResult)
  /// Pass the notice of a change to the push service.
  case notify(Notice)
  /// Pass the registration to the push service. It belongs to the account of that database.
  case registered(PushRegistration, DatabaseID)
  /// Make the push service refuse that token from now on.
  case unregistered(token: String)
  /// Record a fact.
  case fact(CloudFact)
}
