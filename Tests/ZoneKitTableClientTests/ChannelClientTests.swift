import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitTableClient

@Suite struct `a device's channel` {
  private static let account = UUID("7c0a0000-0000-4000-8000-000000000001")!
  private static let topic = "realtime:user-sync-7c0a0000-0000-4000-8000-000000000001"

  /// Expenses are live and own splits; both name persons. Notes are live at once.
  private static let app = TableApp(
    name: "test", container: "c", environment: .development, zone: "Rows",
    schema: TableSchema([
      .owned("persons", [Column("name", .text)]),
      .owned("expenses", quiet: 300, [Column("payer_id", .uuid, refersTo: .to("persons"))]),
      .parts(
        "splits", of: "expense_id",
        [
          Column("expense_id", .uuid, refersTo: .owner("expenses")),
          Column("person_id", .uuid, refersTo: .to("persons")),
        ]),
      .owned("notes", quiet: 0, [Column("text", .text)]),
    ]))

  private var channel = ChannelClient(app: app, deviceID: "D")
  /// Draws the middle of each pause.
  private var generator = Middle()

  private struct Middle: RandomNumberGenerator {
    mutating func next() -> UInt64 { UInt64.max / 2 }
  }

  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  private func frame(
    _ event: String, ref: String? = nil, joinRef: String? = nil, topic: String = topic, _ payload: JSON = .object([])
  ) -> ChannelFrame {
    ChannelFrame(joinRef: joinRef, ref: ref, topic: topic, event: event, payload: payload)
  }

  private func reply(_ ref: String, entries: Int = 2) -> ChannelFrame {
    let entry: JSON = ["id": 17]
    return frame(
      "phx_reply", ref: ref,
      ["response": ["postgres_changes": .array(Array(repeating: entry, count: entries))], "status": "ok"])
  }

  private func refusal(_ ref: String, _ reason: String) -> ChannelFrame {
    frame("phx_reply", ref: ref, ["response": ["reason": .string(reason)], "status": "error"])
  }

  private mutating func receive(_ frame: ChannelFrame, at now: Int64) -> [ChannelClient.Effect] {
    channel.received(frame, at: time(now), using: &generator)
  }

  private mutating func tick(at now: Int64) -> [ChannelClient.Effect] {
    channel.tick(at: time(now), using: &generator)
  }

  private mutating func close(at now: Int64) -> [ChannelClient.Effect] {
    channel.closed(at: time(now), using: &generator)
  }

  /// Signs in and opens the socket. The join has the reference 1.
  private mutating func join(at now: Int64 = 0) {
    _ = channel.signedIn(Self.account, token: "t", at: time(now))
    _ = channel.opened(at: time(now))
  }

  /// A joined channel.
  private mutating func live(at now: Int64 = 0) {
    join(at: now)
    _ = receive(reply("1"), at: now)
  }

  /// The pause that the server states.
  private func pause(_ effects: [ChannelClient.Effect]) -> Int64? {
    for case .fact(.retry(let pause)) in effects { return pause }
    return nil
  }

  // MARK: Off and connecting

  @Test
  mutating func `is off until an account signs in, and opens sockets then until one opens`() {
    #expect(channel.linkChanged(isOnline: true, at: time(0)) == [])
    #expect(channel.frontChanged(isInFront: true, at: time(0)) == [])
    #expect(channel.opened(at: time(0)) == [])
    #expect(close(at: 0) == [])
    #expect(channel.signedIn(Self.account, token: "t", at: time(1)) == [.open])
    #expect(channel.signedIn(Self.account, token: "t", at: time(2)) == [])
    #expect(!channel.isConnected && channel.nextDeadline == time(10_001))
    #expect(tick(at: 10_001).contains(.fact(.refused("the socket does not open"))))
    #expect(tick(at: 11_201) == [.open])
  }

  @Test mutating func `waits for the link, the front and the end of a migration`() {
    _ = channel.linkChanged(isOnline: false, at: time(0))
    #expect(channel.signedIn(Self.account, token: "t", at: time(1)) == [])
    _ = channel.migrationChanged(isMigrating: true, at: time(2))
    #expect(channel.linkChanged(isOnline: true, at: time(3)) == [])
    _ = channel.frontChanged(isInFront: false, at: time(4))
    #expect(channel.migrationChanged(isMigrating: false, at: time(30_004)) == [])
    #expect(channel.frontChanged(isInFront: true, at: time(30_005)) == [.open])
  }

