/// The facts that a device's coordinator can report, with the names of the cases of `Fact`.
package enum ReportedFact: String, CaseIterable, Hashable, Sendable {
  case launched, syncRequested, syncStarted, syncFinished, syncFailed, storeFailed
  case pushReceived, duplicatePush, unknownSubscription, pushForOtherAccount, drought
  case pushTokenRegistered, pushTokenFailed, subscriptionChecked, subscriptionFailed
  case zoneCreated, zoneRemoved, zoneLost, tokenExpired, tokenStuck, zoneFailed
  case pageMerged, leftoversRemoved, shownWithoutTarget, batchSent, recordSent, conflict, recognisedOwnWrite,
    cloneDetected
  case farFutureStamp, clockOff, quarantined, released, defaultZoneIsSilent, quotaExceeded, storm
  case signedOut, accountChanged, linkChanged, lateAnswer, reset
}
