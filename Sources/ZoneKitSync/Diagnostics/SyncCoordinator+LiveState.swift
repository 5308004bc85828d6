import ZoneKitRecords

/// State of a running coordinator that is not in its store.
extension SyncCoordinator {
  /// The present activity.
  public var liveState: LiveState {
    if account == nil || availability.refusesAccount { return .signedOut }
    if !availability.isOnline { return .offline }
    switch activity {
    case .waiting:
      switch conversation.activity {
      case .fetching, .checkingSubscription: return .fetching
      case .sending: return .sending
      }
    case .idle where ledger.backoff.failures > 0: return .backingOff
    case .idle: return ledger.gate.isWaiting ? .debouncing : .idle
    }
  }

  /// The diagnostics of the device at that time of its wall clock. Throws if the store cannot be read.
  public func diagnostics(name: String, at now: WallTime) throws(StoreError) -> DeviceDiagnostics {
    var diagnostics = try DeviceDiagnostics(
      of: store, name: name, state: liveState, journalZone: configuration.traits.journalZone, at: now)
    if case .waiting = activity, conversation.activity == .checkingSubscription {
      diagnostics.subscription.state = .pending
    }
    return diagnostics
  }
}
