import ZoneKitRecords

/// What a driver has to do after a turn of the cloud was committed.
package enum CloudEffect: Hashable, Sendable {
  /// Send this response to the request with that ticket.
  case answer(Ticket, CloudResponse)
  /// Hand the notice of a change to the push service.
  case notify(Notice)
  /// Make the registration known to the push service: it belongs to the account of that database.
  case registered(PushRegistration, DatabaseID)
  /// Make the push service refuse that token from now on.
  case unregistered(token: String)
  /// Record what happened.
  case fact(CloudFact)
}
