import ZoneKitRecords

/// An event inside a coordinator, for journals and diagnostics.
public enum DeviceFact: Hashable, Sendable {
  /// The app was launched with that account and device ID.
  case launched(account: Name?, deviceID: String)
  /// A sync was requested for that reason.
  case syncRequested(SyncReason)
  /// A sync began, for all reasons since the last one.
  case syncStarted(SyncReasons)
  /// A sync ended without an error, with the number of records and feed pages.
  case syncFinished(SyncReasons, records: Int, pages: Int)
  /// A sync failed. The next attempt is that many milliseconds away; nil if an event has to come first.
  case syncFailed(SyncReasons, CloudError, retryIn: Int64?)
  /// A background refresh ended. `isWell` tells whether its sync had no error and ended in time.
  case refreshEnded(isWell: Bool)
  /// The device's store failed.
  case storeFailed(StoreError)
  /// A push was received. The ID is nil if the push service removed it.
  case pushReceived(notificationID: String?)
  /// A push with a known notification ID was received and ignored.
  case duplicatePush(notificationID: String)
  /// A push for a subscription that is not the device's own was received and ignored.
  case unknownSubscription(String)
  /// A push for another account was received and ignored.
  case pushForOtherAccount(Name)
  /// Changes arrived without the push that should have announced them.
  case drought
  /// The cloud accepted the push token.
  case pushTokenRegistered(String)
  /// The push service does not know the push token. A new one is registered after that pause, in milliseconds.
  case pushTokenRefused(retryIn: Int64)
  /// The push token could not be created or registered.
  case pushTokenFailed(CloudError)
  /// The subscription was verified.
  case subscriptionChecked(SubscriptionCheck.Origin)
  /// The subscription could not be checked or created.
  case subscriptionFailed(CloudError)
  /// The device created a zone.
  case zoneCreated(ZoneID)
  /// The zone does not exist in the cloud any more. `discarded` edits were moved to the journal.
  case zoneRemoved(ZoneID, discarded: Int, isPurge: Bool)
  /// The cloud lost the zone without reporting a deletion. The device uploads its records again.
  case zoneLost(ZoneID, records: Int)
  /// The cloud refused a change token. The zone, or the whole database if nil, is read from its beginning.
  case tokenExpired(ZoneID?)
  /// A feed repeatedly reports more changes after the same token. It is that of the database if nil.
  case tokenStuck(ZoneID?)
  /// The cloud answered a request about a zone with an error.
  case zoneFailed(ZoneID, CloudError)
  /// A page of a zone was merged and stored with its token.
  case pageMerged(ZoneID, records: Int, moreComing: Bool)
  /// A full fetch ended. `records` records that it did not see were removed.
  case leftoversRemoved(ZoneID, records: Int)
  /// A record is shown although a record to which it refers is missing: the feed was read to its end without it.
  case shownWithoutTarget(RecordID, missing: Name)
  /// A batch of saves and deletions was sent.
  case batchSent(ZoneID, saves: Int, deletes: Int)
  /// The cloud accepted a record. The tag is nil for a deletion.
  case recordSent(RecordID, ChangeTag?)
  /// The cloud kept its own version of a record, with that tag, instead of the one that was sent.
  case recordKept(RecordID, ChangeTag)
  /// A conflict was decided: two versions of a record were merged, or one was chosen.
  case conflict(ConflictEntry)
  /// The cloud's version is one that this device sent without receiving an answer.
  case recognisedOwnWrite(RecordID)
  /// The cloud has a version by this device's ID that the device never sent, or another client uses its push token: a
  /// copy of the device exists.
  case cloneDetected(RecordID?, newDeviceID: String?)
  /// An edit has a time stamp far in the future, or replaces a version with one.
  case farFutureStamp(RecordID, WallTime)
  /// The difference of the cloud's clock from the device's, in milliseconds.
  case clockOff(offset: Int64)
  /// The cloud refuses a record permanently. It is in quarantine.
  case quarantined(RecordID, reason: String)
  /// A record that was in quarantine is sent again.
  case released(RecordID)
  /// An edit in the default zone is uploaded, but other devices do not get it: that zone has no change feed and makes
  /// no pushes (sync semantics, 1.5).
  case defaultZoneIsSilent(RecordID)
  /// The account's storage is full.
  case quotaExceeded
  /// These devices keep overwriting one record. The device pauses sending it.
  case storm(RecordID, devices: [String])
  /// No account is signed in, or the cloud refuses the account with that error.
  case signedOut(CloudError?)
  /// Another account signed in. `discarded` unsent edits were moved to the journal.
  case accountChanged(from: Name?, to: Name?, discarded: Int)
  /// The device lost or regained its link.
  case linkChanged(isOnline: Bool)
  /// An answer arrived for a request that the device no longer waits for.
  case lateAnswer(RequestID)
  /// The store was reset. `discarded` unsent edits were moved to the journal.
  case reset(StoreReset, discarded: Int)
}
