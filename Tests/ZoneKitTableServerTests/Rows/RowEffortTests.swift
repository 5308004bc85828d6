import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitTableServer

private typealias T = TestRows

/// How much is read and evaluated for a request, counted instead of timed.
@Suite struct `a request that changes many rows` {
  private func time(_ milliseconds: Int64) -> RowValue { .timestamp(WallTime(milliseconds: milliseconds)) }
  private let all = RowQuery(filters: [.test(.id, .notNull)])

  /// An account with that many things, each with two parts.
  private func account(things count: UInt64) -> T {
    var test = T()
    let things = (1...count).map { T.thing($0, "a", [.editedAt: time(10)]) }
    #expect(test.write(things).error == nil)
    let parts = (1...2 * count).map { number in
      RowContent([.id: .uuid(T.id(1 << 20 + number)), "thing_id": .uuid(T.id((number + 1) / 2))])
    }
    #expect(test.write(parts, in: "parts").error == nil)
    return test
  }

  /// Expects a request to be evaluated as often for many rows as for few, and to read at most as many records for each.
  private func expectLinear(
    _ what: Comment, _ verdict: RowVerdict?, sourceLocation: SourceLocation = #_sourceLocation,
    _ request: (UInt64) -> RowRequest
  ) {
    let efforts = [25, 100].map { (count: UInt64) in
      var test = account(things: count)
      let response = test.ask(request(count))
      #expect(response.error == nil, what, sourceLocation: sourceLocation)
      if let verdict {
        #expect(response.verdicts == Array(repeating: verdict, count: Int(count)), what, sourceLocation: sourceLocation)
      }
      return (evaluations: test.evaluations, reads: test.zones.store.counts.reads)
    }
    #expect(efforts[0].evaluations == efforts[1].evaluations, what, sourceLocation: sourceLocation)
    #expect(efforts[1].evaluations <= 8, what, sourceLocation: sourceLocation)
    #expect(efforts[1].reads <= 4 * efforts[0].reads, what, sourceLocation: sourceLocation)
  }

  @Test func `is evaluated as often for many rows as for few`() {
    expectLinear("a change of each row", .updated) { _ in .update("things", RowContent(["name": .text("b")]), all) }
    expectLinear("a deletion with what the rows own", .updated) { _ in
      .update("things", RowContent([.deletedAt: time(7)]), all)
    }
    expectLinear("a change of rows that belong to others", nil) { _ in
      .update("parts", RowContent(["number": .int4(5)]), all)
    }
    expectLinear("a removal with what the rows own", nil) { _ in .delete("things", all) }
    expectLinear("versions that lose", .kept) { count in
      .write("things", RowWrite((1...count).map { T.thing($0, "b", [.editedAt: time(5)]) }, resolution: .merge))
    }
    expectLinear("versions that win against others", .updated) { count in
      .write("things", RowWrite((1...count).map { T.thing($0, "b", [.editedAt: time(50)]) }, resolution: .merge))
    }
    expectLinear("rows that refer to others", .inserted) { count in
      let rows = (1...count).map { T.thing(1000 + $0, "c", ["parent_id": .uuid(T.id($0))]) }
      return .write("things", RowWrite(rows, resolution: .merge))
    }
    expectLinear("rows that others own", .inserted) { count in
      let rows = (1...count).map { RowContent([.id: .uuid(T.id(1 << 30 + $0)), "thing_id": .uuid(T.id($0))]) }
      return .write("parts", RowWrite(rows, resolution: .refuse))
    }
    expectLinear("rows that move to other owners, with a deletion", .updated) { count in
      let rows = (1...count).map {
        RowContent([.id: .uuid(T.id(1 << 20 + $0)), "thing_id": .uuid(T.id($0)), .deletedAt: time(8), "number": .null])
      }
      return .write("parts", RowWrite(rows, resolution: .merge))
    }
  }

  @Test func `of all accounts is evaluated as often for many accounts as for few`() {
    let efforts = [5, 20].map { (count: UInt64) in
      var test = T()
      for number in 1...count {
        let account = UUID(high: 9, low: number)
        var change = AccountTransition()
        let stored = Account(id: account, email: "\(number)@example.com", createdAt: test.now, updatedAt: test.now)
        change.accounts = [StoredAccount(stored, password: nil)]
        test.accounts.stage(change)
        test.caller = RowCaller(.account(account))
        #expect(test.write([T.thing(number, "a")]).error == nil)
      }
      test.caller = RowCaller(.service)
      let evaluations = [
        RowRequest.read("things", RowQuery(), isHead: false), .update("things", RowContent(["name": .text("b")]), all),
        .delete("things", all),
      ].map { request in
        #expect(test.ask(request).rows.count == Int(count))
        return test.evaluations
      }
      return evaluations
    }
    #expect(efforts[0] == efforts[1])
  }

  @Test func `is refused in words beyond the limit, and nothing is changed`() {
    var test = account(things: 3)
    test.server.limits.changedRows = 8
    for request in [.delete("things", all), .update("things", RowContent([.deletedAt: time(7)]), all)] as [RowRequest] {
      let error = test.ask(request).error
      #expect(error?.code == "54000" && error?.status == 400)
      #expect(error?.message == "the request would change more than 8 rows")
      #expect(test.rows(of: "parts").filter { $0[.deletedAt, T.parts] == .null }.count == 6)
    }
    test.server.limits.changedRows = 9
    #expect(test.ask(.delete("things", all)).rows.count == 3)
  }

  @Test func `logs no conflict if the writer names no version`() {
    var test = account(things: 3)
    #expect(test.ask(.update("things", RowContent(["name": .text("b")]), all)).verdicts.count == 3)
    #expect(test.write([T.thing(1, "c")]).verdicts == [.updated])
    #expect(test.rows(of: "conflict_log").isEmpty)
    let later = RowContent(["name": .text("d"), .editedAt: time(test.now.milliseconds + 5_000)])
    #expect(test.ask(.update("things", later, all)).verdicts.count == 3)
    #expect(test.rows(of: "conflict_log").count == 3, "an edit at a time may be one of another version")
  }
}

/// How much is read for a query whose rows are too large for one answer.
@Suite struct `a query that is refused because of its size` {
  @Test func `reads no more than what is refused`() throws {
    var test = T()
    #expect(test.write([T.thing(1, String(repeating: "x", count: 900_000))]).error == nil)
    let zone = ZoneKey(database: T.app.database(of: T.mara), zoneName: T.app.zone)
    let first = try #require(try test.zones.store.record(RowKey([T.id(1)]).recordName(in: "things"), in: zone))
    var header = try #require(try test.zones.store.zone(zone))
    let copies = (2...200).map { (number: UInt64) in
      var copy = first
      copy.recordName = RowKey([T.id(number)]).recordName(in: "things")
      copy.sequence += Int64(number)
      return copy
    }
    header.sequence += 200
    header.recordCount += copies.count
    test.zones.store.stage(ZoneTransition(header: header, records: copies), in: zone)
    #expect(test.zones.store.commit() == [])
    let query = RowQuery(order: [RowQuery.Order(.updatedAt)], limit: 200)
    let response = test.ask(.read("things", query, isHead: false))
    #expect(response.error?.kind == .tooMuchWork)
    #expect(test.zones.store.counts.rows * 900_000 <= AnswerSize.reading)
  }
}
