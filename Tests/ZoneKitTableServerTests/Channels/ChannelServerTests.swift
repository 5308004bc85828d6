import Testing
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// A server of channels with one account, and a clock that the test moves.
struct Channels {
  static let reminders = Table.owned("reminders", quiet: 300, [Column("message", .text)])
  static let schema = TableSchema([reminders, .owned("profiles", [Column("name", .text)])])
  static let mara = UUID(high: 1, low: 1)
  static let ben = UUID(high: 2, low: 2)
  static let key = AccountClaims(role: .anonymous, issuedAt: 0, expiresAt: .max)

  var server: ChannelServer
  var now = Moment(wall: WallTime(milliseconds: 1_000_000), monotonic: MonotonicTime(milliseconds: 0))
  let socket: SocketID

  init(_ limits: ChannelLimits = ChannelLimits()) {
    server = ChannelServer(Self.schema, limits: limits)
    socket = server.open(key: Self.key, at: now)
  }

  static func claims(_ account: UUID, until seconds: Int64 = 4_600) -> AccountClaims {
    AccountClaims(role: .authenticated, account: account, issuedAt: 1_000, expiresAt: seconds)
  }

  mutating func wait(_ milliseconds: Int64) -> [ChannelEffect] {
    now.wall = WallTime(milliseconds: now.wall.milliseconds + milliseconds)
    now.monotonic = now.monotonic.advanced(byMilliseconds: milliseconds)
    return server.tick(at: now)
  }

  mutating func receive(
    _ wish: ChannelRequest.Wish, topic: String = "realtime:x", ref: String = "2", joinRef: String? = "1",
    as verdict: ChannelServer.Verdict? = .success(claims(mara)), on other: SocketID? = nil
  ) -> [ChannelEffect] {
    server.received(
      ChannelRequest(topic: topic, joinRef: joinRef, ref: ref, wish), verdict: verdict, on: other ?? socket, at: now)
  }

  mutating func join(
    _ entries: [ChannelEntry] = [ChannelEntry(table: "reminders")], topic: String = "realtime:x",
    as verdict: ChannelServer.Verdict? = .success(claims(mara)), on other: SocketID? = nil
  ) -> [ChannelEffect] {
    receive(.join(ChannelJoin(entries)), topic: topic, ref: "1", as: verdict, on: other)
  }

  func sent(
    _ answer: ChannelAnswer, topic: String = "realtime:x", joinRef: String? = "1", ref: String? = "1"
  ) -> ChannelEffect { .send(answer, topic: topic, joinRef: joinRef, ref: ref, to: socket) }

  /// The messages that a change of that account makes.
  func deliveries(_ change: RowChange, of account: UUID = mara) -> [ChannelDelivery] {
    server.changed(account, [change]).flatMap { effect -> [ChannelDelivery] in
      if case .change(_, let deliveries) = effect { deliveries } else { [] }
    }
  }

  static func row(_ message: String, owner: UUID = mara) -> Row {
    var row = Row(reminders.columns.map { _ in .null })
    row["id", reminders] = .uuid(UUID(high: 9, low: 9))
    row["owner_id", reminders] = .uuid(owner)
    row["message", reminders] = .text(message)
    return row
  }

  static func change(from old: String? = nil, to new: String?) -> RowChange {
    RowChange(
      table: "reminders", key: RowKey([UUID(high: 9, low: 9)]), old: old.map { row($0) }, new: new.map { row($0) },
      stamp: WallTime(milliseconds: 1_000_000))
  }
}

struct ChannelServerTests {
  private let subscribed = ChannelAnswer.subscription(isGood: true, message: "Subscribed to PostgreSQL")

