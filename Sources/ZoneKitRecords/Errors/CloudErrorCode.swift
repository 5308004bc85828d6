/// What the cloud can answer instead of a result, by the names of CloudKit's native errors (sync semantics, 1.8).
public enum CloudErrorCode: String, CaseIterable, Hashable, Sendable {
  /// The cloud failed for a reason of its own.
  case internalError
  /// The device has no network.
  case networkUnavailable
  /// The connection failed.
  case networkFailure
  /// The container does not exist or may not be used.
  case badContainer
  /// The cloud cannot serve requests now.
  case serviceUnavailable
  /// The client sends too many requests; the error says how long to wait.
  case requestRateLimited
  /// Nobody is signed in.
  case notAuthenticated
  /// The account may not do that.
  case permissionFailure
  /// No record, subscription, record type or endpoint of that name.
  case unknownItem
  /// The request cannot be read, or asks for something impossible.
  case invalidArguments
  /// The save carries an old tag: the cloud's version is newer.
  case serverRecordChanged
  /// The cloud refuses the request, and a repetition is refused too.
  case serverRejectedRequest
  /// The asset of a record is not there.
  case assetNotAvailable
  /// A unique field has the value of another record.
  case constraintViolation
  /// The change token is too old; the feed has to be read from its beginning.
  case changeTokenExpired
  /// Another operation of the same atomic batch failed.
  case batchRequestFailed
  /// The zone handles too many requests now.
  case zoneBusy
  /// The account's storage is full.
  case quotaExceeded
  /// The zone does not exist.
  case zoneNotFound
  /// The request or one of its items is too large.
  case limitExceeded
  /// The user removed the app's data of the zone.
  case userDeletedZone
  /// A reference names a record that is not there, or one that may not be deleted.
  case referenceViolation
  /// The request was sent and its answer got lost.
  case serverResponseLost
  /// The account cannot be used now, for example before its user confirms the password.
  case accountTemporarilyUnavailable
  /// The credentials that came with the request are wrong; the web's AUTHENTICATION_FAILED has no native twin.
  case authenticationFailed
}
