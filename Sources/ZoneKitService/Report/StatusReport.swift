import ZoneKitCloud
import ZoneKitPush
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTables
import ZoneKitWire

/// The cloud's part of the diagnostics dump, as JSON.
enum StatusReport {
  /// The answer to `/zonekit/status`. A database that cannot be read is named under `errors`.
  static func json(
    data: DataDirectory, zones: FileZoneService, accounts: FileAccountService?, sockets: RealtimeService?,
    objects: ObjectService?, assets: AssetService, push: PushService, names: DeviceNames, journal: ServerJournal,
    requests: RequestTally, readers: Int,
    connections: Int, refused: Int, _ shares: DescriptorShares
  ) -> JSON {
    var errors = journal.commitFailures
    var statuses: [DatabaseStatus] = []
    do {
      statuses = try zones.databaseStatuses()
    } catch {
      errors.append("\(error)")
    }
    errors += CloudReport.errors(statuses)
    errors += objects?.errors.map { "\($0)" } ?? []
    errors += (assets.errors + assets.collector.failures.sorted { $0.key < $1.key }.map(\.value)).map { "\($0)" }
    var members = CloudReport.members(statuses) { accounts?.email(of: $0) }
    do {
      members += try CloudReport.tables(in: data)
      if let accounts { members.append(JSON.Member("accounts", .integer(Int64(try accounts.store.accountCount())))) }
    } catch {
      errors.append("\(error)")
    }
    let kept = assets.collector.total
    members.append(JSON.Member("assets", ["files": .integer(Int64(kept.files)), "bytes": .integer(kept.bytes)]))
    if let sockets { members += sockets.status }
    if let counts = zones.rowVerdicts {
      let verdicts = RowVerdict.allCases.map { JSON.Member($0.rawValue, .integer(Int64(counts[$0] ?? 0))) }
      members.append(JSON.Member("verdicts", .object(verdicts)))
    }
    let receivers = push.gateway.receivers.map {
      PushReport.receiver($0, held: push.held(for: $0), push.drops(for: $0), names)
    }
    members.append(JSON.Member("receivers", .array(receivers)))
    members.append(JSON.Member("pushes", pushes(push.gateway.counters, disturbed: push.disturbed)))
    members.append(JSON.Member("errors", .array(errors.map(JSON.string))))
    let head = [
      JSON.Member("zonekit", .string(journal.version)), JSON.Member("startedAt", .string(journal.startedAt.iso8601)),
    ]
    let tail: [JSON.Member] = [
      JSON.Member("commits", .integer(Int64(journal.commits))), JSON.Member("cloud", .object(members)),
      JSON.Member(
        "connections",
        [
          "open": .integer(Int64(connections)), "limit": .integer(Int64(shares.connections)),
          "limitOfPush": .integer(Int64(shares.withPush)), "limitOfAddress": .integer(Int64(shares.ofAddress)),
          "refused": .integer(Int64(refused)),
        ]),
      JSON.Member(
        "facts",
        [
          "recorded": .integer(Int64(journal.ring.recorded)), "kept": .integer(Int64(journal.ring.capacity)),
          "readers": .integer(Int64(readers)), "missed": .integer(Int64(journal.missed)),
        ]),
    ]
    return .object(head + counts(of: requests) + tail)
  }

  /// The numbers of answered requests of each protocol, and of all of them.
  private static func counts(of requests: RequestTally) -> [JSON.Member] {
    let families: [(String, RequestEndpoint.Family)] = [
      ("cloudKit", .cloudKit), ("tables", .tables), ("documents", .documents),
    ]
    let counts = families.map { JSON.Member($0.0, .integer(Int64(clamping: requests.count(of: $0.1)))) }
    let sum = families.reduce(0) { $0 + requests.count(of: $1.1) }
    return [
      JSON.Member("requests", .integer(Int64(clamping: sum))), JSON.Member("requestsByProtocol", .object(counts)),
    ]
  }

  /// The counters of pushes where no gateway counts them: none has a value.
  static var unknownPushes: JSON {
    .object((pushes(PushGateway().counters).object ?? []).map { JSON.Member($0.key, .null) })
  }

  static func pushes(_ counters: PushGateway.Counters, disturbed: Int = 0) -> JSON {
    [
      "made": .integer(Int64(counters.made)), "excludedOrigin": .integer(Int64(counters.excludedOrigin)),
      "coalesced": .integer(Int64(counters.coalesced)), "delivered": .integer(Int64(counters.delivered)),
      "stored": .integer(Int64(counters.stored)), "held": .integer(Int64(counters.held)),
      "disturbed": .integer(Int64(disturbed)), "watchers": .integer(Int64(counters.watchers)),
      "discarded": .object(
        counters.discardedByReason.map { JSON.Member($0.reason.rawValue, .integer(Int64($0.count))) }),
    ]
  }
}
