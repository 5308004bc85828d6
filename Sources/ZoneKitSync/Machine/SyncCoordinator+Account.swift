import ZoneKitRecords

/// Accounts and resets.
extension SyncCoordinator {
  /// Another account is signed in, or none. The data of one never reaches the other: unsent edits are set aside in the
  /// journal, everything else goes. The same account changes nothing, but ends the cloud's refusal of it. Throws where the
  /// store fails.
  public mutating func accountChanged(
    to account: Name?, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    guard account != self.account else {
      // Signed in again after the cloud refused the account.
      return availability.refusal == nil ? [] : requestSyncIfNeeded(reason: .account, at: now, using: &generator)
    }
    let effects = try changeAccount(to: account, at: now, using: &generator)
    return effects + requestSyncIfNeeded(reason: .account, at: now, using: &generator)
  }

  mutating func changeAccount(
    to account: Name?, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    do throws(StoreError) {
      let effects = try ledger.changeAccount(to: account, at: now, using: &generator)
      beginAnew()
      return effects
    } catch {
      // A disk that dies after the write has kept the account, which then needs all that a new one does.
      if account == self.account { beginAnew() }
      throw error
    }
  }

  /// Forgets what was under way for the account before, and what went wrong for it.
  private mutating func beginAnew() {
    abandonSync()
    ledger.forgetAccount()
    availability.forgetRefusal()
    conversation.accountChanged(configuration)
  }

  /// Forgets what a scripted reset says; the cloud is never touched. Throws where the store fails.
  public mutating func reset(
    _ reset: StoreReset, at now: Moment, using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> [Effect] {
    let (draft, discarded) = try ledger.draft(of: reset, at: now, using: &generator)
    // Before the disk is asked, which may fail after it has kept the reset: what is under way belongs to what is gone.
    abandonSync()
    ledger.gate.request(.reset, now: now.monotonic)
    try ledger.commit(draft)
    if reset != .tokens { conversation.deviceRenamed(configuration) }
    let fact = Effect.fact(.reset(reset, discarded: discarded))
    return [fact] + requestSyncIfNeeded(reason: .reset, at: now, using: &generator)
  }
}