  @Test func `a join is answered with a number for each entry, and then with the state`() {
    var channels = Channels()
    let entries = [ChannelEntry(table: "reminders"), ChannelEntry()]
    #expect(
      channels.join(entries) == [
        channels.sent(.joined([NumberedEntry(1, entries[0]), NumberedEntry(2, entries[1])])),
        channels.sent(subscribed, joinRef: nil, ref: nil),
      ])
  }

  @Test func `a join without entries is answered, and has no state`() {
    var channels = Channels()
    #expect(channels.join([]) == [channels.sent(.joined([]))])
  }

  @Test func `an entry that cannot be served makes a bad state and gets no change`() {
    var channels = Channels()
    let entry = ChannelEntry(table: "profiles", problem: "no events")
    #expect(
      channels.join([entry]) == [
        channels.sent(.joined([NumberedEntry(1, entry)])),
        channels.sent(.subscription(isGood: false, message: "no events"), joinRef: nil, ref: nil),
      ])
    #expect(channels.deliveries(Channels.change(to: "a")).isEmpty)
  }

  @Test func `a change goes once to each channel, with the numbers of all entries that asked for it`() {
    var channels = Channels()
    _ = channels.join([ChannelEntry(table: "reminders"), ChannelEntry(.insert), ChannelEntry(.delete)])
    #expect(
      channels.deliveries(Channels.change(to: "a"))
        == [ChannelDelivery(socket: channels.socket, topic: "realtime:x", ids: [1, 2])])
    #expect(channels.deliveries(Channels.change(from: "a", to: "b")).map(\.ids) == [[1]])
    #expect(channels.deliveries(Channels.change(from: "a", to: nil)).map(\.ids) == [[1, 3]])
  }

  @Test func `no change reaches another account, or a client that is not signed in`() {
    var channels = Channels()
    _ = channels.join(as: .success(Channels.claims(Channels.ben)))
    _ = channels.join(topic: "realtime:y", as: nil)
    #expect(channels.deliveries(Channels.change(to: "a")).isEmpty)
  }

  @Test func `the owner of the server gets the changes of all accounts`() {
    var channels = Channels()
    _ = channels.join(as: .success(AccountClaims(role: .service, issuedAt: 0, expiresAt: .max)))
    #expect(channels.deliveries(Channels.change(to: "a"), of: Channels.ben).count == 1)
  }

  @Test func `a table without events makes none`() {
    var channels = Channels()
    _ = channels.join([ChannelEntry()])
    var change = Channels.change(to: "a")
    change.table = "profiles"
    #expect(channels.deliveries(change).isEmpty)
  }

  @Test func `a condition is checked on the new row, and on the old one of a removal`() {
    var channels = Channels()
    _ = channels.join([ChannelEntry(filter: .compare("message", .equal, .text("a")))])
    #expect(channels.deliveries(Channels.change(to: "a")).count == 1)
    #expect(channels.deliveries(Channels.change(from: "a", to: "b")).isEmpty)
    #expect(channels.deliveries(Channels.change(from: "b", to: "a")).count == 1)
    #expect(channels.deliveries(Channels.change(from: "a", to: nil)).count == 1)
    #expect(channels.deliveries(Channels.change(from: "b", to: nil)).isEmpty)
  }

  @Test func `the columns are those that all entries of a change asked for, and the key`() {
    var channels = Channels()
    _ = channels.join([ChannelEntry(columns: ["message"])])
    #expect(channels.deliveries(Channels.change(to: "a")).map(\.columns) == [["id", "message"]])
    _ = channels.join([ChannelEntry(columns: ["message"]), ChannelEntry()])
    #expect(channels.deliveries(Channels.change(to: "a")).map(\.columns) == [nil])
  }

  @Test func `a second join of a topic closes the first one`() {
    var channels = Channels()
    _ = channels.join()
    let entry = ChannelEntry(table: "reminders")
    #expect(
      channels.receive(.join(ChannelJoin([entry])), ref: "7", joinRef: "7") == [
        channels.sent(.closed), channels.sent(.joined([NumberedEntry(2, entry)]), joinRef: "7", ref: "7"),
        channels.sent(subscribed, joinRef: nil, ref: nil),
      ])
    #expect(channels.deliveries(Channels.change(to: "a")).map(\.ids) == [[2]])
  }

  @Test(arguments: [
    (TokenProblem.expired(seconds: 7), "InvalidJWTToken: Token has expired 7 seconds ago"),
    (.malformed("x"), "MalformedJWT: The token provided is not a valid JWT"),
    (.signature, "JwtSignatureError: Failed to validate JWT signature"),
    (.claims("the role is unknown"), "InvalidJWTToken: the role is unknown"),
  ])
  func `a join with a bad token is refused with its reason`(problem: TokenProblem, reason: String) {
    var channels = Channels()
    #expect(channels.join(as: .failure(problem)) == [channels.sent(.refused(reason))])
    #expect(channels.deliveries(Channels.change(to: "a")).isEmpty)
  }

  @Test func `a leave is answered and closed with the reference of the join`() {
    var channels = Channels()
    _ = channels.join()
    #expect(channels.receive(.leave) == [channels.sent(.done, ref: "2"), channels.sent(.closed)])
    #expect(channels.deliveries(Channels.change(to: "a")).isEmpty)
    #expect(channels.receive(.leave) == [channels.sent(.done, ref: "2")])
  }

  @Test func `a heartbeat is answered with its reference`() {
    var channels = Channels()
    #expect(
      channels.receive(.heartbeat, topic: "phoenix", joinRef: nil, as: nil)
        == [channels.sent(.done, topic: "phoenix", joinRef: nil, ref: "2")])
  }

  @Test(arguments: [
    ChannelRequest.Wish.renewToken, .broadcast(ChannelBroadcast(event: "e", .null)), .track([]), .untrack,
    .unreadablePresence("x"), .other,
  ])
  func `a message to a topic that is not joined is refused, whatever it asks for`(wish: ChannelRequest.Wish) {
    var channels = Channels()
    #expect(channels.receive(wish, as: nil) == [channels.sent(.refused("unmatched topic"), ref: "2")])
  }

  @Test func `an unknown message to a joined topic is ignored`() {
    var channels = Channels()
    _ = channels.join()
    #expect(channels.receive(.other, as: nil).isEmpty)
  }

  @Test func `a channel ends in the second in which its token ends`() {
    var channels = Channels()
    _ = channels.join(as: .success(Channels.claims(Channels.mara, until: 1_030)))
    _ = channels.wait(29_999)
    #expect(channels.deliveries(Channels.change(to: "a")).count == 1)
    #expect(
      channels.wait(1) == [
        channels.sent(.ended(message: "Token has expired 0 seconds ago"), joinRef: nil, ref: nil),
        channels.sent(.closed),
      ])
    #expect(channels.deliveries(Channels.change(to: "a")).isEmpty)
  }

  /// Requests take a token for some seconds longer than it lives. A channel does not.
  @Test func `a join with a token that has ended is refused with its reason, and one of the last second is not`() {
    var channels = Channels()
    let expired = ChannelAnswer.refused("InvalidJWTToken: Token has expired 7 seconds ago")
    #expect(channels.join(as: .success(Channels.claims(Channels.mara, until: 993))) == [channels.sent(expired)])
    #expect(channels.join(as: .success(Channels.claims(Channels.mara, until: 1_001))).count == 2)
  }

  @Test func `a channel does not go on with a newer token that has ended too`() {
    var channels = Channels()
    _ = channels.join()
    let message = "InvalidJWTToken: Token has expired 0 seconds ago"
    #expect(
      channels.receive(.renewToken, as: .success(Channels.claims(Channels.mara, until: 1_000)))
        == [channels.sent(.ended(message: message), joinRef: nil, ref: nil), channels.sent(.closed)])
  }

  @Test func `a renewed token counts from then on`() {
    var channels = Channels()
    _ = channels.join(as: .success(Channels.claims(Channels.mara, until: 1_030)))
    let renewed = ChannelServer.Verdict.success(Channels.claims(Channels.mara, until: 1_050))
    #expect(channels.receive(.renewToken, as: renewed).isEmpty)
    #expect(channels.wait(30_000).isEmpty)
    #expect(channels.deliveries(Channels.change(to: "a")).count == 1)
    #expect(channels.wait(20_000).count == 2)
  }

  @Test func `a renewed token of another account moves the channel to that account`() {
    var channels = Channels()
    _ = channels.join()
    _ = channels.receive(.renewToken, as: .success(Channels.claims(Channels.ben)))
    #expect(channels.deliveries(Channels.change(to: "a")).isEmpty)
    #expect(channels.deliveries(Channels.change(to: "a"), of: Channels.ben).count == 1)
  }

  @Test func `a bad token ends the channel, and a key or none is ignored`() {
    var channels = Channels()
    _ = channels.join()
    #expect(channels.receive(.renewToken, as: nil).isEmpty)
    #expect(channels.receive(.renewToken, as: .success(Channels.key)).isEmpty)
    #expect(channels.deliveries(Channels.change(to: "a")).count == 1)
    #expect(
      channels.receive(.renewToken, as: .failure(.signature)) == [
        channels.sent(
          .ended(message: "JwtSignatureError: Failed to validate JWT signature"), joinRef: nil, ref: nil),
        channels.sent(.closed),
      ])
    #expect(channels.deliveries(Channels.change(to: "a")).isEmpty)
  }

  @Test func `the channels of a removed account end, and no others`() {
    var channels = Channels()
    _ = channels.join()
    _ = channels.join(topic: "realtime:b", as: .success(Channels.claims(Channels.ben)))
    let message = "InvalidJWTToken: User from sub claim in JWT does not exist"
    #expect(
      channels.server.accountRemoved(Channels.mara) == [
        channels.sent(.ended(message: message), joinRef: nil, ref: nil), channels.sent(.closed),
      ])
    #expect(channels.server.accountRemoved(Channels.mara).isEmpty)
    #expect(channels.deliveries(Channels.change(to: "a")).isEmpty)
    #expect(channels.deliveries(Channels.change(to: "a"), of: Channels.ben).count == 1)
  }

  @Test func `a silent socket is closed after the limit, and one with heartbeats is not`() {
    var channels = Channels()
    let other = channels.server.open(key: Channels.key, at: channels.now)
    #expect(channels.wait(59_999).isEmpty)
    _ = channels.receive(.heartbeat, as: nil, on: other)
    #expect(channels.wait(1) == [.close(channels.socket, code: 1001)])
    #expect(channels.wait(59_998).isEmpty)
    #expect(channels.wait(1) == [.close(other, code: 1001)])
    #expect(channels.server.socketCount == 0)
    #expect(channels.server.nextDeadline == nil)
  }

  @Test func `a ping is a sign of life`() {
    var channels = Channels()
    _ = channels.wait(59_999)
    channels.server.heard(on: channels.socket, at: channels.now)
    #expect(channels.wait(59_999).isEmpty)
    #expect(channels.wait(1) == [.close(channels.socket, code: 1001)])
  }

  @Test func `the hundredth unreadable message in a row closes the socket`() {
    var channels = Channels()
    for _ in 1...99 { #expect(channels.server.unreadable(on: channels.socket, at: channels.now).isEmpty) }
    _ = channels.receive(.heartbeat, as: nil)
    for _ in 1...99 { #expect(channels.server.unreadable(on: channels.socket, at: channels.now).isEmpty) }
    #expect(
      channels.server.unreadable(on: channels.socket, at: channels.now) == [.close(channels.socket, code: 1008)])
  }

  @Test func `the limits of channels, entries and joins hold at the limit and one beyond`() {
    var limits = ChannelLimits()
    (limits.channels, limits.entries, limits.joinsPerSecond) = (2, 3, 4)
    var channels = Channels(limits)
    func isRefused(_ effects: [ChannelEffect], _ word: String) -> Bool {
      if case .send(.refused(let reason), _, _, _, _)? = effects.last { reason.hasPrefix(word) } else { false }
    }
    #expect(!isRefused(channels.join(Array(repeating: ChannelEntry(), count: 3), topic: "a"), ""))
    #expect(isRefused(channels.join(Array(repeating: ChannelEntry(), count: 4), topic: "b"), "at most 3"))
    #expect(!isRefused(channels.join(topic: "b"), ""))
    #expect(isRefused(channels.join(topic: "c"), "ChannelRateLimitReached"))
    #expect(isRefused(channels.join(topic: "a"), "ClientJoinRateLimitReached"))
    _ = channels.wait(1_000)
    #expect(!isRefused(channels.join(topic: "a"), ""))
  }

  @Test func `a closed socket gets nothing more`() {
    var channels = Channels()
    _ = channels.join()
    #expect(channels.server.closed(channels.socket).isEmpty)
    #expect(channels.deliveries(Channels.change(to: "a")).isEmpty)
    #expect(channels.receive(.heartbeat, as: nil).isEmpty)
    #expect(channels.server.unreadable(on: channels.socket, at: channels.now).isEmpty)
  }
}

