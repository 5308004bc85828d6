import ZoneKitRecords

/// What a tool that watches a coordinator may see of it, and an app has no use for.
extension SyncCoordinator {
  /// Whether a sync runs.
  package var isSyncing: Bool { ledger.gate.isSyncing }

  /// The request whose answer is awaited; nil where none is.
  package var awaitedRequest: RequestID? {
    if case .waiting(_, let request) = activity { request.id } else { nil }
  }

  /// What is known of every zone, ascending by zone ID; as committed last.
  package var zoneStates: [ZoneState] { ledger.zones }

  /// Up to where the database's feed was read; nil before its first page; as committed last.
  package var databaseToken: ChangeToken? { ledger.databaseToken }
}
