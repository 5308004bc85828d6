/// Why a request got no answer.
package enum MissingAnswer: Error, Hashable, Sendable {
  /// The request was not sent: the server cannot be reached.
  case notSent(String)
  /// The connection ended before the answer. The server may have carried out the request.
  case answerLost(String)

  /// The reason in words.
  package var reason: String {
    switch self {
    case .notSent(let reason), .answerLost(let reason): reason
    }
  }
}

extension CloudError {
  /// What a device is told of a request without an answer.
  package init(_ missing: MissingAnswer) {
    switch missing {
    case .notSent(let reason): self.init(.networkUnavailable, reason)
    case .answerLost(let reason): self.init(.serverResponseLost, reason)
    }
  }
}
