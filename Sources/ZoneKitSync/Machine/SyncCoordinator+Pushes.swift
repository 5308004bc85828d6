import ZoneKitRecords

/// What the push service does.
extension SyncCoordinator {
  /// The push service has taken the device's hello: what it could not deliver before is to be caught up.
  public mutating func pushConnected(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    requestSyncIfNeeded(reason: .reconnect, at: now, using: &generator)
  }

  /// A push came. It says only that something changed: a fetch is scheduled unless it came before, or is not for us.
  public mutating func receivedPush(
    _ push: PushNotification, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    do throws(StoreError) {
      let verdict = try ledger.received(push, at: now)
      guard verdict.isNew else { return [.fact(verdict.fact)] }
      return [.fact(verdict.fact)] + requestSyncIfNeeded(reason: .push, at: now, using: &generator)
    } catch {
      return storeFailed(error, at: now, using: &generator)
    }
  }

  /// The push service does not know the device's token (any more): a new one is registered with the next sync.
  public mutating func pushTokenRefused(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    do throws(StoreError) {
      try ledger.forgetPushToken(at: now)
      return requestSyncIfNeeded(reason: .subscription, at: now, using: &generator)
    } catch {
      return storeFailed(error, at: now, using: &generator)
    }
  }

  /// The push service closed the device's connection because somebody else said hello with its token: a copy of the device
  /// is at work, as after a backup was restored to a second one. Two devices of one name would be kept from hearing of each
  /// other's changes, so this one takes a new name and a new token.
  public mutating func pushTokenTaken(
    at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    do throws(StoreError) {
      let newID = RandomIdentifier.uuid(using: &generator)
      try ledger.takeNewName(newID, at: now)
      return [.fact(.cloneDetected(nil, newDeviceID: newID))]
        + requestSyncIfNeeded(reason: .subscription, at: now, using: &generator)
    } catch {
      return storeFailed(error, at: now, using: &generator)
    }
  }
}
