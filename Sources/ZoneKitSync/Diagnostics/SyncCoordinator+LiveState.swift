import ZoneKitRecords

/// What a running coordinator knows beyond its store.
extension SyncCoordinator {
  /// What the coordinator is doing now.
  public var liveState: LiveState {
    if memory.account == nil || refusal != nil { return .signedOut }
    if !isOnline { return .offline }
    switch activity {
    case .waiting(let session, _): return session.phase?.liveState ?? .fetching
    case .idle where backoff.failures > 0: return .backingOff
    case .idle: return gate.isWaiting ? .debouncing : .idle
    }
  }

  /// All there is to say about the device, under that name, at that time by its wall clock. Throws where the store cannot
  /// be read.
  public func diagnostics(name: String, at now: WallTime) throws(StoreError) -> DeviceDiagnostics {
    var diagnostics = try DeviceDiagnostics(
      of: store, name: name, state: liveState, journalZone: configuration.journalZone, at: now)
    if case .waiting(let session, _) = activity, case .checkingSubscription = session.phase {
      diagnostics.subscription.state = .pending
    }
    return diagnostics
  }
}

extension SyncSession.Phase {
  /// What a device is doing while the answer to such a request is awaited.
  fileprivate var liveState: LiveState {
    switch self {
    case .creatingZone, .sending: .sending
    case .creatingToken, .registeringToken, .checkingSubscription, .fetchingDatabase, .fetchingZones, .lookingUp:
      .fetching
    }
  }
}
