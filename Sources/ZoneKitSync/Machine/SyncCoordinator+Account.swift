import ZoneKitRecords

/// Accounts and resets.
extension SyncCoordinator {
  /// The account's session is over for that reason. No sync is tried until the user signs in or asks for one. A running sync
  /// learns it from the answer to its request.
  package mutating func sessionEnded(_ reason: String) -> [Effect] {
    guard account != nil, case .idle = activity, !availability.refusesAccount else { return [] }
    let error = CloudError(.notAuthenticated, reason)
    availability.refused(error)
    return [.fact(.signedOut(error))]
  }

  /// Another account signed in, or none. No data of one account is uploaded to another: unsent edits are moved to the
  /// journal, everything else is removed, also the app's own values. What was written while nobody was signed in goes
  /// to the account as the configuration says. For the present account it only ends a refusal by the cloud. The changes
  /// of the app's values are stored with it. Throws if the store fails, or the app's rule refuses.
  public mutating func accountChanged(
    to account: Name?, setting appValues: [AppValueChange] = [], at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    guard account != self.account else {
      _ = try ledger.edit([], setting: appValues, at: now)
      // The user signed in again after the cloud refused the account.
      return availability.refusal == nil ? [] : requestSyncIfNeeded(reason: .account, at: now, using: &generator)
    }
    let effects = try changeAccount(to: account, setting: appValues, at: now, using: &generator)
    return effects + requestSyncIfNeeded(reason: .account, at: now, using: &generator)
  }

  /// Signs the account out and gives the device records and values that were written while nobody was signed in, for
  /// example those of a backup, in place of everything else. They wait to be sent in that order. Throws if the store
  /// fails.
  package mutating func signOut(
    restoring records: [LocalRecord], _ appValues: [String: DeviceValue], at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    guard let account else { return [] }
    let kept = records.map { LocalRecord(recordID: $0.recordID, recordType: $0.recordType, local: $0.local) }
    let restored = Adoption(account: account, records: kept, appValues: appValues)
    return try changeAccount(to: nil, restoring: restored, at: now, using: &generator)
  }

  mutating func changeAccount(
    to account: Name?, setting appValues: [AppValueChange] = [], restoring restored: Adoption? = nil, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    do throws(StoreError) {
      let effects = try ledger.changeAccount(
        to: account, setting: appValues, restoring: restored, at: now, using: &generator)
      beginAnew()
      return effects
    } catch {
      // A disk that fails after the write has kept the account, which then has to be treated as new.
      if account == self.account { beginAnew() }
      throw error
    }
  }

  /// Resets the state that belongs to the previous account.
  private mutating func beginAnew() {
    abandonSync()
    ledger.forgetAccount()
    availability.forgetRefusal()
    conversation.accountChanged(configuration)
  }

  /// Performs a scripted reset. The cloud is unchanged. Throws if the store fails.
  public mutating func reset(
    _ reset: StoreReset, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    let (draft, discarded) = try ledger.draft(of: reset, at: now)
    // Before the write: a disk may keep the reset and then fail, and the pending request belongs to the removed data.
    abandonSync()
    ledger.gate.request(.reset, now: now.monotonic)
    try ledger.commit(draft)
    if reset != .tokens { conversation.pushTokenDropped(configuration) }
    let fact = Effect.fact(.reset(reset, discarded: discarded))
    return [fact] + requestSyncIfNeeded(reason: .reset, at: now, using: &generator)
  }
}
