import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// The part of the diagnostics dump about a device whose app's rows lie in the tables of a server, as JSON.
enum TableReport {
  /// The members of the device's entry that other devices do not have, or have with another value.
  static func members(
    _ diagnostics: DeviceDiagnostics, of link: TableServerLink, isSyncing: Bool, isOnline: Bool, store: DeviceFile,
    at now: WallTime
  ) throws(StoreError) -> [JSON.Member] {
    let error = diagnostics.fetch.lastResult.flatMap { $0 == "ok" ? nil : $0 }
    var facts = SyncStatus.Facts()
    let migration = link.migration?()
    if let migration, migration.isRunning {
      facts.migrationStep = "\(migration.currentStep) \(Int(migration.progress * 100))%"
    }
    facts.isSyncing = isSyncing
    facts.hasAccount = diagnostics.user != nil
    facts.hasSession = link.machine.isSignedIn
    facts.signedOutReason = link.machine.owner?.reason
    facts.error = error
    facts.isOnline = isOnline
    facts.pending = diagnostics.send.pending
    facts.lastSync = diagnostics.fetch.lastSucceededAt
    let status = SyncStatus(facts, at: now)
    let failedAt = error == nil ? nil : diagnostics.fetch.lastFinishedAt
    return [
      JSON.Member("state", .string(status.state.rawValue)),
      JSON.Member("email", text(link.machine.owner?.email)),
      JSON.Member("lastSync", time(facts.lastSync)), JSON.Member("lastSyncDate", time(facts.lastSync)),
      JSON.Member("isSyncing", .bool(isSyncing)), JSON.Member("syncError", text(error)),
      JSON.Member("lastError", error.map { ["text": .string($0), "at": time(failedAt)] } ?? .null),
      JSON.Member("pending", .integer(Int64(diagnostics.send.pending))),
      JSON.Member("quarantined", .integer(Int64(diagnostics.send.quarantined.count))),
      JSON.Member("indicator", indicator(status.indicator)), JSON.Member("realtime", realtime(link.machine)),
      JSON.Member("photos", photos(link)),
      JSON.Member("migration", migration?.json ?? .null),
      JSON.Member("tables", try tables(diagnostics, of: link.machine.app, store: store)),
    ]
  }

  /// The photos on their way: the numbers of those that wait to be uploaded and to be downloaded, and those that the
  /// service refused.
  private static func photos(_ link: TableServerLink) -> JSON {
    guard let photos = link.photos else { return .null }
    let queue = link.machine.photos
    let refused = photos.queued.sorted { $0.key < $1.key }.compactMap { record, photo -> JSON? in
      photo.refusal.map { ["record": .string(record.recordName.text), "reason": .string($0)] }
    }
    return [
      "stored": .integer(Int64(photos.count)),
      "waiting": .integer(Int64(photos.queued.count - refused.count)), "setAside": .array(refused),
      "toDownload": .integer(Int64(queue.downloads)),
      "missing": .array(
        queue.missing.keys.map { Name($0) }.sorted().map { path in
          ["path": .string(path.text), "reason": text(queue.missing[path.text])]
        }),
    ]
  }

  private static func indicator(_ indicator: SyncStatus.Indicator?) -> JSON {
    indicator.map {
      ["icon": .string($0.icon), "tone": .string($0.tone.rawValue), "text": .string($0.text)]
    } ?? .null
  }

  private static func realtime(_ machine: TableLink) -> JSON {
    let counters = machine.counters
    let dot: JSON =
      machine.isConnected ? ["tone": "positive", "text": "Synced"] : ["tone": "warning", "text": "Connecting..."]
    return [
      "connected": .bool(machine.isConnected), "channel": text(machine.channelName),
      "state": .string(machine.channelState), "lastEvent": text(counters.lastEvent),
      "received": .integer(Int64(counters.received)), "duplicates": .integer(Int64(counters.duplicates)),
      "ownEchoes": .integer(Int64(counters.ownEchoes)), "joins": .integer(Int64(counters.joins)), "dot": dot,
    ]
  }

  /// For each table the position up to which its rows were fetched, and the number of rows to be sent. The times are
  /// those of the last fetch and the last send, which concern all tables.
  private static func tables(
    _ diagnostics: DeviceDiagnostics, of app: TableApp, store: DeviceFile
  ) throws(StoreError) -> JSON {
    let zone = try store.zones().first { $0.zoneID.zoneName == app.zone }
    let cursors = zone?.token.flatMap { TableToken($0) }?.cursors ?? [:]
    let waiting = Dictionary(try store.census().waiting.map { ($0.recordType, $0.count) }) { first, _ in first }
    return .object(
      app.schema.tables.map { table in
        let name = table.name.text
        return JSON.Member(
          name,
          .object([
            JSON.Member("sync_last_push_\(name)", time(diagnostics.send.lastAt)),
            JSON.Member("sync_last_pull_\(name)", time(diagnostics.fetch.lastSucceededAt)),
            JSON.Member("cursor", time(cursors[table.name])),
            JSON.Member("pending", .integer(Int64(waiting[table.name] ?? 0))),
          ]))
      })
  }

  private static func time(_ time: WallTime?) -> JSON { text(time?.iso8601) }
  private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
}
