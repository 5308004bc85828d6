import ZoneKitRecords

/// The reason why a record on a device differs from the cloud's, derived from the device's state.
package struct DifferenceReason: Hashable, Sendable {
  /// What happened to the record.
  package enum Event: Hashable, Sendable {
    /// The device's version is in quarantine, for that reason.
    case quarantined(String)
    /// The device's edit of that time was sent and is not answered yet.
    case unanswered(since: WallTime)
    /// The device's edit of that time was not sent yet. `cloudChangedAt` is the time of a change on the cloud that the
    /// device has not seen.
    case unsent(since: WallTime, isDeletion: Bool, cloudChangedAt: WallTime?)
    /// The device has not seen the change that the cloud committed at that time; nil if nothing tells when.
    case unseen(changedAt: WallTime?, Change)
    /// The device has seen the cloud's version and shows other content.
    case tampered(ChangeTag)
    /// The device has a version from a cloud that does not know the record.
    case forgotten
  }

  /// A change that a device has not seen.
  package enum Change: Hashable, Sendable {
    case saved
    case deleted
    case zoneDeleted
  }

  /// The cause that keeps device and cloud from agreeing. Times are by the cloud's clock.
  package enum Cause: Hashable, Sendable {
    case signedOut
    /// The device runs and says that it has no link.
    case noLink
    /// The last fetch of the running device failed because it did not reach the cloud.
    case offline(CloudErrorCode)
    case failing(CloudErrorCode)
    case askedToWait(until: WallTime)
    case quotaExceeded(since: WallTime)
    case neverFetched
    /// The fetch of the zone has begun and not ended.
    case zoneUnfinished
    /// The last fetch was after the change and did not bring it.
    case fetchedSince(WallTime)
    case pushUnhandled(receivedAt: WallTime)
    /// The last push came after the change, and the device ignored it.
    case pushIgnored(receivedAt: WallTime, IgnoredPush)
    case notSubscribed(DeviceDiagnostics.Subscription.State, error: String?)
    case notRunning
    case drought(lastPushAt: WallTime?)
    case pushLost(lastPushAt: WallTime?)
    /// The push service keeps the push, because the device is not connected. `isRunning` is that of the device.
    case pushWaits(DeviceDiagnostics.Socket?, isRunning: Bool)
    /// A fault of the service holds the push or the event of the channel back.
    case pushHeld(isEvent: Bool)
    /// A fault of the service dropped the push or the event of the channel at that time.
    case pushDropped(at: WallTime, isEvent: Bool)
    /// The cloud has no subscription of the device.
    case subscriptionMissing(String)
    /// The device's subscription in the cloud makes no silent pushes.
    case subscriptionMute(String)
    /// The device has no connection to the push service.
    case noPushSocket(DeviceDiagnostics.Socket)
    /// The push service has no registration of the device.
    case notRegistered
    /// No event of the device's channel announced the change.
    case eventLost(lastEventAt: WallTime?)
    /// Nothing announces changes of records of that type.
    case notAnnounced
  }

  /// What happened to the record.
  package var event: Event
  /// The cause, if the device's state shows it.
  package var cause: Cause?
  /// The time of the device's last successful fetch, by the cloud's clock.
  package var lastFetchAt: WallTime?

  /// The reason; nil if the device shows what the cloud has. `now` is by the cloud's clock.
  package init?(of device: DeviceSighting, cloud: CloudSighting, now: WallTime) {
    guard device.record?.local != cloud.content else { return nil }
    let event = Self.event(of: device, cloud: cloud)
    self.event = event
    cause = Self.cause(of: event, device: device, now: now)
    lastFetchAt = device.cloudTime(.fetchLastSucceededAt)
  }

  // MARK: What happened

  private static func event(of device: DeviceSighting, cloud: CloudSighting) -> Event {
    if let record = device.record, record.isPending {
      return pendingEvent(record, cloud: cloud, isSeen: device.hasSeen(cloud))
    }
    switch cloud {
    case .saved(let version):
      return device.hasSeen(cloud)
        ? .tampered(version.changeTag) : .unseen(changedAt: cloud.changedAt, .saved)
    case .deleted(let at): return .unseen(changedAt: at, .deleted)
    case .gone: return .unseen(changedAt: nil, .deleted)
    case .zoneDeleted(let at): return .unseen(changedAt: at, .zoneDeleted)
    case .unknown, .noZone: return .forgotten
    }
  }

  private static func pendingEvent(_ record: LocalRecord, cloud: CloudSighting, isSeen: Bool) -> Event {
    if let reason = record.quarantine { return .quarantined(reason.text) }
    let since = record.pendingSince ?? WallTime(milliseconds: 0)
    if let sent = record.sent, sent == SentVersion(record.local) { return .unanswered(since: since) }
    return .unsent(
      since: since, isDeletion: record.local == nil, cloudChangedAt: isSeen ? nil : cloud.changedAt)
  }

  // MARK: Causes

  private static func cause(of event: Event, device: DeviceSighting, now: WallTime) -> Cause? {
    switch event {
    case .quarantined, .tampered, .forgotten: nil
    case .unanswered, .unsent:
      obstacle(of: device, now: now) ?? quota(of: device) ?? (device.isRunning ? nil : .notRunning)
    case .unseen(let changedAt, _):
      (device.isOffline ? waitingPush(of: device, after: changedAt) : nil) ?? obstacle(of: device, now: now)
        ?? delay(of: device, after: changedAt)
    }
  }

  /// The cause that keeps the device from talking to the cloud at all. What a stopped device met before it ended says
  /// nothing about what came later.
  private static func obstacle(of device: DeviceSighting, now: WallTime) -> Cause? {
    guard device.text(.account) != nil else { return .signedOut }
    guard device.isRunning else { return nil }
    if device.isOffline { return .noLink }
    switch device.failure {
    case .notAuthenticated, .authenticationFailed, .accountTemporarilyUnavailable: return .signedOut
    case .networkUnavailable?: return .offline(.networkUnavailable)
    case .networkFailure?: return .offline(.networkFailure)
    case .serverResponseLost?: return .offline(.serverResponseLost)
    case let code?: return .failing(code)
    case nil: break
    }
    guard let until = device.cloudTime(.retryAfter), until > now else { return nil }
    return .askedToWait(until: until)
  }

  private static func quota(of device: DeviceSighting) -> Cause? {
    device.cloudTime(.quotaExceededAt).map { .quotaExceeded(since: $0) }
  }

  /// The reason why a device that could fetch did not.
  private static func delay(of device: DeviceSighting, after changedAt: WallTime?) -> Cause {
    if device.isRunning, device.zone?.isStale == true { return .zoneUnfinished }
    guard let fetchedAt = device.cloudTime(.fetchLastSucceededAt) else {
      return device.isRunning ? .neverFetched : .notRunning
    }
    guard let changedAt else { return untimedDelay(of: device) }
    // A fetch shows the changes before its beginning.
    let startedAt = device.cloudTime(.fetchLastStartedAt) ?? fetchedAt
    guard min(startedAt, fetchedAt) < changedAt else { return .fetchedSince(fetchedAt) }
    let pushedAt = device.cloudTime(.pushLastReceivedAt)
    if device.isRunning, device.announcement != .none, let pushedAt, pushedAt >= changedAt {
      return device.ignoredPush.map { .pushIgnored(receivedAt: pushedAt, $0) } ?? .pushUnhandled(receivedAt: pushedAt)
    }
    if let waiting = waitingPush(of: device, after: changedAt) { return waiting }
    guard device.isRunning else { return .notRunning }
    switch device.announcement {
    case .none: return .notAnnounced
    case .channel: return fault(of: device, after: changedAt, isEvent: true) ?? .eventLost(lastEventAt: pushedAt)
    case .subscription:
      return fault(of: device, after: changedAt, isEvent: false) ?? lack(of: device, lastPushAt: pushedAt)
    }
  }

  /// The fault of the service that met the push or event; nil if none did.
  private static func fault(of device: DeviceSighting, after changedAt: WallTime, isEvent: Bool) -> Cause? {
    guard let way = device.pushWay else { return nil }
    if way.held.contains(where: { $0 >= changedAt }) { return .pushHeld(isEvent: isEvent) }
    return way.dropped.first { $0 >= changedAt }.map { .pushDropped(at: $0, isEvent: isEvent) }
  }

  /// The same for a change of which nothing tells when it was committed.
  private static func untimedDelay(of device: DeviceSighting) -> Cause {
    guard device.isRunning else { return .notRunning }
    let isSilent = device.announcement == .none
    return isSilent ? .notAnnounced : .eventLost(lastEventAt: device.cloudTime(.pushLastReceivedAt))
  }

  /// The cause that the push service keeps the push for a device that is not connected; nil if it keeps none.
  private static func waitingPush(of device: DeviceSighting, after changedAt: WallTime?) -> Cause? {
    guard let changedAt, device.announcement == .subscription, device.subscriptionState == .active,
      let way = device.pushWay, way.waiting.contains(where: { $0 >= changedAt })
    else { return nil }
    return .pushWaits(way.socket, isRunning: device.isRunning)
  }

  /// The reason why no push came to a running device whose pushes come from a subscription.
  private static func lack(of device: DeviceSighting, lastPushAt: WallTime?) -> Cause {
    guard device.subscriptionState == .active else {
      return .notSubscribed(device.subscriptionState, error: device.text(.subscriptionError))
    }
    let way = device.pushWay
    if let socket = way?.socket, !socket.isConnected { return .noPushSocket(socket) }
    if way?.isRegistered == false { return .notRegistered }
    let id = device.text(.subscriptionID) ?? ""
    switch way?.subscription {
    case .missing: return .subscriptionMissing(id)
    case .mute: return .subscriptionMute(id)
    case .silent, nil: break
    }
    let isDry = device.values[.pushDrought]?.integer ?? 0 != 0
    return isDry ? .drought(lastPushAt: lastPushAt) : .pushLost(lastPushAt: lastPushAt)
  }
}