  @Test mutating func `joins with an entry for each live table`() throws {
    _ = channel.signedIn(Self.account, token: "t", at: time(0))
    let filter: JSON = "owner_id=eq.7c0a0000-0000-4000-8000-000000000001"
    let entries: [JSON] = ["expenses", "notes"].map {
      ["event": "*", "filter": filter, "schema": "public", "table": .string($0)]
    }
    let payload: JSON = [
      "access_token": "t",
      "config": [
        "broadcast": ["ack": false, "self": false], "postgres_changes": .array(entries),
        "presence": ["enabled": false, "key": ""], "private": false,
      ],
    ]
    #expect(channel.opened(at: time(5)) == [.send(frame("phx_join", ref: "1", joinRef: "1", payload))])
    #expect(channel.nextDeadline == time(10_005))
    #expect(channel.opened(at: time(6)) == [])
  }

  // MARK: Joining

  @Test mutating func `is connected with the answer to its join, and pulls then`() {
    join()
    #expect(receive(reply("9"), at: 10) == [])
    #expect(!channel.isConnected)
    #expect(receive(reply("1"), at: 11) == [.fact(.connectionChanged(isConnected: true)), .joined])
    #expect(channel.isConnected)
  }

  @Test(arguments: [0, 1, 3])
  mutating func `is not connected by an answer with other entries than were asked`(entries: Int) {
    join()
    let effects = receive(reply("1", entries: entries), at: 10)
    #expect(effects.contains(.close(code: 1000)))
    #expect(pause(effects) == 1_000)
    #expect(!channel.isConnected)
  }

