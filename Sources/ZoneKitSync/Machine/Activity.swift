import ZoneKitRecords

/// What a coordinator is in the middle of.
enum Activity: Hashable, Sendable {
  /// No sync runs. `hasFinished` says whether the last one came to its end: else the cloud may have done what this device
  /// did not hear of.
  case idle(hasFinished: Bool)
  /// A sync runs and a request of it is under way.
  case waiting(SyncSession, PendingRequest)

  /// Whether the last sync came to its end.
  var hasFinished: Bool {
    switch self {
    case .idle(let hasFinished): hasFinished
    case .waiting: false
    }
  }
}

/// A request whose answer is awaited.
struct PendingRequest: Hashable, Sendable {
  var id: RequestID
  var deadline: MonotonicTime
}
