import ZoneKitRecords

/// An answer by which a session was not continued.
package struct SessionError: Error, Hashable, Sendable {
  /// The kind of the failure.
  package var failure: SessionFailure
  /// The service's sentence, for the user.
  package var reason: String

  /// A failure with that sentence.
  package init(_ failure: SessionFailure, _ reason: String) {
    self.failure = failure
    self.reason = reason
  }

  /// The failure of a request without an answer.
  package init(_ missing: MissingAnswer) {
    reason = "needs the server: \(missing.reason)"
    failure = if case .notSent = missing { .transient(retryAfter: nil) } else { .unanswered }
  }
}
