import ZoneKitRecords

/// What a running coordinator knows beyond its store.
extension SyncCoordinator {
  /// What the coordinator is doing now.
  public var liveState: LiveState {
    if account == nil || availability.refusal != nil { return .signedOut }
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

  /// All there is to say about the device, under that name, at that time by its wall clock. Throws where the store cannot
  /// be read.
  public func diagnostics(name: String, at now: WallTime) throws(StoreError) -> DeviceDiagnostics {
    var diagnostics = try DeviceDiagnostics(
      of: store, name: name, state: liveState, journalZone: configuration.journalZone, at: now)
    if case .waiting = activity, conversation.activity == .checkingSubscription {
      diagnostics.subscription.state = .pending
    }
    return diagnostics
  }
}
