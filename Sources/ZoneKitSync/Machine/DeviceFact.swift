import ZoneKitRecords

/// Something that happened inside a coordinator, for journals and for people who look for a cause.
public enum DeviceFact: Hashable, Sendable {
  /// The app was launched for that account, with that name of the device.
  case launched(account: Name?, deviceID: String)
  /// A sync was requested for that reason.
  case syncRequested(SyncReason)
  /// A sync began, for all reasons since the last one.
  case syncStarted(SyncReasons)
  /// A sync ended without an error; it read so many records and pages.
  case syncFinished(SyncReasons, records: Int, pages: Int)
  /// A sync ended early; the next try is that many milliseconds away, nil where something has to happen first.
  case syncFailed(SyncReasons, CloudError, retryIn: Int64?)
  /// The device's store failed.
  case storeFailed(StoreError)
  /// A push arrived; the ID is nil where the push service dropped it.
  case pushReceived(notificationID: String?)
  /// A push arrived whose ID the device has seen; it is ignored.
  case duplicatePush(notificationID: String)
  /// A push named a subscription that is not the device's own; it is ignored.
  case unknownSubscription(String)
  /// A push was addressed to another account; it is ignored.
  case pushForOtherAccount(Name)
  /// Changes came without the push that should have announced them.
  case drought
  /// The cloud accepted the push token.
  case pushTokenRegistered(String)
  /// The push token could not be created or registered.
  case pushTokenFailed(CloudError)
  /// The subscription is there.
  case subscriptionChecked(SubscriptionCheck.Origin)
  /// The subscription could not be checked or created.
  case subscriptionFailed(CloudError)
  /// The device created a zone.
  case zoneCreated(ZoneID)
  /// The zone is gone from the cloud; so many edits were set aside in the journal.
  case zoneRemoved(ZoneID, discarded: Int, isPurge: Bool)
  /// The cloud lost the zone without saying that it was deleted; the device sends what it has again.
  case zoneLost(ZoneID, records: Int)
  /// A token is no longer good; the zone, or the whole database where nil, is read from the beginning.
  case tokenExpired(ZoneID?)
  /// A feed keeps promising more behind the same token.
  case tokenStuck(ZoneID?)
  /// The cloud answered a request about a zone with an error.
  case zoneFailed(ZoneID, CloudError)
  /// A page of a zone was merged and stored with its token.
  case pageMerged(ZoneID, records: Int, moreComing: Bool)
  /// A full fetch ended; so many records were not met and are gone.
  case leftoversRemoved(ZoneID, records: Int)
  /// A record is shown although one that it refers to is nowhere: the feed ended without it.
  case shownWithoutTarget(RecordID, missing: Name)
  /// A batch of saves and deletions left for the cloud.
  case batchSent(ZoneID, saves: Int, deletes: Int)
  /// The cloud accepted a record; the tag is nil for a deletion.
  case recordSent(RecordID, ChangeTag?)
  /// Two versions of a record were merged or one was chosen.
  case conflict(ConflictEntry)
  /// What the cloud holds is what this device sent without hearing back.
  case recognisedOwnWrite(RecordID)
  /// The cloud holds a version of this device's name that the device never sent, or somebody else took its push token: a copy
  /// of it is at work.
  case cloneDetected(RecordID?, newDeviceID: String?)
  /// An edit has a stamp far in the future, or replaces one.
  case farFutureStamp(RecordID, WallTime)
  /// The cloud's clock differs from the device's by so many milliseconds.
  case clockOff(offset: Int64)
  /// The cloud refuses a record for good; it is held back.
  case quarantined(RecordID, reason: String)
  /// A record that was held back is sent again.
  case released(RecordID)
  /// Edits in the default zone go up and never come down: it has no change feed and makes no pushes (sync semantics, 1.5).
  case defaultZoneIsSilent(RecordID)
  /// The storage of the account is full.
  case quotaExceeded
  /// These devices keep overwriting one record; the device pauses sending it.
  case storm(RecordID, devices: [String])
  /// Nobody is signed in, or the cloud refuses the account.
  case signedOut(CloudError?)
  /// Another account signed in; so many unsent edits were set aside in the journal.
  case accountChanged(from: Name?, to: Name?, discarded: Int)
  /// The device lost or got its link.
  case linkChanged(isOnline: Bool)
  /// An answer came for a request that the device no longer waits for.
  case lateAnswer(RequestID)
  /// The store was reset; so many unsent edits were set aside in the journal.
  case reset(StoreReset, discarded: Int)
}
