import ZoneKitRecords

/// The keys of a device's values, which are stored besides records and zones. Times are integers: milliseconds since
/// 1970 by the wall clock.
public enum DeviceKey: String, CaseIterable, Hashable, Sendable {
  /// The account whose data the store holds: its plain name.
  case account
  /// The device ID in requests.
  case deviceID
  /// The change token of the private database's feed, and the time at which it was stored.
  case databaseToken, databaseTokenAt
  /// The change token of the shared database's feed, and the time at which it was stored.
  case sharedDatabaseToken, sharedDatabaseTokenAt
  /// 1 if records are hidden until others to which they refer arrive.
  case pendingReferences = "parking"
  /// The last number of a local change.
  case revision
  /// The latest stamp of a local change, and the difference of the cloud's clock from the device's in milliseconds.
  case lastStamp, clockOffset
  /// The push token and its environment.
  case pushToken, pushEnvironment
  /// The result of the last check of the subscription.
  case subscriptionID, subscriptionState, subscriptionOrigin, subscriptionVerifiedAt, subscriptionError
  /// 1 if the push token or the subscription is new, and the feeds were not read since it became active.
  case unsettled
  /// The times and the ID of the last pushes.
  case pushLastReceivedAt, pushLastNotificationID, pushLastSentAt, pushLastHandledAt, pushLastLedToChangeAt
  /// Why the last push was ignored; absent if it was not.
  case pushLastIgnored
  /// The numbers of pushes, in total and of each kind, and whether pushes are missing.
  case pushReceived, pushDuplicates, pushUnknownSubscription, pushOtherAccount, pushWithoutID, pushDrought
  /// The times, reason and result of the last fetch.
  case fetchLastStartedAt, fetchLastFinishedAt, fetchLastSucceededAt, fetchLastReason, fetchLastResult
  /// The numbers of records and pages of the last fetch.
  case fetchRecords, fetchPages
  /// The last send, and the times until which sending pauses.
  case sendLastAt, retryAfter, quotaExceededAt
  /// The number of conflicts, and the record that devices keep overwriting.
  case conflictTotal, stormRecord
  /// 1 if a deletion met a loss in the cloud, so that the journal has to be asked about records that arrive.
  case deletionsLost
  /// When the device last removed records that it may have sent, by the cloud's clock: in a reset, or with their zone.
  case forgottenAt
}

extension DeviceKey {
  /// The keys of a database's position in its feed: its change token and the time at which it was stored. Nil for the public
  /// database, which has no feed.
  package static func feedPosition(of scope: DatabaseScope) -> (token: DeviceKey, time: DeviceKey)? {
    switch scope {
    case .private: (.databaseToken, .databaseTokenAt)
    case .shared: (.sharedDatabaseToken, .sharedDatabaseTokenAt)
    case .public: nil
    }
  }
}
