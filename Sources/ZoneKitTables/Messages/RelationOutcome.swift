import ZoneKitRecords

/// What a client learns about its request for rows of a schema of a user's own.
package enum RelationOutcome: Equatable, Sendable {
  /// The service carried the request out and answered with those rows, each an object.
  case done([[JSON.Member]])
  /// The service refused the request, which changed nothing.
  case refused(ServiceRefusal)
  /// There is no answer.
  case unanswered(MissingAnswer)
}
