/// What the cloud can answer instead of a result, by the names of CloudKit's native errors (sync semantics, 1.8).
public enum CloudErrorCode: String, CaseIterable, Hashable, Sendable {
  case internalError
  case networkUnavailable
  case networkFailure
  case badContainer
  case serviceUnavailable
  case requestRateLimited
  case notAuthenticated
  case permissionFailure
  /// No record, subscription, record type or endpoint of that name.
  case unknownItem
  case invalidArguments
  case serverRecordChanged
  case serverRejectedRequest
  case assetNotAvailable
  case constraintViolation
  case changeTokenExpired
  case batchRequestFailed
  case zoneBusy
  case quotaExceeded
  case zoneNotFound
  case limitExceeded
  case userDeletedZone
  case referenceViolation
  case serverResponseLost
  case accountTemporarilyUnavailable
  /// The credentials that came with the request are wrong; the web's AUTHENTICATION_FAILED has no native twin.
  case authenticationFailed
}
