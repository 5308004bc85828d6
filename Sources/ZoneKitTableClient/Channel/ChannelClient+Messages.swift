import ZoneKitRecords
import ZoneKitTables

/// What the channel says and hears.
extension ChannelClient {
  var topic: String { "realtime:\(name ?? "")" }

  /// The tables whose changes make events.
  private var liveTables: [Table] { schema.tables.filter { $0.quiet != nil } }

  mutating func nextRef() -> String {
    lastRef += 1
    return String(lastRef)
  }

  mutating func send(_ event: String, _ payload: JSON, joinRef: String) -> Effect {
    .send(ChannelFrame(joinRef: joinRef, ref: nextRef(), topic: topic, event: event, payload: payload))
  }

  /// The entries of the join: one for each table whose changes make events.
  var entries: [JSON] {
    if let relations { return relations.entries }
    return liveTables.map { table in
      [
        "event": "*", "filter": .string("\(Name.ownerID)=eq.\(account?.text ?? "")"), "schema": "public",
        "table": .string(table.name.text),
      ]
    }
  }

  var joinPayload: JSON {
    [
      "access_token": .string(token),
      "config": [
        "broadcast": ["ack": false, "self": false], "postgres_changes": .array(entries),
        "presence": ["enabled": false, "key": ""], "private": false,
      ],
    ]
  }

  /// A change event arrived.
  mutating func changed(_ payload: JSON, at now: MonotonicTime) -> [Effect] {
    guard let data = payload["data"], let name = data["table"]?.string, let kind = data["type"]?.string else {
      return []
    }
    let heard = Effect.fact(.change(table: Name(name), kind: kind))
    if let event = relations?.event(data, of: name) { return [heard] + news(event, of: name, at: now) }
    guard let table = schema.table(Name(name)) else { return [heard, .fact(.unknownTable(name))] }
    let record = data["record"].flatMap { $0.object == nil ? nil : $0 }
    let row = record ?? data["old_record"]
    let key = table.key.map { row?[$0.text]?.string?.lowercased() ?? "" }.joined(separator: ".")
    let stampText = record?[Name.updatedAt.text]?.string ?? data["commit_timestamp"]?.string
    let stamp = stampText.flatMap { WallTime(iso8601: $0) }
    let id = "\(name)/\(key)@\(stamp?.iso8601 ?? stampText ?? "")"
    // A row that was removed for good is in the list of deletions.
    let cursor = cursors[record == nil ? Self.deletions : table.name]
    if let stamp, let cursor, stamp <= cursor { return [heard, .fact(.duplicate(notificationID: id))] }
    if let author = record?[Name.changedBy.text]?.string, author.hasPrefix(deviceID + ":") {
      return [heard, .fact(.ownEcho(notificationID: id))]
    }
    let isWhole = record != nil && (data["errors"].map { $0 == .null } ?? true)
    var push = PushNotification(subject: .zone, notificationID: id)
    push.zoneID = zoneID
    push.committedAt = stamp
    push.sentAt = data["commit_timestamp"]?.string.flatMap { WallTime(iso8601: $0) }
    return [heard, .news(push, hints.hint(for: isWhole ? table : nil, at: now))]
  }

  /// What an event of a user's own table means.
  private mutating func news(_ event: RelationEvents.Event, of table: String, at now: MonotonicTime) -> [Effect] {
    switch event {
    case .unknownTable: [.fact(.unknownTable(table))]
    case .ownEcho(let id): [.fact(.ownEcho(notificationID: id))]
    case .change(let push): [.news(push, hints.hint(at: now))]
    }
  }

  /// The table of rows that were removed for good.
  private static var deletions: Name { "row_deletions" }
}
