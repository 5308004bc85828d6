/// The codes of the cloud's errors, with the names of CloudKit's native errors (sync semantics, 1.8).
public enum CloudErrorCode: String, CaseIterable, Hashable, Sendable {
  /// The cloud had an internal failure.
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
  /// No account is signed in.
  case notAuthenticated
  /// The account does not have the permission.
  case permissionFailure
  /// There is no record, subscription, record type or endpoint with that name.
  case unknownItem
  /// The request cannot be read, or asks for something impossible.
  case invalidArguments
  /// The save has an old change tag: the cloud's version is newer.
  case serverRecordChanged
  /// The cloud refuses the request and would refuse a repetition.
  case serverRejectedRequest
  /// The asset of a record does not exist.
  case assetNotAvailable
  /// A unique field has the value of another record.
  case constraintViolation
  /// The change token is too old; the feed has to be read from its beginning.
  case changeTokenExpired
  /// A different operation of the same atomic batch failed.
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
  /// A reference names a record that does not exist, or protects a record from deletion.
  case referenceViolation
  /// The request was sent, and its answer was lost.
  case serverResponseLost
  /// The account temporarily cannot be used, for example until its user confirms the password.
  case accountTemporarilyUnavailable
  /// The client and the cloud have different versions of the app's schema. CloudKit's name is `incompatibleVersion`.
  case incompatibleVersion
  /// The credentials of the request are wrong. The web code AUTHENTICATION_FAILED has no native equivalent.
  case authenticationFailed
}