struct SocketAdmissionTests {
  /// An admission and how often it grants.
  private var admission = SocketAdmission()

  private mutating func granted(_ count: Int, key: String?, from address: String = "a", at milliseconds: Int64) -> Int {
    var granted = 0
    for _ in 0..<count {
      let wait = admission.take(key: key, from: address, at: MonotonicTime(milliseconds: milliseconds))
      if wait == nil { granted += 1 } else { #expect(wait == 1) }
    }
    return granted
  }

  @Test mutating func `thirty sockets of a key may be opened at once, and then five a second`() {
    #expect(granted(31, key: "k", at: 0) == 30)
    #expect(granted(1, key: "k", from: "b", at: 0) == 1)
    #expect(granted(1, key: "k", at: 199) == 0)
    #expect(granted(2, key: "k", at: 399) == 1)
    #expect(granted(31, key: "k", at: 60_000) == 30)
  }

  @Test mutating func `an address may open sixty at once with whatever keys, and then ten a second`() {
    #expect(granted(30, key: "k", at: 0) + granted(30, key: "l", at: 0) == 60)
    #expect(granted(1, key: "m", at: 0) == 0)
    #expect(granted(11, key: "m", at: 1_000) == 10)
    #expect(granted(1, key: "k", from: "b", at: 1_000) == 1)
  }

  @Test mutating func `words that are no keys share one limit`() {
    #expect(granted(31, key: nil, at: 0) == 30)
  }
}
