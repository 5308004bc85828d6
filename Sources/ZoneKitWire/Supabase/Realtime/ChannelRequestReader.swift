import ZoneKitRecords
import ZoneKitTables

/// Reads what a client's message on a realtime socket asks for (Tables over the wire, 6.3 and 6.5).
package struct ChannelRequestReader: Sendable {
  private let schema: TableSchema?

  /// A reader for a server of those tables; nil for those of a schema of a user's own, whose names are looked up later.
  package init(_ schema: TableSchema?) { self.schema = schema }

  /// The request in a message. An event that the server does not know is ignored.
  package func request(_ frame: ChannelFrame) -> ChannelRequest {
    ChannelRequest(
      topic: frame.topic, joinRef: frame.joinRef, ref: frame.ref, token: frame.payload["access_token"]?.string,
      wish(of: frame))
  }

  private func wish(of frame: ChannelFrame) -> ChannelRequest.Wish {
    switch frame.event {
    case "phx_join": join(frame.payload["config"])
    case "phx_leave": .leave
    case "access_token": .renewToken
    case "heartbeat" where frame.topic == ChannelFrame.socketTopic: .heartbeat
    case "broadcast": .broadcast(ChannelBroadcast(frame.payload, content: frame.content))
    case "presence": presence(frame.payload)
    default: .other
    }
  }

  private func join(_ config: JSON?) -> ChannelRequest.Wish {
    // An old client wraps its configuration once more when it joins again.
    guard config?["config"] == nil else { return .unreadableJoin("config has another config in it") }
    let stated = config?["postgres_changes"]
    guard let list = stated?.array ?? (stated?.isNull ?? true ? [] : nil) else {
      return .unreadableJoin("postgres_changes must be an array")
    }
    let key = config?["presence"]?["key"]
    let keyText = key?.string ?? key?.integer.map { String($0) } ?? ""
    guard keyText.utf8.count <= Self.presenceKeyLimit else {
      return .unreadableJoin("the key of presence has at most \(Self.presenceKeyLimit) bytes")
    }
    var join = ChannelJoin(
      list.map(entry), wantsPresence: isSet(config?["presence"]?["enabled"]),
      presenceKey: keyText.isEmpty ? nil : keyText, wantsBroadcastReplies: isSet(config?["broadcast"]?["ack"]))
    join.hearsOwnBroadcasts = isSet(config?["broadcast"]?["self"])
    join.isPrivate = isSet(config?["private"])
    return .join(join)
  }

  private static let presenceKeyLimit = 255

  /// Whether an option is set. Clients write it as a Boolean or as its word.
  private func isSet(_ option: JSON?) -> Bool { option?.bool ?? (option?.string?.lowercased() == "true") }

  private func presence(_ payload: JSON) -> ChannelRequest.Wish {
    switch payload["event"]?.string?.lowercased() {
    case "track":
      let said = payload["payload"] ?? .object([])
      guard let members = said.object else { return .unreadablePresence("the payload of track must be an object") }
      return .track(members.filter { !["phx_ref", "phx_ref_prev"].contains($0.key) })
    case "untrack": return .untrack
    case nil, _?: return .unreadablePresence("the event of presence must be track or untrack")
    }
  }

  private func entry(_ json: JSON) -> ChannelEntry {
    let stated = ["event", "schema", "table", "filter"].compactMap { name in
      json[name].map { JSON.Member(name, $0) }
    }
    var entry = ChannelEntry(stated: stated)
    do throws(ChannelEntryError) {
      try read(json, into: &entry)
    } catch {
      entry.problem = "Unable to subscribe to changes with given parameters: \(error.reason)"
    }
    return entry
  }

  private func read(_ json: JSON, into entry: inout ChannelEntry) throws(ChannelEntryError) {
    guard let kind = ChannelEntry.Kind(rawValue: (json["event"]?.string ?? "*").uppercased()) else {
      throw ChannelEntryError("event must be INSERT, UPDATE, DELETE or *")
    }
    entry.kind = kind
    let name = json["schema"]?.string ?? "public"
    guard name == "public" || name == "*" else { throw ChannelEntryError("there is no schema \(name)") }
    guard let tableName = json["table"]?.string, tableName != "*" else {
      guard json["filter"]?.string == nil else { throw ChannelEntryError("a filter needs a table") }
      return
    }
    guard let schema else { return try readOwn(json, of: tableName, into: &entry) }
    guard let table = schema.table(Name(tableName)) else { throw ChannelEntryError("there is no table \(tableName)") }
    guard table.quiet != nil else { throw ChannelEntryError("table \(tableName) makes no events") }
    entry.table = table.name
    if let text = json["filter"]?.string { entry.filter = try filter(text, table) }
    if let columns = json["select"]?.array { entry.columns = try select(columns, table) }
  }

  private func readOwn(
    _ json: JSON, of table: String, into entry: inout ChannelEntry
  ) throws(ChannelEntryError) {
    entry.table = Name(table)
    if let text = json["filter"]?.string {
      do throws(RowError) {
        entry.condition = try RelationConditionReader.subscription(text)
      } catch {
        throw ChannelEntryError("the filter \(text) cannot be read: \(error.message)")
      }
    }
    entry.columns = json["select"]?.array?.compactMap { $0.string.map { Name($0) } }
  }

  private func filter(_ text: String, _ table: Table) throws(ChannelEntryError) -> RowFilter {
    var reader = RowFilterReader(table)
    do throws(RowError) {
      return try reader.subscription(text)
    } catch {
      throw ChannelEntryError("the filter \(text) cannot be read: \(error.message)")
    }
  }

  private func select(_ columns: [JSON], _ table: Table) throws(ChannelEntryError) -> [Name] {
    var names: [Name] = []
    for column in columns {
      guard let name = column.string.map({ Name($0) }), table.place(of: name) != nil else {
        throw ChannelEntryError("table \(table.name) has no column \(column.text())")
      }
      names.append(name)
    }
    return names
  }
}

/// Why an entry of a join cannot be served.
private struct ChannelEntryError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
