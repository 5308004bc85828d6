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
}
