import Testing
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitTables

struct CalculateBalanceTests {
  private static let me = UUID(high: 0, low: 1)
  private static let ben = UUID(high: 0, low: 2)
  private static let expense = UUID(high: 0, low: 3)
  private let stamp = RowValue.timestamp(WallTime(milliseconds: 1_000))

  private func row(_ table: Name, _ id: UUID, _ values: [Name: RowValue]) throws -> Row {
    let table = try #require(SwissCoin.schema.table(table))
    var row = Row(table.columns.map(\.defaultValue))
    row["id", table] = .uuid(id)
    for (column, value) in values { row[column, table] = value }
    return row
  }

  /// An expense of 84.50 that I paid, half of it for Ben.
  private func rows() throws -> TableFunction.Rows {
    let half: [Name: RowValue] = ["transaction_id": .uuid(Self.expense), "amount": .float8(42.25)]
    return [
      "persons": [try row("persons", Self.me, [:]), try row("persons", Self.ben, [:])],
      "financial_transactions": [
        try row("financial_transactions", Self.expense, ["amount": .float8(84.5), "payer_id": .uuid(Self.me)])
      ],
      "transaction_splits": [
        try row("transaction_splits", UUID(high: 1, low: 1), half.merging(["owed_by_id": .uuid(Self.me)]) { $1 }),
        try row("transaction_splits", UUID(high: 1, low: 2), half.merging(["owed_by_id": .uuid(Self.ben)]) { $1 }),
      ],
    ]
  }

  private func call(_ argument: JSON, _ rows: TableFunction.Rows) throws(FunctionError) -> String {
    try TableFunction.calculateBalance.state(over: rows).answer(to: argument, for: Self.me).text()
  }

  @Test func `the balance of a person is that of the rows`() throws {
    let answer = try call(["person_id": .string(Self.ben.text.uppercased())], try rows())
    #expect(
      answer == #"{"balances":{"CHF":42.25},"is_settled":false,"primary_amount":42.25,"primary_currency":"CHF"}"#)
  }

  @Test func `settlements in other currencies have their own balance, and whole amounts no decimals`() throws {
    var all = try rows()
    all["settlements"] = [
      try row(
        "settlements", UUID(high: 2, low: 1),
        [
          "amount": .float8(3), "currency": .text("EUR"), "from_person_id": .uuid(Self.ben),
          "to_person_id": .uuid(Self.me),
        ])
    ]
    #expect(try call(["person_id": .string(Self.ben.text)], all).hasPrefix(#"{"balances":{"CHF":42.25,"EUR":-3},"#))
  }

  @Test(arguments: ["financial_transactions", "transaction_splits"] as [Name])
  func `deleted rows do not count`(table: Name) throws {
    var all = try rows()
    let description = try #require(SwissCoin.schema.table(table))
    for index in all[table, default: []].indices { all[table]?[index][.deletedAt, description] = stamp }
    #expect(
      try call(["person_id": .string(Self.ben.text)], all)
        == #"{"balances":{},"is_settled":true,"primary_amount":0,"primary_currency":""}"#)
  }

  @Test func `an argument that is wrong and a person who is not there are refused`() throws {
    let all = try rows()
    #expect(throws: FunctionError.invalid("person_id must be a text")) { try call([:], all) }
    #expect(throws: FunctionError.invalid("person_id must be a text")) { try call("x", all) }
    #expect(throws: FunctionError.invalid("person_id must be a UUID, not x")) { try call(["person_id": "x"], all) }
    #expect(throws: FunctionError.notFound("person not found")) {
      try call(["person_id": .string(UUID(high: 9, low: 9).text)], all)
    }
  }
}
