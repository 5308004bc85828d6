import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// The part of the diagnostics dump about a device whose app's rows lie in the tables of a server, as JSON.
enum TableReport {
  /// The device's entry in the dump, with the members that other devices do not have, or have with another value.
  static func device(
    _ diagnostics: DeviceDiagnostics, _ sight: TableSight, store: DeviceFile, at now: WallTime
  ) throws(StoreError) -> JSON {
    let own = try members(diagnostics, sight, store: store, at: now)
    let common = DeviceReport.device(diagnostics).object ?? []
    return .object(common.filter { member in !own.contains { $0.key == member.key } } + own)
  }

  private static func members(
    _ diagnostics: DeviceDiagnostics, _ sight: TableSight, store: DeviceFile, at now: WallTime
  ) throws(StoreError) -> [JSON.Member] {
    var facts = sight.facts(lastResult: diagnostics.fetch.lastResult)
    facts.pending = diagnostics.send.pending
    facts.lastSync = diagnostics.fetch.lastSucceededAt
    let status = SyncStatus(facts, at: now)
    return [JSON.Member](known: [
      "state": .string(sight.isRunning ? status.state.rawValue : LiveState.notRunning.rawValue),
      "since": time(sight.since), "email": text(sight.session?.email), "lastSync": time(facts.lastSync),
      "lastSyncDate": time(facts.lastSync), "isSyncing": .bool(sight.isSyncing), "syncError": text(facts.error),
      "lastError": try lastError(facts.error, diagnostics, store),
      "pending": .integer(Int64(diagnostics.send.pending)),
      "quarantined": .integer(Int64(diagnostics.send.quarantined.count)), "refused": .integer(Int64(sight.refused)),
      "indicator": indicator(status.indicator), "realtime": realtime(sight, diagnostics.push), "protocol": "tables",
      "session": session(sight), "photos": sight.photos, "migration": sight.migration?.json ?? .null,
      "tables": try tables(sight, store: store),
    ])
  }

  /// The error of the last sync; without one the refusal of the last row that was set aside, with its record.
  private static func lastError(
    _ error: String?, _ diagnostics: DeviceDiagnostics, _ store: DeviceFile
  ) throws(StoreError) -> JSON {
    if let error {
      return ["text": .string(error), "at": time(diagnostics.fetch.lastFinishedAt), "record": .null]
    }
    let setAside = try store.quarantined(limit: .max)
    // Rows that wait for a refused one say less than that one.
    let refused = setAside.filter { if case .refused? = $0.quarantine { true } else { false } }
    let last = (refused.isEmpty ? setAside : refused).max { $0.revision < $1.revision }
    guard let last, let reason = last.quarantine else { return .null }
    return [
      "text": .string(reason.text), "at": time(last.pendingSince),
      "record": .string(last.recordID.recordName.text),
    ]
  }

  private static func indicator(_ indicator: SyncStatus.Indicator?) -> JSON {
    indicator.map {
      ["icon": .string($0.icon), "tone": .string($0.tone.rawValue), "text": .string($0.text)]
    } ?? .null
  }

  /// The session of the account: whether it goes on, and why not.
  private static func session(_ sight: TableSight) -> JSON {
    [
      "email": text(sight.session?.email), "goesOn": .bool(sight.hasSession),
      "reason": text(sight.hasSession ? nil : sight.session?.reason ?? (sight.session == nil ? "not signed in" : nil)),
    ]
  }

  private static func realtime(_ sight: TableSight, _ push: DeviceDiagnostics.Push) -> JSON {
    let counters = sight.counters
    // They are counted by the device's process.
    let count = { (number: Int) -> JSON in sight.isRunning ? .integer(Int64(number)) : .null }
    let dot: JSON =
      sight.isConnected ? ["tone": "positive", "text": "Synced"] : ["tone": "warning", "text": "Connecting..."]
    return [
      "connected": .bool(sight.isConnected), "channel": text(sight.channel),
      "state": .string(sight.channelState), "lastEvent": text(counters.lastEvent),
      "received": count(counters.received), "duplicates": count(counters.duplicates),
      "ownEchoes": count(counters.ownEchoes), "joins": count(counters.joins), "dot": dot,
      "since": time(sight.channelSince), "reason": text(sight.isConnected ? nil : sight.channelReason),
      "lastSentAt": time(push.lastSentAt), "lastReceivedAt": time(push.lastReceivedAt),
      "lastHandledAt": time(push.lastHandledAt), "lastLedToChangeAt": time(push.lastLedToChangeAt),
      "handled": .integer(push.received),
    ]
  }

  /// For each table when rows of it were last sent and last received, the position up to which its rows were fetched, and
  /// the number of rows to be sent.
  private static func tables(_ sight: TableSight, store: DeviceFile) throws(StoreError) -> JSON {
    if let relations = sight.app.relations {
      return .object(
        try relations.tables.map { (table) throws(StoreError) in
          JSON.Member(table.name, try ownTable(table.recordType, sight, store: store))
        })
    }
    let zone = try store.zones().first { $0.zoneID.zoneName == sight.app.zone }
    let cursors = zone?.token.flatMap { TableToken($0) }?.cursors ?? [:]
    let waiting = Dictionary(try store.waiting().map { ($0.recordType, $0.count) }) { first, _ in first }
    return .object(
      sight.app.schema.tables.map { table in
        let name = table.name.text
        return JSON.Member(
          name,
          [
            "sync_last_push_\(name)": time(sight.times.pushed[table.name]),
            "sync_last_pull_\(name)": time(sight.times.pulled[table.name]), "cursor": time(cursors[table.name]),
            "pending": .integer(Int64(waiting[table.name] ?? 0)),
          ])
      })
  }

  /// The same for a table of a user's own, which has no position: each fetch reads it as a whole.
  private static func ownTable(_ name: Name, _ sight: TableSight, store: DeviceFile) throws(StoreError) -> JSON {
    let zone = try store.zones().first { $0.zoneID.zoneName == name }
    let waiting = try store.waiting().first { $0.recordType == name }?.count ?? 0
    return [
      "sync_last_push_\(name)": time(sight.times.pushed[name]),
      "sync_last_pull_\(name)": time(sight.times.pulled[name]),
      "cursor": time(zone?.isInFullFetch == false ? zone?.tokenAt : nil), "pending": .integer(Int64(waiting)),
    ]
  }

  private static func time(_ time: WallTime?) -> JSON { text(time?.iso8601) }
  private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
}
