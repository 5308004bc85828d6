import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitTableClient

private typealias T = TestService

@Suite struct `when rows of tables were moved` {
  private func time(_ milliseconds: Int64) -> WallTime { WallTime(milliseconds: milliseconds) }

  private func result(_ count: Int) -> RowOutcome {
    .done(RowResult(.rows(Array(repeating: Row(T.persons.columns.map { _ in .null }), count: count))))
  }

  @Test func `only answers with rows count, each for its table and its direction`() {
    var moved = MovedTables()
    moved.note(.read("persons", RowQuery(), isHead: false), result(0))
    moved.note(.read("persons", RowQuery(), isHead: false), .unanswered(.answerLost("cut")))
    #expect(moved.isEmpty)
    moved.note(.read("persons", RowQuery(), isHead: false), result(1))
    moved.note(.write("expenses", RowWrite([], resolution: .merge)), result(2))
    #expect(moved.pulled == ["persons"] && moved.pushed == ["expenses"])
  }

  @Test func `times are kept over a restart, and replaced by later ones`() {
    var moved = MovedTables()
    moved.note(.read("persons", RowQuery(), isHead: false), result(1))
    var times = TableTimes()
    times.note(moved, at: time(5))
    moved.note(.write("persons", RowWrite([], resolution: .merge)), result(1))
    times.note(moved, at: time(9))
    let read = TableTimes(times.text)
    #expect(read == times && read.pulled == ["persons": time(9)] && read.pushed == ["persons": time(9)])
    #expect(TableTimes(nil) == TableTimes() && TableTimes("no JSON") == TableTimes())
  }
}
