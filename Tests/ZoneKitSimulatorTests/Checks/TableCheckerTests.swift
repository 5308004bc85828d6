import Testing
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

@testable import ZoneKitSimulator

struct TableCheckerTests {
  private let mara = UUID(high: 1, low: 1)
  private let ben = UUID(high: 2, low: 2)
  private let table = RowsApp.tables.schema.tables[0]

  private func row(of owner: UUID) -> Row {
    var row = Row(table.columns.map(\.defaultValue))
    row[.id, table] = .uuid(UUID(high: 3, low: 3))
    row[.ownerID, table] = .uuid(owner)
    return row
  }

  private func change(at stamp: Int64, of owner: UUID) -> RowChange {
    RowChange(
      table: table.name, key: RowKey([UUID(high: 3, low: 3)]), old: nil, new: row(of: owner),
      stamp: WallTime(milliseconds: stamp))
  }

  @Test func `stamps that are served to an account have to rise`() {
    var checker = TableChecker()
    func served(_ stamps: Int64..., to account: UUID) -> Finding? {
      checker.committed(AccountChanges(account: account, changes: stamps.map { change(at: $0, of: account) }))
    }
    #expect(served(10, 11, to: mara) == nil)
    #expect(served(10, to: ben) == nil)
    #expect(served(11, to: mara)?.rule == .stamp)
    #expect(served(13, 12, to: mara)?.rule == .stamp)
  }

  @Test func `a row of one account may not reach another one`() {
    let rows = RowResponse.done(RowResult(.rows([row(of: mara)])))
    #expect(TableChecker.finding(in: rows, of: table, to: mara) == nil)
    #expect(TableChecker.finding(in: rows, of: table, to: ben)?.rule == .account)
    #expect(TableChecker.finding(in: rows, of: table, to: nil)?.rule == .account)
    #expect(TableChecker.finding(in: change(at: 1, of: mara), of: table, to: mara) == nil)
    #expect(TableChecker.finding(in: change(at: 1, of: mara), of: table, to: ben)?.rule == .account)
  }

  @Test func `an edit stamp is at most two minutes ahead of the service's clock`() {
    func kept(editedAt stamp: Int64) -> Violation.Rule? {
      var change = change(at: 10, of: mara)
      change.new?[.editedAt, table] = .timestamp(WallTime(milliseconds: stamp))
      return TableChecker.stampAhead(in: AccountChanges(account: mara, changes: [change]), RowsApp.tables.schema)?.rule
    }
    #expect(kept(editedAt: 120_010) == nil)
    #expect(kept(editedAt: 120_011) == .stamp)
  }

  // MARK: Repeats

  private func write(_ revision: Int, name: String = "Ben", updatedAt: Int64 = 1) -> RowRequest {
    let values: [Name: RowValue] = [
      .id: .uuid(UUID(high: 3, low: 3)), .changedBy: .text("device-a:\(revision)"), "name": .text(name),
      .updatedAt: .timestamp(WallTime(milliseconds: updatedAt)),
    ]
    return .write(table.name, RowWrite([RowContent(values)], resolution: .merge))
  }

  private func answer(_ verdict: RowVerdict) -> RowResponse { .done(RowResult(.rows([]), verdicts: [verdict])) }

  @Test func `a repeat of the change that was accepted last is no conflict`() {
    var checker = RepeatChecker()
    func take(_ request: RowRequest, _ verdict: RowVerdict, _ account: UUID) -> Violation.Rule? {
      checker.answered(request, of: table, with: answer(verdict), to: account)?.rule
    }
    #expect(take(write(1), .kept, mara) == nil)
    #expect(take(write(1), .inserted, mara) == nil)
    #expect(take(write(1, updatedAt: 2), .repeat, mara) == nil)
    #expect(take(write(1, updatedAt: 2), .kept, mara) == .decision)
    #expect(take(write(1), .kept, ben) == nil)
    #expect(take(write(1, name: "Bea"), .kept, mara) == nil)
    #expect(take(write(2), .updated, mara) == nil)
    // The service remembers the last change only.
    #expect(take(write(1), .kept, mara) == nil)
    #expect(take(write(2), .kept, mara) == .decision)
    checker.removed(RowKey([UUID(high: 3, low: 3)]), of: table.name, from: mara)
    #expect(take(write(2), .kept, mara) == nil)
  }

  @Test func `a repeat says which change was accepted last, also if the answer to that one was not seen`() {
    var checker = RepeatChecker()
    func take(_ request: RowRequest, _ verdict: RowVerdict) -> Violation.Rule? {
      checker.answered(request, of: table, with: answer(verdict), to: mara)?.rule
    }
    #expect(take(write(1), .inserted) == nil)
    #expect(take(write(2), .repeat) == nil)
    #expect(take(write(1), .kept) == nil)
    #expect(take(write(2), .kept) == .decision)
  }
}
