import ZoneKitRecords

/// Something that happened inside a coordinator, for journals and for people who look for a cause.
public enum DeviceFact: Hashable, Sendable {
  case launched(account: Name?, deviceID: String)
  case syncRequested(SyncReason)
  case syncStarted(SyncReasons)
  case syncFinished(SyncReasons, records: Int, pages: Int)
  /// A sync ended early; the next try is that many milliseconds away, nil where something has to happen first.
  case syncFailed(SyncReasons, CloudError, retryIn: Int64?)
  case storeFailed(StoreError)
  case pushReceived(notificationID: String?)
  case duplicatePush(notificationID: String)
  case unknownSubscription(String)
  case pushForOtherAccount(Name)
  /// Changes came without the push that should have announced them.
  case drought
  case pushTokenRegistered(String)
  case pushTokenFailed(CloudError)
  case subscriptionChecked(SubscriptionCheck.Origin)
  case subscriptionFailed(CloudError)
  case zoneCreated(ZoneID)
  /// The zone is gone from the cloud; so many edits were set aside in the journal.
  case zoneRemoved(ZoneID, discarded: Int, isPurge: Bool)
  /// The cloud lost the zone without saying that it was deleted; the device sends what it has again.
  case zoneLost(ZoneID, records: Int)
  /// A token is no longer good; the zone, or the whole database where nil, is read from the beginning.
  case tokenExpired(ZoneID?)
  /// A feed keeps promising more behind the same token.
  case tokenStuck(ZoneID?)
  case zoneFailed(ZoneID, CloudError)
  case pageMerged(ZoneID, records: Int, moreComing: Bool)
  /// A full fetch ended; so many records were not met and are gone.
  case leftoversRemoved(ZoneID, records: Int)
  /// A record is shown although one that it leans on is nowhere: the feed ended without it.
  case shownWithoutTarget(RecordID, missing: Name)
  case batchSent(ZoneID, saves: Int, deletes: Int)
  case recordSent(RecordID, ChangeTag?)
  case conflict(ConflictEntry)
  /// What the cloud holds is what this device sent without hearing back.
  case recognisedOwnWrite(RecordID)
  /// The cloud holds a version of this device's name that the device never sent, or somebody else took its push token: a copy
  /// of it is at work.
  case cloneDetected(RecordID?, newDeviceID: String?)
  case farFutureStamp(RecordID, WallTime)
  case clockOff(offset: Int64)
  case quarantined(RecordID, reason: String)
  case released(RecordID)
  /// Edits in the default zone go up and never come down: it has no change feed and makes no pushes (sync semantics, 1.5).
  case defaultZoneIsSilent(RecordID)
  case quotaExceeded
  case storm(RecordID, devices: [String])
  case signedOut(CloudError?)
  case accountChanged(from: Name?, to: Name?, discarded: Int)
  case linkChanged(isOnline: Bool)
  case lateAnswer(RequestID)
  case reset(StoreReset, discarded: Int)
}
