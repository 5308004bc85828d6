import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitTableClient

private typealias T = TestService

@Suite struct `a device's link to a table server` {
  private var link = TableLink(app: T.app, deviceID: "D")
  private var generator = SplitMix64(seed: 1)

  private static let tokens = SessionTokens(access: "a1", refresh: "r1", life: 3_600_000)
  private static let stored = StoredSession(account: T.account, email: "mara@example.test", refresh: "r1")
  private let lookup = CloudRequest.lookupRecords(zoneID: T.zoneID, recordNames: [T.name("persons", 1)])

  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }
  private func ask(_ number: UInt64) -> TableLink.AskID { TableLink.AskID(number: number) }

  private func grant(_ access: String, _ refresh: String) -> AccountOutcome {
    .session(
      AccountGrant(
        account: T.account, email: "mara@example.test",
        tokens: SessionTokens(access: access, refresh: refresh, life: 3_600_000)))
  }

  private mutating func signIn() {
    _ = link.signIn(email: "mara@example.test", password: "secret")
    _ = link.accountAnswered(ask(1), grant("a1", "r1"), at: time(0))
  }

  /// The number and the token of a request for rows.
  private struct Asked: Equatable {
    var number: UInt64
    var token: String

    init(_ number: UInt64, _ token: String) {
      self.number = number
      self.token = token
    }
  }

  /// The request for rows among effects; nil if there is none.
  private func asked(_ effects: [TableLink.Effect]) -> Asked? {
    for case .askRows(let id, _, _, let token) in effects { return Asked(id.number, token) }
    return nil
  }

  @Test mutating func `a late failure of a refresh does not count for the next one`() {
    _ = link.launched(with: Self.stored, at: time(0))
    _ = link.tick(at: time(5_000), using: &generator)
    _ = link.tick(at: time(6_000), using: &generator)
    let cut = AccountOutcome.failed(SessionError(.transient(retryAfter: nil), "the connection was cut"))
    #expect(link.accountAnswered(ask(1), cut, at: time(7_000)) == [])
    #expect(link.nextDeadline == time(11_000))
    _ = link.accountAnswered(ask(2), cut, at: time(7_000))
    #expect(link.nextDeadline == time(9_000))
  }

  private func answers(_ effects: [TableLink.Effect]) -> [Result<CloudResponse, CloudError>] {
    effects.compactMap { if case .answer(_, let result) = $0 { result } else { nil } }
  }

  private func failure(_ effects: [TableLink.Effect]) -> CloudErrorCode? {
    switch answers(effects).first {
    case .failure(let error), .success(.failure(let error)): error.code
    case .success, nil: nil
    }
  }

  // MARK: Signing in and out

  @Test mutating func `signs an account in, stores its session, and opens the channel`() {
    #expect(
      link.signUp(email: "mara@example.test", password: "secret")
        == [
          .askAccount(ask(1), .signUp(email: "mara@example.test", password: "secret", metadata: []), token: nil)
        ])
    #expect(
      link.accountAnswered(ask(1), grant("a1", "r1"), at: time(0))
        == [.signedIn(Self.stored), .openSocket])
    #expect(link.isSignedIn && link.owner == Self.stored)
  }

  @Test mutating func `reports a failed sign-in, and changes nothing`() {
    _ = link.signIn(email: "mara@example.test", password: "wrong")
    let error = SessionError(.refused("invalid_credentials"), "Invalid login credentials")
    #expect(link.accountAnswered(ask(1), .failed(error), at: time(0)) == [.signInFailed(error)])
    #expect(!link.isSignedIn && link.owner == nil && !link.isSigningIn)
  }

  @Test mutating func `signs nobody in while somebody is, or a sign-in is under way`() {
    _ = link.signIn(email: "a", password: "b")
    guard case .signInFailed? = link.signIn(email: "c", password: "d").first else { return #expect(Bool(false)) }
    _ = link.accountAnswered(ask(1), grant("a1", "r1"), at: time(0))
    guard case .signInFailed(let error)? = link.signUp(email: "c", password: "d").first else {
      return #expect(Bool(false))
    }
    #expect(error.reason == "mara@example.test is signed in")
  }

  @Test mutating func `tells the service of a sign-out, leaves the channel and forgets the session`() {
    signIn()
    _ = link.ask(lookup, ticket: 1, at: time(0))
    let effects = link.signOut(at: time(1))
    #expect(
      effects == [
        .askAccount(ask(3), .signOut(.local), token: "a1"), .closeSocket(code: 1000),
        .answer(1, .failure(CloudError(.notAuthenticated, "no account is signed in"))),
      ])
    #expect(link.owner == nil && !link.isSignedIn && link.nextDeadline == nil)
    #expect(link.accountAnswered(ask(3), .done, at: time(2)) == [])
  }

  // MARK: Requests

  @Test mutating func `sends a request with the session's token, and answers the coordinator`() {
    signIn()
    #expect(asked(link.ask(lookup, ticket: 7, at: time(0))) == Asked(2, "a1"))
    let effects = link.rowsAnswered(ask(2), .done(RowResult(.rows([]))), at: time(1))
    guard case .answer(7, .success(.records(let results)))? = effects.first else { return #expect(Bool(false)) }
    #expect(results.first?.error?.code == .unknownItem)
  }

  @Test mutating func `asks nothing without a session`() {
    #expect(failure(link.ask(lookup, ticket: 1, at: time(0))) == .notAuthenticated)
  }

  @Test mutating func `ignores the answer to a request that the coordinator gave up`() {
    signIn()
    _ = link.ask(lookup, ticket: 1, at: time(0))
    #expect(asked(link.ask(lookup, ticket: 2, at: time(0))) == Asked(3, "a1"))
    #expect(link.rowsAnswered(ask(2), .done(RowResult(.rows([]))), at: time(1)) == [])
    #expect(answers(link.rowsAnswered(ask(3), .done(RowResult(.rows([]))), at: time(1))).count == 1)
    _ = link.ask(lookup, ticket: 3, at: time(0))
    _ = link.linkChanged(isOnline: false, at: time(2))
    #expect(link.rowsAnswered(ask(4), .done(RowResult(.rows([]))), at: time(3)) == [])
  }

  @Test mutating func `holds requests back while the session is refreshed`() {
    #expect(link.launched(with: Self.stored, at: time(0)) == [.askAccount(ask(1), .refresh(token: "r1"), token: nil)])
    #expect(link.ask(lookup, ticket: 1, at: time(1)) == [])
    let effects = link.accountAnswered(ask(1), grant("a2", "r2"), at: time(2))
    #expect(effects.first == .store(StoredSession(account: T.account, email: "mara@example.test", refresh: "r2")))
    #expect(asked(effects) == Asked(2, "a2") && effects.contains(.openSocket))
  }

  @Test mutating func `sends a refused request again with a new token, once`() {
    signIn()
    _ = link.ask(lookup, ticket: 1, at: time(0))
    let expired = RowOutcome.refused(ServiceRefusal(RowError(.expiredToken, "JWT expired")))
    #expect(
      link.rowsAnswered(ask(2), expired, at: time(1)) == [.askAccount(ask(3), .refresh(token: "r1"), token: nil)])
    #expect(asked(link.accountAnswered(ask(3), grant("a2", "r2"), at: time(2))) == Asked(4, "a2"))
    #expect(failure(link.rowsAnswered(ask(4), expired, at: time(3))) == .notAuthenticated)
  }

  @Test mutating func `asks for the session to be refreshed once, whoever needs it`() {
    signIn()
    _ = link.ask(lookup, ticket: 1, at: time(0))
    _ = link.rowsAnswered(ask(2), .refused(ServiceRefusal(RowError(.expiredToken, "JWT expired"))), at: time(1))
    #expect(link.tick(at: time(5_000), using: &generator) == [])
    #expect(link.ask(lookup, ticket: 2, at: time(5_000)) == [])
  }

  @Test mutating func `gives a request up when the session cannot be refreshed for a while`() {
    _ = link.launched(with: Self.stored, at: time(0))
    _ = link.ask(lookup, ticket: 1, at: time(1))
    let error = SessionError(.transient(retryAfter: 2_000), "no answer")
    #expect(
      link.accountAnswered(ask(1), .failed(error), at: time(2))
        == [.answer(1, .failure(CloudError(.serviceUnavailable, "no answer", retryAfterMilliseconds: 2_000)))])
    #expect(link.nextDeadline == time(2_002))
    #expect(
      link.linkChanged(isOnline: true, at: time(3)) == [.askAccount(ask(2), .refresh(token: "r1"), token: nil)])
  }

  @Test mutating func `lets the coordinator try again after a refusal that does not end the session`() {
    _ = link.launched(with: Self.stored, at: time(0))
    _ = link.ask(lookup, ticket: 1, at: time(1))
    let error = SessionError(.refused("validation_failed"), "no")
    #expect(
      link.accountAnswered(ask(1), .failed(error), at: time(2))
        == [.answer(1, .failure(CloudError(.serviceUnavailable, "no")))])
    #expect(link.isSignedIn)
  }

  @Test mutating func `keeps the account of a session that is over, and the reason`() {
    signIn()
    _ = link.ask(lookup, ticket: 1, at: time(0))
    _ = link.rowsAnswered(ask(2), .refused(ServiceRefusal(RowError(.expiredToken, "JWT expired"))), at: time(1))
    let error = SessionError(.refused("refresh_token_already_used"), "Already Used")
    let over = StoredSession(
      account: T.account, email: "mara@example.test", refresh: nil, reason: "Already Used")
    #expect(
      link.accountAnswered(ask(3), .failed(error), at: time(2))
        == [
          .sessionLost(over, reason: "Already Used"), .closeSocket(code: 1000),
          .answer(1, .failure(CloudError(.notAuthenticated, "Already Used"))),
        ])
    #expect(link.owner == over && !link.isSignedIn)
    var next = TableLink(app: T.app, deviceID: "D")
    #expect(next.launched(with: StoredSession(over.text), at: time(0)) == [])
    #expect(
      next.ask(lookup, ticket: 1, at: time(0)) == [.answer(1, .failure(CloudError(.notAuthenticated, "Already Used")))])
    _ = next.signIn(email: "mara@example.test", password: "secret")
    _ = next.accountAnswered(ask(1), grant("a2", "r2"), at: time(1))
    #expect(next.owner == StoredSession(account: T.account, email: "mara@example.test", refresh: "r2"))
  }

  // MARK: The channel

  /// Joins the channel.
  private mutating func join() {
    signIn()
    _ = link.socketOpened(at: time(0))
    let payload: JSON = ["response": ["postgres_changes": [["id": 1]]], "status": "ok"]
    let reply = ChannelFrame(
      ref: "1", topic: "realtime:user-sync-\(T.account.text)", event: "phx_reply", payload: payload)
    #expect(
      link.frameReceived(reply, at: time(0), using: &generator)
        == [.fact(.connectionChanged(isConnected: true)), .joined])
  }

  private func change(_ number: UInt64, stamp: Int64) -> ChannelFrame {
    let record: JSON = [
      "id": .string(T.id(number).text), "updated_at": .string(WallTime(milliseconds: stamp).iso8601),
    ]
    return ChannelFrame(
      topic: "realtime:user-sync-\(T.account.text)", event: "postgres_changes",
      payload: ["ids": [1], "data": ["table": "expenses", "type": "INSERT", "errors": .null, "record": record]])
  }

  private func news(_ effects: [TableLink.Effect]) -> Bool {
    effects.contains { if case .news = $0 { true } else { false } }
  }

  @Test mutating func `tells the channel of a new token`() {
    join()
    #expect(link.tick(at: time(25_000), using: &generator).count == 1)
    let due = time(3_600_000 - Session.margin)
    _ = link.frameReceived(
      ChannelFrame(ref: "2", topic: "phoenix", event: "phx_reply", payload: [:]), at: due, using: &generator)
    guard case .askAccount(let id, _, _)? = link.tick(at: due, using: &generator).first else {
      return #expect(Bool(false))
    }
    let effects = link.accountAnswered(id, grant("a2", "r2"), at: due)
    #expect(effects.contains { if case .send(let frame) = $0 { frame.event == "access_token" } else { false } })
  }

  @Test(arguments: ["InvalidJWTToken: the account does not exist", "JwtSignatureError: no", "MalformedJWT: no"])
  mutating func `refreshes the session once when the service refuses the channel because of the token`(
    reason: String
  ) {
    func refusal(_ ref: String) -> ChannelFrame {
      ChannelFrame(
        joinRef: ref, ref: ref, topic: "realtime:user-sync-\(T.account.text)", event: "phx_reply",
        payload: ["status": "error", "response": ["reason": .string(reason)]])
    }
    signIn()
    _ = link.socketOpened(at: time(0))
    #expect(
      link.frameReceived(refusal("1"), at: time(1), using: &generator).last
        == .askAccount(ask(2), .refresh(token: "r1"), token: nil))
    _ = link.accountAnswered(ask(2), grant("a2", "r2"), at: time(2))
    #expect(link.tick(at: time(2_000), using: &generator) == [.openSocket])
    _ = link.socketOpened(at: time(2_001))
    let again = link.frameReceived(refusal("2"), at: time(2_002), using: &generator)
    #expect(!again.contains { if case .askAccount = $0 { true } else { false } })
  }

  @Test mutating func `takes an event for known only when the page that brought the row is stored`() {
    join()
    _ = link.ask(.fetchZoneChanges([ZoneChangesQuery(zoneID: T.zoneID, token: nil)]), ticket: 1, at: time(0))
    var row = Row(T.expenses.columns.map { _ in .null })
    row[.id, T.expenses] = .uuid(T.id(1))
    row[.updatedAt, T.expenses] = .timestamp(WallTime(milliseconds: 500))
    var effects: [TableLink.Effect] = []
    for number in 2...6 as ClosedRange<UInt64> {
      let isExpenses = number == 4
      effects = link.rowsAnswered(ask(number), .done(RowResult(.rows(isExpenses ? [row] : []))), at: time(1))
    }
    #expect(link.counters.duplicates == 0 && link.counters.joins == 1)
    #expect(news(link.frameReceived(change(1, stamp: 500), at: time(2), using: &generator)))
    #expect(link.pageStored().count == 1)
    #expect(!news(link.frameReceived(change(1, stamp: 500), at: time(3), using: &generator)))
    #expect(news(link.frameReceived(change(1, stamp: 501), at: time(4), using: &generator)))
    #expect(link.counters.received == 3 && link.counters.duplicates == 1)
    #expect(link.counters.lastEvent == "expenses - INSERT" && effects.isEmpty)
  }

  /// The coordinator fetches and gets one expense with that stamp, which it stores. Returns the tables of the notices.
  private mutating func fetch(_ number: UInt64, stamp: Int64, ticket: UInt64) -> [ChangeNotice] {
    var open = asked(
      link.ask(.fetchZoneChanges([ZoneChangesQuery(zoneID: T.zoneID, token: nil)]), ticket: ticket, at: time(0)))
    var row = Row(T.expenses.columns.map { _ in .null })
    row[.id, T.expenses] = .uuid(T.id(number))
    row[.updatedAt, T.expenses] = .timestamp(WallTime(milliseconds: stamp))
    var place = 0
    while let sent = open {
      let rows = T.app.schema.tables[place].name == "expenses" ? [row] : []
      place += 1
      open = asked(link.rowsAnswered(ask(sent.number), .done(RowResult(.rows(rows))), at: time(1)))
    }
    return link.pageStored().compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
  }

  @Test mutating func `tells the app about a change when the page that brought it is stored, once`() {
    join()
    _ = link.frameReceived(change(1, stamp: 500), at: time(2), using: &generator)
    _ = link.frameReceived(change(2, stamp: 600), at: time(2), using: &generator)
    #expect(link.pageStored() == [])
    let told = fetch(1, stamp: 500, ticket: 1)
    #expect(told.map(\.record["id"]) == [.string(T.id(1).text)])
    #expect(told.first?.kind.name == "expenseChanged" && told.first?.action == "INSERT")
    #expect(fetch(1, stamp: 500, ticket: 2).isEmpty)
    #expect(fetch(2, stamp: 600, ticket: 3).map(\.table) == ["expenses"])
  }

  @Test func `reads the session that it stored, and nothing else`() {
    for stored in [Self.stored, StoredSession(account: T.account, email: "é\"", refresh: nil, reason: "over")] {
      #expect(StoredSession(stored.text) == stored)
    }
    for text in ["", "{}", "[]", "{\"account\":\"x\",\"email\":\"y\"}"] { #expect(StoredSession(text) == nil) }
  }
}
