import ZoneKitRecords

/// An error with which the service answers a whole request. Nothing was done then.
package struct DocumentError: Error, Hashable, Sendable {
  /// The words of errors.
  package enum Code: String, CaseIterable, Hashable, Sendable {
    case malformed
    case unauthenticated
    case badToken = "bad_token"
    case forbidden
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case schemaMismatch = "schema_mismatch"
    case cursorExpired = "cursor_expired"
    case datasetChanged = "dataset_changed"
    case purged
    case tooLarge = "too_large"
    case quotaExceeded = "quota_exceeded"
    case unsupportedMediaType = "unsupported_media_type"
    case rateLimited = "rate_limited"
    case `internal`
    case unavailable
    case busy
  }

  /// The word of the error.
  package var code: Code
  /// The code that devices understand.
  package var cause: CloudErrorCode
  /// A sentence with what was wrong and what would be right.
  package var message: String
  /// The place in the request, such as `changes[3].data.items[0].unit`; nil for none.
  package var path: String?
  /// The time after which the client may ask again, in milliseconds; nil for none.
  package var retryAfterMilliseconds: Int64?
  /// How the data set ended that the client knows, if somebody meant it.
  package var ending: ZoneEnding?

  /// An error with that word.
  package init(
    _ code: Code, _ message: String, path: String? = nil, cause: CloudErrorCode? = nil,
    retryAfterMilliseconds: Int64? = nil
  ) {
    self.code = code
    self.cause = cause ?? code.cause
    self.message = message
    self.path = path
    self.retryAfterMilliseconds = retryAfterMilliseconds
  }

  /// The error for one of the cloud.
  package init(_ error: CloudError) {
    self.init(
      Code(error.code), error.reason, cause: error.code, retryAfterMilliseconds: error.retryAfterMilliseconds)
    ending = error.ending
  }
}

extension DocumentError.Code {
  /// The code that devices understand.
  package var cause: CloudErrorCode {
    switch self {
    case .malformed, .methodNotAllowed, .unsupportedMediaType: .invalidArguments
    case .unauthenticated: .notAuthenticated
    case .badToken: .authenticationFailed
    case .forbidden: .permissionFailure
    case .notFound: .unknownItem
    case .schemaMismatch: .incompatibleVersion
    case .cursorExpired: .changeTokenExpired
    case .datasetChanged: .zoneNotFound
    case .purged: .userDeletedZone
    case .tooLarge: .limitExceeded
    case .quotaExceeded: .quotaExceeded
    case .rateLimited: .requestRateLimited
    case .internal: .internalError
    case .unavailable: .serviceUnavailable
    case .busy: .zoneBusy
    }
  }

  /// The word for an error of the cloud.
  init(_ code: CloudErrorCode) {
    self =
      switch code {
      case .invalidArguments: .malformed
      case .notAuthenticated: .unauthenticated
      case .authenticationFailed: .badToken
      case .permissionFailure: .forbidden
      case .unknownItem: .notFound
      case .incompatibleVersion: .schemaMismatch
      case .changeTokenExpired: .cursorExpired
      case .zoneNotFound: .datasetChanged
      case .userDeletedZone: .purged
      case .limitExceeded: .tooLarge
      case .quotaExceeded: .quotaExceeded
      case .requestRateLimited: .rateLimited
      case .serviceUnavailable: .unavailable
      case .zoneBusy: .busy
      case .internalError, .networkUnavailable, .networkFailure, .badContainer, .serverRecordChanged,
        .serverRejectedRequest, .assetNotAvailable, .constraintViolation, .batchRequestFailed, .referenceViolation,
        .serverResponseLost, .accountTemporarilyUnavailable:
        .internal
      }
  }
}

/// Why one change was not applied. The other changes of its request are not affected.
package struct ChangeError: Error, Hashable, Sendable {
  /// The words of errors of changes.
  package enum Code: String, CaseIterable, Hashable, Sendable {
    case unknownCollection = "unknown_collection"
    case readOnlyCollection = "read_only_collection"
    case badDocument = "bad_document"
    case forbiddenID = "forbidden_id"
    case duplicate = "duplicate_in_request"
    case tooLarge = "too_large"
    case datasetChanged = "dataset_changed"
    case quotaExceeded = "quota_exceeded"
    case busy
    case `internal`
  }

  /// The word of the error.
  package var code: Code
  /// The code that devices understand.
  package var cause: CloudErrorCode
  /// A sentence with what was wrong and what would be right.
  package var message: String
  /// The place within the change, such as `data.items[0].unit`; nil for none.
  package var path: String?

  /// An error with that word.
  package init(_ code: Code, _ message: String, path: String? = nil) {
    self.code = code
    cause =
      switch code {
      case .unknownCollection, .readOnlyCollection, .badDocument, .duplicate: .invalidArguments
      case .forbiddenID: .permissionFailure
      case .tooLarge: .limitExceeded
      case .datasetChanged: .zoneNotFound
      case .quotaExceeded: .quotaExceeded
      case .busy: .zoneBusy
      case .internal: .internalError
      }
    self.message = message
    self.path = path
  }
}
