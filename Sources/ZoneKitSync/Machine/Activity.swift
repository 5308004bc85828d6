import ZoneKitRecords

/// The activity of a coordinator.
enum Activity: Hashable, Sendable {
  /// No sync is running. `hasFinished` tells whether the last one finished. If it did not, the cloud may have carried
  /// out a request whose answer the device did not receive.
  case idle(hasFinished: Bool)
  /// A sync is running and waits for an answer.
  case waiting(SyncSession, PendingRequest)

  /// Whether the last sync finished.
  var hasFinished: Bool {
    switch self {
    case .idle(let hasFinished): hasFinished
    case .waiting: false
    }
  }

  /// Whether a sync is running that sees each change of before.
  var isBeforeFeeds: Bool {
    switch self {
    case .idle: false
    case .waiting(let session, _): session.isBeforeFeeds
    }
  }
}

/// A request that waits for its answer.
struct PendingRequest: Hashable, Sendable {
  var id: RequestID
  var deadline: MonotonicTime
}
