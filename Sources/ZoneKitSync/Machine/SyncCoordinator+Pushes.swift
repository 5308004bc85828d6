import ZoneKitRecords

/// Events of the push service.
extension SyncCoordinator {
  /// The push service accepted the device's hello. The device fetches what it may have missed.
  public mutating func pushConnected(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    conversation.pushTokenAccepted(at: now)
    return connected(at: now, using: &generator)
  }

  /// The device is connected to a source of pushes or events. It fetches what it may have missed, unless the running sync
  /// has not asked for a feed yet: then that sync sees what came before, and pushes announce what comes after.
  package mutating func connected(at now: Moment, using generator: inout some RandomNumberGenerator) -> [Effect] {
    activity.isBeforeFeeds ? [] : requestSyncIfNeeded(reason: .reconnect, at: now, using: &generator)
  }

  /// A push arrived. It only reports that something changed: a fetch is scheduled unless the push is known or for
  /// another account or subscription. The hint, if there is one, says when to fetch and what.
  public mutating func receivedPush(
    _ push: PushNotification, hint: PushHint? = nil, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    do throws(StoreError) {
      let verdict = try ledger.received(push, hint: hint, at: now)
      guard verdict.isNew else { return [.fact(verdict.fact)] }
      var pace = ledger.gate.pace(of: .push)
      if let quiet = hint?.quiet { pace.quiet = max(quiet, 0) }
      if let limit = hint?.limit { pace.limit = max(limit, 0) }
      return [.fact(verdict.fact)] + requestSync(.push, pace: pace, at: now, using: &generator)
    } catch {
      return storeFailed(error, at: now, using: &generator)
    }
  }

  /// The push service does not know the device's token. A new one is registered with the next sync, or after a pause if
  /// the service has refused several.
  public mutating func pushTokenRefused(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    let wait = conversation.pushTokenRefused(configuration, at: now)
    do throws(StoreError) {
      try ledger.forgetPushToken(at: now)
      return [.fact(.pushTokenRefused(retryIn: wait))] + requestToken(after: wait, at: now, using: &generator)
    } catch {
      return storeFailed(error, at: now, using: &generator)
    }
  }

  /// The push service closed the connection because another client said hello with the device's token: a copy of the
  /// device is active, as after a backup was restored to a second device. Two devices with one device ID would get no
  /// pushes for each other's changes, so this one gets a new device ID and a new token.
  public mutating func pushTokenTaken(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    let wait = conversation.pushTokenRefused(configuration, at: now)
    do throws(StoreError) {
      let newID = RandomIdentifier.uuid(using: &generator)
      try ledger.takeNewName(newID, at: now)
      return [.fact(.cloneDetected(nil, newDeviceID: newID))]
        + requestToken(after: wait, at: now, using: &generator)
    } catch {
      return storeFailed(error, at: now, using: &generator)
    }
  }

  /// Requests a sync that registers a new push token, after a pause in milliseconds.
  private mutating func requestToken(
    after wait: Int64, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    guard wait > 0 else { return requestSyncIfNeeded(reason: .subscription, at: now, using: &generator) }
    ledger.requestSync(.retry, at: now.monotonic.advanced(byMilliseconds: wait))
    return []
  }
}
