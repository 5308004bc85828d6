import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitTableServer

private typealias T = TestRows

@Suite struct `queries that read for long` {
  private let query = RowQuery(filters: [.compare("name", .equal, .text("a"))], order: [RowQuery.Order("amount")])

  private func submit(_ query: RowQuery, _ ticket: Int, to test: inout T) {
    guard
      case .submit(let transaction, let database, let caller) = test.server.receive(
        .read("things", query, isHead: false), from: test.caller, at: test.now, accounts: &test.accounts,
        using: &test.generator)
    else {
      Issue.record("a query of an account is a transaction")
      return
    }
    _ = test.zones.transact(
      transaction, ticket: Ticket(ticket), in: database, from: caller, at: test.now, using: &test.generator)
  }

  @Test func `are answered after their turn, with what is committed then, and shorten each other in it`() {
    var test = T()
    #expect(test.write([T.thing(1, "a"), T.thing(2, "b")]).error == nil)
    test.zones.readingTime = LongReading.turnTime
    test.zones.store.counts.isSlow = true
    submit(query, 7, to: &test)
    submit(query, 8, to: &test)
    submit(RowQuery(order: [RowQuery.Order(.updatedAt)]), 9, to: &test)
    #expect(test.zones.store.counts.limits == [LongReading.turnTime, nil, 1, nil, 1, nil])
    let answered = test.zones.endTurn(using: &test.generator).compactMap { effect in
      if case .transacted(let ticket, _) = effect { ticket } else { nil }
    }
    #expect(answered == [Ticket(9)], "a page by time reads only what it shows")
    let readings = test.zones.takeLongReadings()
    #expect(readings.map(\.ticket) == [Ticket(7), Ticket(8)] && test.zones.takeLongReadings().isEmpty)
    #expect(test.write([T.thing(3, "a")]).error == nil)
    for reading in readings {
      let effect = reading.result(over: &test.zones.store, room: .max, using: &test.generator)
      guard case .transacted(_, let result) = effect else {
        Issue.record("the effect is \(effect)")
        continue
      }
      test.zones.store.counts.isSlow = false
      #expect(test.server.answer(to: result).response == test.ask(.read("things", query, isHead: false)))
    }
    submit(query, 10, to: &test)
    #expect(test.zones.takeLongReadings().isEmpty)
  }
}
