import ZoneKitRecords

/// What a client learns about its request for rows.
package enum RowOutcome: Hashable, Sendable {
  /// The service carried the request out.
  case done(RowResult)
  /// The service refused the request, which changed nothing.
  case refused(ServiceRefusal)
  /// There is no answer.
  case unanswered(MissingAnswer)

  /// The outcome for a response that a client gets as a value.
  package init(_ response: RowResponse) {
    switch response {
    case .done(let result): self = .done(result)
    case .refused(let error): self = .refused(ServiceRefusal(error))
    }
  }
}
