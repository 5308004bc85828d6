import Testing
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitTables

@Suite struct `a sheet of balances` {
  private static let me = UUID(high: 0, low: 1)
  private static let people = (1...4).map { UUID(high: 0, low: $0) }

  private func row(_ table: Name, _ id: UUID, _ numbers: inout SplitMix64) throws -> Row {
    let table = try #require(SwissCoin.schema.table(table))
    var row = Row(table.columns.map(\.defaultValue))
    row[.id, table] = .uuid(id)
    row["amount", table] = .float8(Double(Int.random(in: 1...9_999, using: &numbers)) / 100)
    row["currency", table] = .text(["CHF", "EUR"][Int.random(in: 0..<2, using: &numbers)])
    row["transaction_id", table] = .uuid(UUID(high: 1, low: UInt64.random(in: 0..<6, using: &numbers)))
    for column in ["payer_id", "owed_by_id", "paid_by_id", "from_person_id", "to_person_id"] as [Name]
    where Int.random(in: 0..<5, using: &numbers) > 0 {
      row[column, table] = .uuid(Self.people[Int.random(in: 0..<4, using: &numbers)])
    }
    if Int.random(in: 0..<5, using: &numbers) == 0 {
      row[.deletedAt, table] = .timestamp(WallTime(milliseconds: 1))
    }
    return row
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `that follows the rows one by one is that of the rows that are left`(seed: UInt64) throws {
    var numbers = SplitMix64(seed: seed)
    let tables: [Name] = ["financial_transactions", "transaction_splits", "transaction_payers", "settlements"]
    var sheet = BalanceSheet()
    var left: [Name: [UUID: Row]] = [:]
    for _ in 0..<300 {
      let table = tables[Int.random(in: 0..<4, using: &numbers)]
      let id = UUID(high: 1, low: UInt64.random(in: 0..<12, using: &numbers))
      if Int.random(in: 0..<6, using: &numbers) == 0 {
        sheet.remove(id, from: table)
        left[table, default: [:]][id] = nil
      } else {
        let row = try row(table, id, &numbers)
        sheet.put(row, of: table)
        left[table, default: [:]][id] = row
      }
      let whole = BalanceSheet(left.mapValues { Array($0.values) })
      for person in Self.people {
        #expect(sheet.balance(of: person, to: Self.me) == whole.balance(of: person, to: Self.me))
      }
    }
  }
}
