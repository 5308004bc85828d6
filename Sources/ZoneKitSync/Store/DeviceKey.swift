import ZoneKitRecords

/// What a device remembers besides records and zones. Times are integers: milliseconds since 1970 by the wall clock.
public enum DeviceKey: String, CaseIterable, Hashable, Sendable {
  /// The account whose data the store holds: its plain name.
  case account
  /// How the device names itself in its requests.
  case deviceID
  /// The change token of the private database's feed, and the time at which it was stored.
  case databaseToken, databaseTokenAt
  /// The change token of the shared database's feed, and the time at which it was stored.
  case sharedDatabaseToken, sharedDatabaseTokenAt
  /// 1 where records wait to be shown for others that they refer to.
  case parking
  /// The last number given to a local change.
  case revision
  /// The latest stamp given to a local change, and the cloud's clock minus the device's in milliseconds.
  case lastStamp, clockOffset
  /// The device's address with the push service.
  case pushToken, pushEnvironment
  /// What the last check of the subscription found.
  case subscriptionID, subscriptionState, subscriptionOrigin, subscriptionVerifiedAt, subscriptionError
  /// 1 where the push token or the subscription is new, and the feeds were not read since it settled.
  case unsettled
  /// The last pushes, and how many there were.
  case pushLastReceivedAt, pushLastNotificationID, pushLastSentAt, pushLastHandledAt, pushLastLedToChangeAt
  /// How many pushes there were, in all and of each kind.
  case pushReceived, pushDuplicates, pushUnknownSubscription, pushOtherAccount, pushWithoutID, pushDrought
  /// The last fetch.
  case fetchLastStartedAt, fetchLastFinishedAt, fetchLastSucceededAt, fetchLastReason, fetchLastResult
  /// What the last fetch read.
  case fetchRecords, fetchPages
  /// The last send, and until when the cloud asked to be left alone.
  case sendLastAt, retryAfter, quotaExceededAt
  /// How many conflicts were decided or heard of, and the record that two devices keep overwriting.
  case conflictTotal, stormRecord
}

extension DeviceKey {
  /// The keys of a database's position in its feed: its change token and the time at which it was stored. Nil for the public
  /// database, which has no feed.
  static func feedPosition(of scope: DatabaseScope) -> (token: DeviceKey, time: DeviceKey)? {
    switch scope {
    case .private: (.databaseToken, .databaseTokenAt)
    case .shared: (.sharedDatabaseToken, .sharedDatabaseTokenAt)
    case .public: nil
    }
  }
}