  @Test mutating func `is tried again where the join is refused or not answered`() {
    join()
    #expect(
      receive(refusal("1", "no"), at: 10)
        == [.fact(.refused("no")), .close(code: 1000), .fact(.retry(inMilliseconds: 1_000))])
    #expect(channel.nextDeadline == time(1_010))
    #expect(tick(at: 1_009) == [])
    #expect(tick(at: 1_010) == [.open])
    _ = channel.opened(at: time(1_020))
    #expect(tick(at: 11_019) == [])
    #expect(pause(tick(at: 11_020)) == 2_000)
  }

  @Test(arguments: ["ChannelRateLimitReached: Too many channels", "ClientJoinRateLimitReached: slow down"])
  mutating func `waits longer where there were too many joins`(reason: String) {
    join()
    #expect(pause(receive(refusal("1", reason), at: 10)) == 30_000)
  }

  @Test(arguments: ["phx_error", "phx_close", "system"])
  mutating func `is tried again where the service ends a join`(event: String) {
    join()
    #expect(pause(receive(frame(event, ref: "1", ["message": "no", "status": "error"]), at: 10)) == 1_000)
  }

  // MARK: Waiting

  @Test mutating func `waits longer after each failure, up to a limit`() {
    _ = channel.signedIn(Self.account, token: "t", at: time(0))
    var now: Int64 = 0
    for expected: Int64 in [1_000, 2_000, 5_000, 10_000, 10_000] {
      #expect(close(at: now) == [.fact(.retry(inMilliseconds: expected))])
      now += expected
      #expect(tick(at: now) == [.open])
    }
  }

  @Test(arguments: [1_000_000, .max] as [UInt64])
  func `draws a fifth more or less`(drawn: UInt64) {
    struct Fixed: RandomNumberGenerator {
      let number: UInt64
      mutating func next() -> UInt64 { number }
    }
    var channel = channel
    var generator = Fixed(number: drawn)
    _ = channel.signedIn(Self.account, token: "t", at: time(0))
    let effects = channel.closed(at: time(0), using: &generator)
    #expect(pause(effects) == (drawn == 1_000_000 ? 800 : 1_200))
  }

  @Test mutating func `ends its pause with a new link and with the front`() {
    _ = channel.signedIn(Self.account, token: "t", at: time(0))
    _ = close(at: 0)
    #expect(channel.frontChanged(isInFront: true, at: time(1)) == [.open])
    _ = close(at: 2)
    #expect(channel.linkChanged(isOnline: false, at: time(3)) == [])
    #expect(channel.linkChanged(isOnline: true, at: time(4)) == [.open])
  }

  @Test mutating func `counts anew after it was joined for a while, and not before`() {
    live()
    #expect(pause(close(at: 29_999)) == 1_000)
    _ = tick(at: 30_999)
    _ = channel.opened(at: time(31_000))
    _ = receive(reply("2"), at: 31_000)
    #expect(pause(close(at: 60_999)) == 2_000)
    _ = tick(at: 62_999)
    _ = channel.opened(at: time(63_000))
    _ = receive(reply("3"), at: 63_000)
    #expect(pause(close(at: 93_000)) == 1_000)
  }

  // MARK: Live

  @Test mutating func `sends heartbeats, and fails where one is not answered`() {
    live()
    #expect(channel.nextDeadline == time(25_000))
    let beat = ChannelFrame(ref: "2", topic: "phoenix", event: "heartbeat", payload: .object([]))
    #expect(tick(at: 25_000) == [.send(beat)])
    #expect(receive(frame("phx_reply", ref: "2", topic: "phoenix", ["status": "ok"]), at: 25_100) == [])
    #expect(tick(at: 50_000).count == 1)
    let effects = tick(at: 75_000)
    #expect(effects.contains(.fact(.connectionChanged(isConnected: false))))
    #expect(pause(effects) == 1_000)
    #expect(!channel.isConnected)
  }

  @Test(arguments: ["phx_error", "phx_close", "system"])
  mutating func `fails where the service ends it`(event: String) {
    live()
    let effects = receive(frame(event, ref: "1", ["message": "expired", "status": "error"]), at: 10)
    #expect(effects.contains(.fact(.connectionChanged(isConnected: false))))
    #expect(effects.contains(.close(code: 1000)))
    #expect(pause(effects) == 1_000)
  }

  @Test mutating func `ignores messages of other joins and channels, and good news`() {
    live()
    #expect(receive(frame("phx_close", ref: "0"), at: 10) == [])
    #expect(receive(frame("phx_error", ref: "1", topic: "realtime:other"), at: 10) == [])
    #expect(receive(frame("system", ["status": "ok"]), at: 10) == [])
    #expect(receive(frame("presence_state"), at: 10) == [])
    #expect(channel.isConnected)
  }

  @Test mutating func `tells a joined channel a new token, and joins with it later`() {
    join()
    #expect(channel.tokenChanged("t2") == [])
    _ = receive(reply("1"), at: 1)
    #expect(
      channel.tokenChanged("t3") == [.send(frame("access_token", ref: "2", joinRef: "1", ["access_token": "t3"]))])
    _ = receive(frame("phx_close", ref: "1"), at: 2)
    _ = tick(at: 1_002)
    guard case .send(let sent)? = channel.opened(at: time(1_003)).first else {
      Issue.record("no join")
      return
    }
    #expect(sent.payload["access_token"] == "t3")
  }

  // MARK: Leaving

  @Test mutating func `leaves when nobody is signed in, when offline, and while rows are moved`() {
    let leave: [ChannelClient.Effect] = [
      .send(frame("phx_leave", ref: "2", joinRef: "1")), .close(code: 1000),
      .fact(.connectionChanged(isConnected: false)),
    ]
    live()
    let joined = channel
    #expect(channel.linkChanged(isOnline: false, at: time(1)) == leave)
    channel = joined
    #expect(channel.migrationChanged(isMigrating: true, at: time(1)) == leave)
    channel = joined
    // The topic is still that of the account.
    #expect(channel.signedOut() == leave)
    #expect(channel.nextDeadline == nil)
    #expect(close(at: 2) == [])
  }

  @Test mutating func `leaves half a minute after the app left the front`() {
    live()
    #expect(channel.frontChanged(isInFront: false, at: time(1_000)) == [])
    #expect(channel.frontChanged(isInFront: false, at: time(9_000)) == [])
    #expect(channel.isConnected)
    _ = tick(at: 25_000)
    #expect(channel.nextDeadline == time(31_000))
    #expect(tick(at: 31_000).contains(.close(code: 1000)))
    #expect(channel.nextDeadline == nil)
    #expect(channel.frontChanged(isInFront: true, at: time(40_000)) == [.open])
  }

  @Test mutating func `leaves a join and a socket that is being opened`() {
    _ = channel.signedIn(Self.account, token: "t", at: time(0))
    #expect(channel.signedOut() == [.close(code: 1000)])
    channel = ChannelClient(app: Self.app, deviceID: "D")
    join()
    #expect(
      channel.linkChanged(isOnline: false, at: time(1))
        == [.send(frame("phx_leave", ref: "2", joinRef: "1")), .close(code: 1000)])
  }

  @Test mutating func `leaves the channel of one account before that of another`() {
    live()
    let other = UUID("7c0a0000-0000-4000-8000-000000000002")!
    let effects = channel.signedIn(other, token: "t2", at: time(1))
    #expect(effects.first == .send(frame("phx_leave", ref: "2", joinRef: "1")))
    #expect(effects.last == .open)
  }

  // MARK: Changes

  private func change(
    _ table: String, _ kind: String = "UPDATE", at stamp: String = "2026-05-04T07:08:09.120Z", by author: String? = nil,
    errors: JSON = .null
  ) -> ChannelFrame {
    let row: JSON = [
      "changed_by": author.map { .string($0) } ?? .null, "id": "91D4", "updated_at": .string(stamp),
    ]
    let rows: [JSON.Member] =
      kind == "DELETE" ? [.init("old_record", ["id": "91D4"])] : [.init("record", row)]
    let rest: [JSON.Member] = [
      .init("commit_timestamp", .string(stamp)), .init("errors", errors), .init("schema", "public"),
      .init("table", .string(table)), .init("type", .string(kind)),
    ]
    return frame("postgres_changes", ["data": .object(rest + rows), "ids": [17]])
  }

  /// The hint with which a change reaches the coordinator.
  private func hint(_ effects: [ChannelClient.Effect]) -> PushHint? {
    for case .news(_, let hint) in effects { return hint }
    return nil
  }

  @Test mutating func `reports a change with its tables and pace, and what names it`() throws {
    live()
    let effects = receive(change("expenses"), at: 10)
    #expect(effects.first == .fact(.change(table: "expenses", kind: "UPDATE")))
    guard case .news(let push, let hint)? = effects.last else {
      Issue.record("no news")
      return
    }
    #expect(push.notificationID == "expenses/91d4@2026-05-04T07:08:09.120Z")
    #expect(push.zoneID == ZoneID(zoneName: "Rows"))
    #expect(push.committedAt == WallTime(iso8601: "2026-05-04T07:08:09.120Z"))
    #expect(hint == PushHint(types: ["persons", "expenses", "splits"], quiet: 300, limit: 1_000))
    #expect(self.hint(receive(change("notes"), at: 11)) == PushHint(types: ["notes"], quiet: 0, limit: 0))
  }

  @Test mutating func `hears nothing before it is joined`() {
    join()
    #expect(receive(change("expenses"), at: 10) == [])
  }

  @Test mutating func `ignores what it has fetched, its own writes, and unknown tables`() {
    live()
    let id = "expenses/91d4@2026-05-04T07:08:09.120Z"
    let heard = ChannelClient.Effect.fact(.change(table: "expenses", kind: "UPDATE"))
    #expect(receive(change("expenses", by: "D:41"), at: 10) == [heard, .fact(.ownEcho(notificationID: id))])
    #expect(hint(receive(change("expenses", by: "D2:41"), at: 10)) != nil)
    channel.pulled(["expenses": WallTime(iso8601: "2026-05-04T07:08:09.120Z")!])
    channel.pulled(["expenses": WallTime(milliseconds: 0)])
    #expect(receive(change("expenses"), at: 11) == [heard, .fact(.duplicate(notificationID: id))])
    #expect(hint(receive(change("expenses", at: "2026-05-04T07:08:09.121Z"), at: 12)) != nil)
    #expect(
      receive(change("planets"), at: 13)
        == [.fact(.change(table: "planets", kind: "UPDATE")), .fact(.unknownTable("planets"))])
  }

  @Test mutating func `takes a change that does not show its row for one of all tables`() {
    live()
    let whole = PushHint(types: nil, quiet: 1_000, limit: 1_000)
    #expect(hint(receive(change("expenses", errors: ["Error 413: Payload Too Large"]), at: 10)) == whole)
    #expect(hint(receive(change("expenses", "DELETE"), at: 10)) == whole)
    channel.pulled(["row_deletions": WallTime(iso8601: "2026-05-04T07:08:09.120Z")!])
    #expect(hint(receive(change("expenses", "DELETE"), at: 11)) == nil)
  }

  @Test mutating func `waits longer while many changes come, until they end`() {
    live()
    for number in 0..<50 { #expect(hint(receive(change("notes"), at: Int64(number) * 10))?.quiet == 0) }
    let bulk = PushHint(types: ["notes"], quiet: 1_000, limit: 3_000)
    #expect(hint(receive(change("notes"), at: 500)) == bulk)
    #expect(hint(receive(change("notes"), at: 3_499)) == bulk)
    #expect(hint(receive(change("notes"), at: 6_499))?.quiet == 0)
  }

  @Test mutating func `forgets the stamps of an account with it`() {
    live()
    channel.pulled(["expenses": WallTime(iso8601: "2026-05-04T07:08:09.120Z")!])
    _ = channel.signedOut()
    _ = channel.signedIn(Self.account, token: "t", at: time(2))
    _ = channel.opened(at: time(2))
    _ = receive(reply("3"), at: 2)
    #expect(hint(receive(change("expenses"), at: 3)) != nil)
  }
}
