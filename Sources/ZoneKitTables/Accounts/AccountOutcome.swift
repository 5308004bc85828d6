/// What a client learns about its request to the accounts of a table server.
package enum AccountOutcome: Hashable, Sendable {
  /// A session started or continued.
  case session(AccountGrant)
  /// The request was carried out and answers no session.
  case done
  /// The request was refused, or got no answer.
  case failed(SessionError)
}
