import ZoneKitRecords
import ZoneKitTables

extension CloudError {
  /// The error for a refusal of a request for rows. The reason begins with `subject`, if there is one.
  init(_ refusal: ServiceRefusal, about subject: String?) {
    let reason = subject.map { "\($0): \(refusal.message)" } ?? refusal.message
    self.init(CloudErrorCode(refusal), reason, retryAfterMilliseconds: refusal.retryAfter.map { Int64($0) * 1_000 })
  }
}

extension CloudErrorCode {
  /// The code for a refusal of a request for rows, by its status and code.
  fileprivate init(_ refusal: ServiceRefusal) {
    switch (refusal.status, refusal.code) {
    case (401, _): self = .notAuthenticated
    case (403, _): self = .permissionFailure
    case (409, RowError.Kind.brokenReference.code): self = .referenceViolation
    case (409, _): self = .constraintViolation
    case (413, _): self = .limitExceeded
    case (429, _): self = .requestRateLimited
    case (408, _), (500..., _): self = .serviceUnavailable
    default: self = .invalidArguments
    }
  }
}
