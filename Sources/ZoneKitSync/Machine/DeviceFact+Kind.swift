import ZoneKitRecords

extension DeviceFact {
  /// The kind of the fact, for journals, scenarios and crash points.
  package var kind: Fact.Kind {
    switch self {
    case .launched: .launched
    case .syncRequested: .syncRequested
    case .syncStarted: .syncStarted
    case .syncFinished: .syncFinished
    case .syncFailed: .syncFailed
    case .refreshEnded: .refreshEnded
    case .storeFailed: .storeFailed
    case .pushReceived: .pushReceived
    case .duplicatePush: .duplicatePush
    case .unknownSubscription: .unknownSubscription
    case .pushForOtherAccount: .pushForOtherAccount
    case .drought: .drought
    case .pushTokenRegistered: .pushTokenRegistered
    case .pushTokenRefused: .pushTokenRefused
    case .pushTokenFailed: .pushTokenFailed
    case .subscriptionChecked: .subscriptionChecked
    case .subscriptionFailed: .subscriptionFailed
    case .zoneCreated: .zoneCreated
    case .zoneRemoved: .zoneRemoved
    case .zoneLost: .zoneLost
    case .tokenExpired: .tokenExpired
    case .tokenStuck: .tokenStuck
    case .zoneFailed: .zoneFailed
    case .pageMerged: .pageMerged
    case .leftoversRemoved: .leftoversRemoved
    case .shownWithoutTarget: .shownWithoutTarget
    case .batchSent: .batchSent
    case .recordSent: .recordSent
    case .recordKept: .recordKept
    case .conflict: .conflict
    case .recognisedOwnWrite: .recognisedOwnWrite
    case .cloneDetected: .cloneDetected
    case .farFutureStamp: .farFutureStamp
    case .clockOff: .clockOff
    case .quarantined: .quarantined
    case .released: .released
    case .defaultZoneIsSilent: .defaultZoneIsSilent
    case .quotaExceeded: .quotaExceeded
    case .storm: .storm
    case .signedOut: .signedOut
    case .accountChanged: .accountChanged
    case .linkChanged: .linkChanged
    case .lateAnswer: .lateAnswer
    case .reset: .reset
    }
  }
}
