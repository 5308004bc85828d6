/// An answer of a service of tables that a fault gives instead of the real one: status, code and texts, as clients see
/// them.
package struct ServiceRefusal: Error, Hashable, Sendable {
  /// The status of the answer, from 400 to 599.
  package var status: Int
  /// The code in the answer, in the words of the part of the service.
  package var code: String
  /// A sentence for people.
  package var message: String
  /// The time in seconds after which the client may ask again; nil for none.
  package var retryAfter: Int?

  /// An answer with those properties.
  package init(_ status: Int, code: String, _ message: String, retryAfter: Int? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
  }

  /// The answer that a device understands as that error.
  package init(_ error: CloudError) {
    let (status, code) =
      switch error.code {
      case .notAuthenticated: (401, "PGRST301")
      case .permissionFailure: (403, "42501")
      case .referenceViolation: (409, "23503")
      case .constraintViolation: (409, "23505")
      case .limitExceeded: (413, "413")
      case .requestRateLimited: (429, "429")
      case .serviceUnavailable, .zoneBusy, .internalError, .networkUnavailable, .serverResponseLost,
        .accountTemporarilyUnavailable, .quotaExceeded:
        (503, "53100")
      default: (400, "PGRST102")
      }
    let wait = error.retryAfterMilliseconds.map { Int(($0 + 999) / 1_000) }
    self.init(status, code: code, error.reason, retryAfter: wait ?? (status == 503 ? 2 : nil))
  }
}
