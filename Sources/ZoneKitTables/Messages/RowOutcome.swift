import ZoneKitRecords

/// What a client learns about its request for rows.
package enum RowOutcome: Hashable, Sendable {
  /// The service carried the request out.
  case done(RowResult)
  /// The service refused the request, which changed nothing.
  case refused(ServiceRefusal)
  /// The request was not sent. The text says why.
  case notSent(String)
  /// The request was sent, and its answer did not arrive. The text says why.
  case answerLost(String)

  /// The outcome for a response that a client gets as a value.
  package init(_ response: RowResponse) {
    switch response {
    case .done(let result): self = .done(result)
    case .refused(let error): self = .refused(ServiceRefusal(error))
    }
  }
}
