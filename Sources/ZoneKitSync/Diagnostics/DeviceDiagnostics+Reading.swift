import ZoneKitRecords

extension DeviceDiagnostics {
  /// The diagnostics from a store at that time. If `state` is nil, the device is not running. Throws if the store cannot be read.
  public init(
    of store: some DeviceStore, name: String, state: LiveState? = nil,
    journalZone: ZoneID? = ZoneID(zoneName: "ConflictJournal"), at now: WallTime
  ) throws(StoreError) {
    let memory = try DeviceMemory(reading: store)
    let census = try store.census()
    self.name = name
    user = memory.account
    self.state = state ?? .notRunning
    push = Push(memory)
    if state == nil, memory.text(.pushToken) != nil {
      push.socket = Socket(isConnected: false, reason: "the device is not running")
    }
    fetch = Fetch(memory, at: now)
    send = Send(memory, census, quarantined: try store.quarantined(limit: .max))
    subscription = Subscription(memory)
    conflicts = Conflicts(memory, last: try store.conflicts(limit: Self.conflictLimit))
    clockOffset = memory.integer(.clockOffset)
    counts = Self.counts(census, without: journalZone)
    traces = try store.traces(limit: Self.traceLimit)
  }

  private static func counts(_ census: DeviceCensus, without journalZone: ZoneID?) -> [Count] {
    var counts: [Count] = []
    let shown = census.counts.filter { $0.zoneID != journalZone }
    for entry in shown.sorted(by: { $0.recordType < $1.recordType }) {
      if let last = counts.last, last.recordType == entry.recordType {
        counts[counts.count - 1].count += entry.count
      } else {
        counts.append(Count(recordType: entry.recordType, count: entry.count))
      }
    }
    return counts
  }
}

extension DeviceDiagnostics.Push {
  fileprivate init(_ memory: DeviceMemory) {
    self.init(
      lastReceivedAt: memory.time(.pushLastReceivedAt), lastNotificationID: memory.text(.pushLastNotificationID),
      lastSentAt: memory.time(.pushLastSentAt), lastHandledAt: memory.time(.pushLastHandledAt),
      lastLedToChangeAt: memory.time(.pushLastLedToChangeAt), received: memory.integer(.pushReceived) ?? 0,
      duplicates: memory.integer(.pushDuplicates) ?? 0,
      unknownSubscription: memory.integer(.pushUnknownSubscription) ?? 0,
      otherAccount: memory.integer(.pushOtherAccount) ?? 0, withoutID: memory.integer(.pushWithoutID) ?? 0,
      drought: memory.integer(.pushDrought) ?? 0 != 0)
  }
}

extension DeviceDiagnostics.Fetch {
  fileprivate init(_ memory: DeviceMemory, at now: WallTime) {
    self.init(
      lastStartedAt: memory.time(.fetchLastStartedAt), lastFinishedAt: memory.time(.fetchLastFinishedAt),
      lastSucceededAt: memory.time(.fetchLastSucceededAt), lastReason: memory.text(.fetchLastReason),
      lastResult: memory.text(.fetchLastResult), records: memory.integer(.fetchRecords) ?? 0,
      pages: memory.integer(.fetchPages) ?? 0,
      tokenAge: DatabaseScope.allCases.compactMap { memory.databaseTokenTime(of: $0) }.max().map {
        now.milliseconds - $0.milliseconds
      })
  }
}

extension DeviceDiagnostics.Send {
  fileprivate init(_ memory: DeviceMemory, _ census: DeviceCensus, quarantined: [LocalRecord]) {
    self.init(
      lastAt: memory.time(.sendLastAt), pending: census.pending, oldestPendingAt: census.oldestPendingAt,
      quarantined: quarantined.map { .init(recordID: $0.recordID, reason: $0.quarantine?.text ?? "") },
      retryAfter: memory.time(.retryAfter))
  }
}

extension DeviceDiagnostics.Subscription {
  fileprivate init(_ memory: DeviceMemory) {
    self.init(
      id: memory.text(.subscriptionID),
      state: memory.subscriptionState, origin: memory.subscriptionOrigin,
      verifiedAt: memory.time(.subscriptionVerifiedAt), error: memory.text(.subscriptionError))
  }
}

extension DeviceDiagnostics.Conflicts {
  fileprivate init(_ memory: DeviceMemory, last: [ConflictEntry]) {
    self.init(total: memory.integer(.conflictTotal) ?? 0, last: last, storm: memory.text(.stormRecord))
  }
}
