import ZoneKitRecords

/// State of a coordinator for diagnostic tools. Apps do not need it.
extension SyncCoordinator {
  /// Whether a sync is running.
  package var isSyncing: Bool { ledger.gate.isSyncing }

  /// The request that waits for an answer; nil if there is none.
  package var awaitedRequest: RequestID? {
    if case .waiting(_, let request) = activity { request.id } else { nil }
  }

  /// The committed states of all zones, in ascending order of zone IDs.
  package var zoneStates: [ZoneState] { ledger.zones }

  /// The committed token of the database's feed; nil before its first page.
  package var databaseToken: ChangeToken? { ledger.databaseToken }
}
