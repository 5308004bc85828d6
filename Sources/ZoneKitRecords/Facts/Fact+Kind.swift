extension Fact {
  /// Every kind of fact. The raw value is the kind's name in JSON, in scenarios and in the names of crash points.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    // A device's coordinator. `DeviceFact` describes each.
    /// A device's launch, its syncs, and failures of its store.
    case launched, syncRequested, syncStarted, syncFinished, syncFailed, refreshEnded, storeFailed
    /// Pushes as they reach a device.
    case pushReceived, duplicatePush, unknownSubscription, pushForOtherAccount, drought
    /// A device's push token and subscription.
    case pushTokenRegistered, pushTokenRefused, pushTokenFailed, subscriptionChecked, subscriptionFailed
    /// The zones that a device knows, and its change tokens.
    case zoneCreated, zoneRemoved, zoneLost, tokenExpired, tokenStuck, zoneFailed
    /// What a device fetched, merged and sent.
    case pageMerged, leftoversRemoved, shownWithoutTarget, batchSent, recordSent, recordKept, conflict,
      recognisedOwnWrite, cloneDetected
    /// Stamps, clocks, and records that a device holds back.
    case farFutureStamp, clockOff, quarantined, released, defaultZoneIsSilent, quotaExceeded, storm
    /// A device's account and link, and resets of its store.
    case signedOut, accountChanged, linkChanged, lateAnswer, reset
    // The cloud.
    /// Commits of the cloud.
    case committed, commitFailed
    /// Answers to requests for documents.
    case documentsServed
    // The push service.
    /// Push tokens and the devices that are connected to the push service.
    case tokenRegistered, tokenUnregistered, tokenRetired, subscriberConnected, subscriberDisconnected, helloRefused
    /// What the push service did with a notification.
    case notificationHandled
    /// A fault that hit a notification or an event on its way to a receiver.
    case pushDisturbed
    // The channels of tables.
    /// Sockets and their channels.
    case socketOpened, socketClosed, channelJoined, channelRefused, channelLeft
    /// The event of a change of a row, sent to channels.
    case changeSent
  }
}

extension Fact.Kind {
  /// A source of facts.
  public enum Source: String, CaseIterable, Sendable {
    /// A device's coordinator.
    case device
    /// The cloud.
    case cloud
    /// The push service, and the channels of tables.
    case push
  }

  /// The source of facts of this kind.
  public var source: Source {
    switch self {
    case .launched, .syncRequested, .syncStarted, .syncFinished, .syncFailed, .refreshEnded, .storeFailed,
      .pushReceived, .duplicatePush, .unknownSubscription, .pushForOtherAccount, .drought, .pushTokenRegistered,
      .pushTokenRefused,
      .pushTokenFailed, .subscriptionChecked, .subscriptionFailed, .zoneCreated, .zoneRemoved, .zoneLost, .tokenExpired,
      .tokenStuck,
      .zoneFailed, .pageMerged, .leftoversRemoved, .shownWithoutTarget, .batchSent, .recordSent, .recordKept, .conflict,
      .recognisedOwnWrite, .cloneDetected, .farFutureStamp, .clockOff, .quarantined, .released, .defaultZoneIsSilent,
      .quotaExceeded, .storm, .signedOut, .accountChanged, .linkChanged, .lateAnswer, .reset:
      .device
    case .committed, .commitFailed, .documentsServed: .cloud
    case .tokenRegistered, .tokenUnregistered, .tokenRetired, .subscriberConnected, .subscriberDisconnected,
      .helloRefused, .notificationHandled, .pushDisturbed, .socketOpened, .socketClosed, .channelJoined,
      .channelRefused, .channelLeft, .changeSent:
      .push
    }
  }

  /// The kinds of facts from that source.
  public static func all(of source: Source) -> [Fact.Kind] { allCases.filter { $0.source == source } }

  /// The value of `event` in JSON. Some kinds share it; they differ in the member `fact`.
  public var event: String {
    switch self {
    case .pushReceived, .duplicatePush: "push"
    case .unknownSubscription, .pushForOtherAccount: "pushIgnored"
    case .pushTokenRegistered, .pushTokenRefused, .pushTokenFailed: "pushToken"
    case .subscriptionChecked, .subscriptionFailed: "subscription"
    case .recordSent: "sent"
    case .recognisedOwnWrite: "ownWrite"
    case .defaultZoneIsSilent: "defaultZone"
    case .linkChanged: "link"
    case .launched, .syncRequested, .syncStarted, .syncFinished, .syncFailed, .refreshEnded, .storeFailed, .drought,
      .zoneCreated,
      .zoneRemoved, .zoneLost, .tokenExpired, .tokenStuck, .zoneFailed, .pageMerged, .leftoversRemoved,
      .shownWithoutTarget, .batchSent, .recordKept, .conflict, .cloneDetected, .farFutureStamp, .clockOff, .quarantined,
      .released,
      .quotaExceeded, .storm, .signedOut,
      .accountChanged, .lateAnswer, .reset, .committed, .commitFailed, .documentsServed, .tokenRegistered,
      .tokenUnregistered, .tokenRetired, .subscriberConnected, .subscriberDisconnected, .helloRefused,
      .notificationHandled, .pushDisturbed, .socketOpened, .socketClosed, .channelJoined, .channelRefused,
      .channelLeft, .changeSent:
      rawValue
    }
  }
}
