import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitMetrics
import ZoneKitPush
import ZoneKitRecords
import ZoneKitStorage

/// The metrics of a running server. Everything is counted already; this only reads and writes it.
struct MetricsReport {
  /// The cloud.
  let zones: FileZoneService
  /// The accounts; nil if the server has no tables.
  let accounts: FileAccountService?
  /// The sockets of channels; nil if the server has no tables.
  let sockets: RealtimeService?
  /// The push service.
  let push: PushService
  /// The facts.
  let journal: ServerJournal
  /// The connections for requests.
  unowned let server: HTTPServer
  /// The readers of live facts.
  let events: EventFeed
  /// The loop of all connections.
  unowned let loop: Loop
  /// The listeners.
  let listeners: [Listener]
  /// The limits of connections.
  let shares: DescriptorShares

  /// The metrics; those of each zone too if asked for.
  func text(withZones: Bool) -> MetricText {
    var text = MetricText()
    text.add(.gauge, "build_info", "The version of this server.", [([("version", journal.version)], .integer(1))])
    text.add(
      .gauge, "start_time_seconds", "When this server started, in seconds since 1970.",
      .nanoseconds(journal.startedAt.milliseconds * 1_000_000))
    server.tally.write(to: &text)
    writeShedding(to: &text)
    writeStore(to: &text)
    writePushes(to: &text)
    writeConnections(to: &text)
    writeQueues(to: &text)
    writeProcess(to: &text)
    if withZones { writeZones(to: &text) }
    return text
  }

  private func writeShedding(to text: inout MetricText) {
    text.add(
      .counter, "shed_requests_total", "Requests that were refused without being carried out, by reason.",
      [
        ([("reason", "memory")], .count(server.load.refusals)),
        ([("reason", "malformed")], .count(server.malformed)),
      ])
    text.add(
      .counter, "refused_connections_total", "Connections that were refused, by reason.",
      [
        ([("reason", "address")], .count(loop.refusedByAddress)),
        ([("reason", "open_files")], .count(listeners.reduce(0) { $0 + $1.refusedCount })),
      ])
  }

  private func writeStore(to text: inout MetricText) {
    let times = StoreTimes.now
    text.add(
      .counter, "commits_total", "Commits of zones, by outcome. A zone counts once for all requests of a turn.",
      [
        ([("outcome", "success")], .count(journal.commits)),
        ([("outcome", "failure")], .count(journal.failedCommits)),
      ])
    text.add(
      "commit_duration_seconds", "Time of a transaction of a file until it is durable.", [([], times.commits)])
    text.add("fsync_duration_seconds", "Time of a sync of a file to the disk.", [([], times.syncs)])
  }

  private func writePushes(to text: inout MetricText) {
    let counters = push.gateway.counters
    let results: [(String, Int)] = [
      ("delivered", counters.delivered), ("coalesced", counters.coalesced),
      ("excluded_origin", counters.excludedOrigin),
    ]
    text.add(
      .counter, "pushes_total", "Notifications by result, once for each receiver.",
      results.map { ([("result", $0.0), ("reason", "")], .count($0.1)) }
        + counters.discardedByReason.map {
          ([("result", "discarded"), ("reason", $0.reason.rawValue)], .count($0.count))
        })
    text.add(.counter, "pushes_made_total", "Notifications that were made for a receiver.", .count(counters.made))
    text.add(
      .gauge, "pushes_waiting", "Notifications that wait for a device that is away, or for a slow connection.",
      [([("state", "stored")], .count(counters.stored)), ([("state", "held")], .count(counters.held))])
    text.add(.gauge, "push_registrations", "Registered push tokens.", .count(counters.registrations))
  }

  private func writeConnections(to text: inout MetricText) {
    text.add(
      .gauge, "connections", "Open connections by use.",
      [
        ([("use", "http")], .count(server.connectionCount)), ([("use", "push")], .count(push.connectionCount)),
        ([("use", "realtime")], .count(sockets?.socketCount ?? 0)),
      ])
    text.add(
      .gauge, "connections_limit", "Open connections above which none is accepted.", .count(shares.connections))
    text.add(.gauge, "event_readers", "Connections that read live events.", .count(events.readerCount))
    text.add(.gauge, "channels", "Joined realtime channels.", .count(sockets?.channelCount ?? 0))
  }

  private func writeQueues(to text: inout MetricText) {
    let lengths: [(String, Int)] = [
      ("connections", server.delayedCount), ("messages", zones.unansweredCount),
      ("delayed_answers", zones.delayedCount),
      ("long_readings", zones.longReader?.queueLength ?? 0), ("passwords", accounts?.queueLength ?? 0),
      ("slow_sockets", sockets?.waitingCount ?? 0),
    ]
    text.add(
      .gauge, "queue_length", "What waits for its turn, by queue.",
      lengths.map { ([("queue", $0.0)], .count($0.1)) })
    text.add(.gauge, "request_bodies_bytes", "Memory that bodies of requests take.", .count(server.load.bodies))
    text.add(
      .gauge, "unsent_answers_bytes", "Bytes of answers that clients have not taken yet.", .count(server.load.unsent))
  }

  private func writeProcess(to text: inout MetricText) {
    let usage = ProcessUsage()
    if let bytes = usage.residentBytes {
      text.add(.gauge, "resident_memory_bytes", "Memory of the process that is in use.", .integer(bytes))
    }
    if let bytes = usage.virtualBytes {
      text.add(.gauge, "virtual_memory_bytes", "Address space of the process.", .integer(bytes))
    }
    if let files = usage.openFiles {
      text.add(.gauge, "open_files", "Open files of the process, sockets included.", .count(files))
    }
    if let limit = usage.openFileLimit {
      text.add(.gauge, "open_files_limit", "Files that the process may have open.", .count(limit))
    }
    if let time = usage.processorTime {
      text.add(.counter, "cpu_seconds_total", "Time of processors that the process has used.", .nanoseconds(time))
    }
  }

  private func writeZones(to text: inout MetricText) {
    // A database that cannot be read has no figures; the status report names it.
    let statuses = (try? zones.databaseStatuses()) ?? []
    let headers = statuses.flatMap { status in
      status.zones.filter { $0.deletion == nil }.map { (Self.labels(of: $0, in: status.database), $0) }
    }
    text.add(.gauge, "zone_records", "Records of a zone.", headers.map { ($0.0, .count($0.1.recordCount)) })
    text.add(
      .gauge, "zone_tombstones", "Deletions that a zone remembers.", headers.map { ($0.0, .count($0.1.tombstoneCount)) }
    )
    text.add(
      .counter, "zone_changes_total", "Changes of a zone since it was made.",
      headers.map { ($0.0, .integer($0.1.sequence)) })
    text.add(
      .gauge, "zone_last_commit_time_seconds", "When a zone was changed last, in seconds since 1970.",
      headers.map { ($0.0, .nanoseconds($0.1.lastCommitAt.milliseconds * 1_000_000)) })
  }

  private static func labels(of zone: ZoneHeader, in database: DatabaseID) -> [MetricText.Label] {
    [
      ("container", database.container.text), ("environment", database.environment.rawValue),
      ("user", database.user.text), ("scope", database.scope.rawValue), ("zone", zone.zoneName.text),
    ]
  }
}
