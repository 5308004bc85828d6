import Testing
import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

struct ChannelRequestReaderTests {
  private static let schema = TableSchema([
    .owned("reminders", quiet: 300, [Column("amount", .float8), Column("message", .text)]),
    .owned("profiles", [Column("name", .text)]),
  ])

  private func request(_ event: String, _ payload: JSON, topic: String = "realtime:x") -> ChannelRequest {
    ChannelRequestReader(Self.schema).request(
      ChannelFrame(joinRef: "1", ref: "2", topic: topic, event: event, payload: payload))
  }

  private func join(_ config: JSON) -> ChannelRequest.Wish { request("phx_join", ["config": config]).wish }

  private func entry(_ stated: JSON) throws -> ChannelEntry {
    guard case .join(let join) = join(["postgres_changes": [stated]]) else { throw Unexpected() }
    return try #require(join.entries.first)
  }

  private struct Unexpected: Error {}

  @Test func `the parts of a message are kept`() {
    #expect(
      request("phx_leave", ["access_token": "t"])
        == ChannelRequest(topic: "realtime:x", joinRef: "1", ref: "2", token: "t", .leave))
    #expect(request("phx_leave", .null).token == nil)
  }

  @Test func `an entry is read with its condition and columns, and keeps what the client wrote`() throws {
    let stated: JSON = [
      "event": "update", "schema": "public", "table": "reminders", "filter": "amount=gte.2,message=not.eq.a",
      "select": ["message"],
    ]
    let entry = try entry(stated)
    #expect(entry.problem == nil)
    #expect(entry.kind == .update)
    #expect(entry.table == "reminders")
    #expect(
      entry.filter
        == .all([
          .compare("amount", .greaterOrEqual, .float8(2)), .not(.compare("message", .equal, .text("a"))),
        ]))
    #expect(entry.columns == ["message"])
    #expect(entry.stated.map(\.key) == ["event", "schema", "table", "filter"])
    #expect(entry.stated.last?.value == "amount=gte.2,message=not.eq.a")
  }

  @Test func `an entry without a table is for all tables, and the event may be left out`() throws {
    #expect(try entry(["schema": "public"]) == ChannelEntry(stated: [JSON.Member("schema", "public")]))
    #expect(try entry(["event": "*", "table": "*"]).table == nil)
  }

  @Test(
    arguments: [
      ["table": "x"], ["table": "profiles"], ["event": "TRUNCATE"], ["schema": "auth", "table": "reminders"],
      ["table": "reminders", "filter": "x=eq.1"], ["table": "reminders", "filter": "amount"],
      ["table": "reminders", "filter": "amount=eq.x"], ["table": "reminders", "filter": "amount=eq.1)"],
      ["table": "reminders", "select": ["x"]], ["table": "reminders", "select": [7]], ["filter": "amount=eq.1"],
    ] as [JSON])
  func `an entry that cannot be served says why`(stated: JSON) throws {
    let problem = try #require(try entry(stated).problem)
    #expect(problem.hasPrefix("Unable to subscribe to changes with given parameters: "))
  }

  @Test func `parts of a configuration may be missing or null`() {
    let empty = ChannelRequest.Wish.join(ChannelJoin())
    for config in [.null, .object([]), ["postgres_changes": .null], ["presence": .null, "broadcast": 7]] as [JSON] {
      #expect(join(config) == empty)
    }
    #expect(request("phx_join", .null).wish == empty)
    #expect(
      join(["presence": ["enabled": true], "broadcast": ["ack": true]])
        == .join(ChannelJoin(wantsPresence: true, wantsBroadcastReplies: true)))
  }

  @Test func `a configuration within a configuration and entries that are no list are unreadable`() {
    let longKey = JSON.string(String(repeating: "k", count: 256))
    for config in [
      ["config": .object([])], ["postgres_changes": 7], ["postgres_changes": .object([])],
      ["presence": ["key": longKey]],
    ] as [JSON] {
      guard case .unreadableJoin = join(config) else {
        Issue.record("\(config.text()) is read")
        continue
      }
    }
  }

  @Test func `other events have their meaning, and unknown ones none`() {
    #expect(request("heartbeat", .object([]), topic: "phoenix").wish == .heartbeat)
    #expect(request("heartbeat", .object([])).wish == .other)
    #expect(request("access_token", ["access_token": "t"]).wish == .renewToken)
    #expect(request("broadcast", ["event": "e"]).wish == .broadcast(ChannelBroadcast(["event": "e"])))
    #expect(request("phx_error", .object([])).wish == .other)
  }

  @Test func `options are Booleans or their words, and a key of presence may be a number`() {
    var wanted = ChannelJoin(wantsPresence: true, presenceKey: "7", wantsBroadcastReplies: true)
    wanted.hearsOwnBroadcasts = true
    wanted.isPrivate = true
    let config: JSON = [
      "presence": ["enabled": "true", "key": 7], "broadcast": ["ack": true, "self": "True"], "private": true,
    ]
    #expect(join(config) == .join(wanted))
    let not: JSON = [
      "presence": ["enabled": "no", "key": ""], "broadcast": ["ack": "false", "self": 1], "private": .null,
    ]
    #expect(join(not) == .join(ChannelJoin()))
  }

  @Test func `what a client says about its presence is an object, without references of its own`() {
    let said: JSON = ["phx_ref": "x", "name": "Mara", "phx_ref_prev": "y"]
    #expect(
      request("presence", ["type": "presence", "event": "TRACK", "payload": said]).wish
        == .track([JSON.Member("name", "Mara")]))
    #expect(request("presence", ["event": "track"]).wish == .track([]))
    #expect(request("presence", ["event": "untrack"]).wish == .untrack)
    for payload in [.null, .object([]), ["event": "x"], ["event": "track", "payload": 7]] as [JSON] {
      guard case .unreadablePresence = request("presence", payload).wish else {
        Issue.record("\(payload.text()) is read")
        continue
      }
    }
  }
}
