import ZoneKitSync

/// A sync for more than edits reads the database's feed, and registers a push token if there is none.
package struct SyncContentChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting],
    facts: [
      .storeFailed, .syncStarted, .cloneDetected, .pushTokenRefused, .pushTokenFailed, .pushTokenRegistered, .reset,
      .signedOut, .accountChanged, .syncFinished,
    ])

  /// Whether the app wants pushes.
  private let wantsPushes: Bool
  /// Whether the cloud has a feed of the database.
  private let readsDatabaseFeed: Bool
  /// Whether the running sync began without a push token, so that it has to register one.
  private var isWithoutToken = false
  /// Whether a push token was refused, and none was registered since.
  private var hasTokenFailed = false

  /// A checker at the start of a log.
  package init(_ configuration: CoordinatorConfiguration) {
    wantsPushes = configuration.pushes.subscriptionID != nil
    readsDatabaseFeed = configuration.traits.conversation.readsDatabaseFeed(configuration)
  }

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: (isWithoutToken, hasTokenFailed) = (false, false)
    case .fact(.syncStarted): isWithoutToken = wantsPushes && entry.device.pushToken == nil
    // The push service closed the connection for another client with the same token. If that happens again, the next
    // token has to wait.
    case .fact(.cloneDetected(nil, _)): (isWithoutToken, hasTokenFailed) = (false, true)
    // A device with a new device ID gets a new token with the next sync.
    case .fact(.cloneDetected): isWithoutToken = false
    // A disk that failed after the write may have kept one of these, which is then not reported.
    case .fact(.pushTokenFailed), .fact(.storeFailed): hasTokenFailed = true
    case .fact(.pushTokenRefused(let wait)): hasTokenFailed = hasTokenFailed || wait > 0
    case .fact(.pushTokenRegistered), .fact(.reset(.local, _)), .fact(.signedOut), .fact(.accountChanged):
      hasTokenFailed = false
    case .fact(.syncFinished(let reasons, _, _)): return finished(reasons, entry.device, history)
    default: break
    }
    return nil
  }

  private func finished(_ reasons: SyncReasons, _ device: DeviceSnapshot, _ history: DeviceHistory) -> Finding? {
    guard !reasons.areOfEdits else { return nil }
    if isWithoutToken, !hasTokenFailed, device.pushToken == nil {
      return Finding(.requestMissing, "a sync ended, and no push token was registered")
    }
    guard !(readsDatabaseFeed ? history.hasAskedDatabase : history.hasAskedZones) else { return nil }
    let feed = readsDatabaseFeed ? "the database's feed was not asked" : "no zone's feed was asked"
    return Finding(.requestMissing, "a sync for \(reasons.text) ended, and \(feed)")
  }
}
