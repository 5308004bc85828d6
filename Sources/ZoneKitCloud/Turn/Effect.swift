import ZoneKitRecords

extension ZoneServer {
  /// What is to be done after a commit.
  package enum Effect: Hashable, Sendable {
    /// Answer the request with that ticket.
    case answer(Ticket, CloudResponse)
    /// Tell the push service of a change.
    case notify(Notice)
    /// From now on the push service delivers the notices of that database's account to the registration's token too.
    case registered(PushRegistration, DatabaseID)
    /// From now on the push service refuses that token.
    case unregistered(token: String)
    /// Write down what happened.
    case fact(CloudFact)
  }
}
