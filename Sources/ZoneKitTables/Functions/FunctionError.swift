import ZoneKitRecords

/// Why a function gives no answer. Each case has a sentence for the client.
package enum FunctionError: Error, Hashable, Sendable {
  /// The request is not one that the function understands.
  case invalid(String)
  /// The sender is not signed in.
  case notSignedIn
  /// There is no such function, or not what the request is about.
  case notFound(String)
  /// The rows cannot be read now. The client may try again.
  case unavailable(String)
  /// The service refuses the call for another reason.
  case refused(ServiceRefusal)
}

extension FunctionError {
  /// What a client reads in the answer.
  package var asRefusal: ServiceRefusal {
    switch self {
    case .invalid(let reason): ServiceRefusal(400, code: "invalid", reason)
    case .notSignedIn: ServiceRefusal(401, code: "not_signed_in", "the function needs the token of an account")
    case .notFound(let reason): ServiceRefusal(404, code: "not_found", reason)
    case .unavailable(let reason): ServiceRefusal(503, code: "unavailable", reason, retryAfter: 2)
    case .refused(let refusal): refusal
    }
  }
}
