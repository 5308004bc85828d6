import ZoneKitRecords

/// The 14 error codes of the protocol, with their HTTP status (CloudKit Web Services, d.1). Clients decode them into a
/// closed enum, so no other code may be sent.
package enum WebErrorCode: String, CaseIterable, Sendable {
  case accessDenied = "ACCESS_DENIED"
  case atomicError = "ATOMIC_ERROR"
  case authenticationFailed = "AUTHENTICATION_FAILED"
  case authenticationRequired = "AUTHENTICATION_REQUIRED"
  case badRequest = "BAD_REQUEST"
  case conflict = "CONFLICT"
  case exists = "EXISTS"
  case internalError = "INTERNAL_ERROR"
  case notFound = "NOT_FOUND"
  case quotaExceeded = "QUOTA_EXCEEDED"
  case throttled = "THROTTLED"
  case tryAgainLater = "TRY_AGAIN_LATER"
  case validatingReferenceError = "VALIDATING_REFERENCE_ERROR"
  case zoneNotFound = "ZONE_NOT_FOUND"

  /// The HTTP status of an answer whose whole request failed with the code.
  package var status: Int {
    switch self {
    case .accessDenied: 403
    case .atomicError, .badRequest: 400
    case .authenticationFailed: 401
    case .authenticationRequired: 421
    case .conflict, .exists: 409
    case .internalError: 500
    case .notFound, .zoneNotFound: 404
    case .quotaExceeded: 413
    case .throttled: 429
    case .tryAgainLater: 503
    case .validatingReferenceError: 412
    }
  }

  /// The web code of a native code. Several native codes can share one.
  package init(_ code: CloudErrorCode) {
    switch code {
    case .permissionFailure: self = .accessDenied
    case .batchRequestFailed: self = .atomicError
    case .authenticationFailed: self = .authenticationFailed
    case .notAuthenticated, .accountTemporarilyUnavailable: self = .authenticationRequired
    case .invalidArguments, .changeTokenExpired, .limitExceeded, .badContainer, .serverRejectedRequest,
      .constraintViolation, .incompatibleVersion:
      self = .badRequest
    case .serverRecordChanged: self = .conflict
    case .internalError, .networkFailure, .networkUnavailable, .serverResponseLost: self = .internalError
    case .unknownItem, .assetNotAvailable: self = .notFound
    case .quotaExceeded: self = .quotaExceeded
    case .requestRateLimited: self = .throttled
    case .serviceUnavailable, .zoneBusy: self = .tryAgainLater
    case .referenceViolation: self = .validatingReferenceError
    case .zoneNotFound, .userDeletedZone: self = .zoneNotFound
    }
  }

  /// The native code for a device if the answer has no other information.
  package var native: CloudErrorCode {
    switch self {
    case .accessDenied: .permissionFailure
    case .atomicError: .batchRequestFailed
    case .authenticationFailed: .authenticationFailed
    case .authenticationRequired: .notAuthenticated
    case .badRequest: .invalidArguments
    case .conflict, .exists: .serverRecordChanged
    case .internalError: .internalError
    case .notFound: .unknownItem
    case .quotaExceeded: .quotaExceeded
    case .throttled: .requestRateLimited
    case .tryAgainLater: .serviceUnavailable
    case .validatingReferenceError: .referenceViolation
    case .zoneNotFound: .zoneNotFound
    }
  }
}
