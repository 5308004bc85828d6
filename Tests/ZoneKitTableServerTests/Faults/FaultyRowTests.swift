import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

@Suite struct `a fault of a request for rows` {
  private var rows = TestRows()
  private var plan = FaultPlan()
  private var dice = SplitMix64(seed: 7)

  /// Rows behind a fault plan, driven as a driver does it.
  private mutating func ask(_ request: RowRequest, deviceID: String? = nil) -> RowResponse? {
    let users = FaultSubject.users(TestRows.mara, email: "mara@example.test")
    let subject = FaultSubject(request, users: users, deviceID: deviceID, schema: TestRows.app.schema)
    guard let faults = plan.faults(on: subject, using: &dice) else { return rows.ask(request) }
    let exchange = FaultyRowExchange(request, faults, schema: TestRows.app.schema, at: rows.now)
    var response: RowResponse?
    let usual = rows.server.limits
    rows.server.limits = exchange.limits(usual)
    if let request = exchange.request {
      for _ in 0..<exchange.faults.applications { response = rows.ask(request) }
    }
    rows.server.limits = usual
    return exchange.answer(to: response)
  }

  private mutating func write(_ number: UInt64, _ name: String) -> RowResponse? {
    ask(.write("things", RowWrite([TestRows.thing(number, name)], resolution: .merge)))
  }

  private mutating func read(limit: Int? = nil) -> [String]? {
    let query = RowQuery(order: [RowQuery.Order(.updatedAt)], limit: limit)
    guard case .done(let result)? = ask(.read("things", query, isHead: false)) else { return nil }
    switch result.rows {
    case .rows(let rows): return rows.compactMap { $0["name", TestRows.table].text }
    case .page(let page, owner: _):
      return page.changes.compactMap { change in
        guard case .saved(let record) = change else { return nil }
        guard case .string(let name)? = (try? record.fields.decoded())?["name"] else { return nil }
        return name
      }
    }
  }

  private func record(_ number: UInt64) -> Name { RowKey([TestRows.id(number)]).recordName(in: "things") }

  @Test mutating func `refuses with any status and code, and nothing is written`() {
    plan.add(Fault(.table(.reject(ServiceRefusal(418, code: "TEA", "no coffee", retryAfter: 7))), times: 1))
    let error = write(1, "a")?.error
    #expect(error?.status == 418 && error?.code == "TEA" && error?.message == "no coffee" && error?.retryAfter == 7)
    #expect(read() == [])
  }

  @Test mutating func `refuses the request that names a row, and no other one`() {
    let scope = FaultScope(tables: [.upsertRows], table: "things", recordNames: [record(2)])
    plan.add(Fault(.table(.rejectItems(code: "23503")), on: scope))
    #expect(write(1, "a")?.verdicts == [.inserted])
    let error = write(2, "b")?.error
    #expect(error?.kind == .brokenReference && error?.status == 409)
    #expect(read() == ["a"])
  }

  @Test mutating func `loses a request, or an answer after the row was written`() {
    plan.add(Fault(.loseRequest, times: 1))
    plan.add(Fault(.loseAnswer, on: FaultScope(tables: [.upsertRows]), times: 1))
    #expect(write(1, "a") == nil)
    #expect(write(2, "b") == nil)
    #expect(read() == ["b"])
  }

  @Test mutating func `repeats a request, and the second answer counts`() {
    plan.add(Fault(.repeatRequest, times: 1))
    #expect(write(1, "a")?.verdicts == [.same])
  }

  @Test mutating func `shows rows and feed as they were`() {
    _ = write(1, "a")
    rows.now = rows.now.advanced(byMilliseconds: 5_000)
    _ = write(2, "b")
    plan.add(Fault(.table(.staleRows(milliseconds: 3_000)), times: 2))
    #expect(read() == ["a"])
    let response = ask(.read("things", RowQuery(), isHead: false))
    #expect(response?.result?.feed?.newest == rows.now.advanced(byMilliseconds: -3_000))
    #expect(read() == ["a", "b"])
  }

  @Test mutating func `leaves rows out of the answer or doubles them`() {
    for (number, name) in [(UInt64(1), "a"), (2, "b")] { _ = write(number, name) }
    plan.add(Fault(.table(.omitRows), on: FaultScope(tables: [.readRows], recordNames: [record(1)]), times: 1))
    plan.add(Fault(.table(.doubleRows), on: FaultScope(tables: [.readRows], recordNames: [record(2)]), times: 1))
    #expect(read() == ["b", "b"])
    #expect(read() == ["a", "b"])
  }

  @Test mutating func `admits stamps less far ahead`() {
    plan.add(Fault(.table(.restamp(milliseconds: 120_000 + 7_000))))
    let ahead = TestRows.thing(1, "a", [.editedAt: .timestamp(rows.now.advanced(byMilliseconds: 60_000))])
    let written = ask(.write("things", RowWrite([ahead], resolution: .merge)))?.rows.first
    #expect(written?[.editedAt, TestRows.table] == .timestamp(rows.now.advanced(byMilliseconds: -7_000)))
  }

  @Test mutating func `lets an access token count as expired`() {
    plan.add(Fault(.table(.expireTokens), times: 1))
    #expect(write(1, "a")?.error?.kind == .expiredToken)
    #expect(write(1, "a")?.verdicts == [.inserted])
  }

  @Test mutating func `finds its account by e-mail address, and its device in the rows`() {
    plan.add(Fault(.loseRequest, on: FaultScope(user: "ben@example.test")))
    plan.add(Fault(.loseRequest, on: FaultScope(user: "mara@example.test", deviceID: "D")))
    #expect(write(1, "a") != nil)
    let content = TestRows.thing(1, "b", [.changedBy: .text("D:3")])
    #expect(ask(.write("things", RowWrite([content], resolution: .merge))) == nil)
  }

  @Test(arguments: [
    (TableFaultAction.endSession, AccountRequest.refresh(token: "t"), AccountError.Code.sessionNotFound),
    (.expireTokens, .read, .badJWT),
    (.reject(ServiceRefusal(429, code: "over_request_rate_limit", "slow")), .signOut(.local), .overRequestRateLimit),
  ])
  mutating func `of the accounts refuses what it is about`(
    action: TableFaultAction, request: AccountRequest, code: AccountError.Code
  ) throws {
    plan.add(Fault(.table(action)))
    let subject = try #require(FaultSubject(request, users: [], deviceID: nil))
    let exchange = FaultyAccountExchange(try #require(plan.faults(on: subject, using: &dice)))
    #expect(exchange.applications == 0)
    guard case .failure(let error)? = exchange.answer(to: nil) else { return #expect(Bool(false), "not refused") }
    #expect(error.code == code)
  }
}
