import ZoneKitRecords
public import ZoneKitTables

extension TableFunction {
  /// What a person owes the account, by currency (Swiss Coin, 3). The argument is `{"person_id":<UUID>}`.
  public static let calculateBalance = TableFunction(
    "calculate-balance",
    reading: ["persons", "financial_transactions", "transaction_splits", "transaction_payers", "settlements"]
  ) { argument, account, rows throws(FunctionError) in
    guard let text = argument["person_id"]?.string else { throw .invalid("person_id must be a text") }
    guard let person = UUID(text) else { throw .invalid("person_id must be a UUID, not \(text)") }
    let people = LivingRows("persons", rows)
    guard people.contains(person) else { throw .notFound("person not found") }
    return Balance(of: person, to: account, in: rows).json
  }
}

extension Balance {
  /// The balance of a person over an account's rows.
  public init(of person: UUID, to user: UUID, in rows: TableFunction.Rows) {
    let splits = LivingRows("transaction_splits", rows).parts(of: "owed_by_id")
    let payers = LivingRows("transaction_payers", rows).parts(of: "paid_by_id")
    let expenses = LivingRows("financial_transactions", rows)
    let settlements = LivingRows("settlements", rows)
    self.init(
      of: person, to: user,
      expenses: expenses.rows.map { row in
        let id = expenses[row, "id"].uuid
        return Expense(
          currency: expenses[row, "currency"].text ?? "", payer: expenses[row, "payer_id"].uuid,
          splits: id.flatMap { splits[$0] } ?? [], payers: id.flatMap { payers[$0] } ?? [])
      },
      settlements: settlements.rows.map { row in
        Settlement(
          currency: settlements[row, "currency"].text ?? "", from: settlements[row, "from_person_id"].uuid,
          to: settlements[row, "to_person_id"].uuid, amount: settlements.amount(of: row))
      })
  }

  /// The answer of the server's function.
  fileprivate var json: JSON {
    let primary = primary
    return [
      "balances": .object(amounts.map { JSON.Member($0.currency, $0.amount.json) }), "is_settled": .bool(isSettled),
      "primary_amount": primary?.amount.json ?? .integer(0), "primary_currency": .string(primary?.currency ?? ""),
    ]
  }
}

extension Cents {
  /// The amount as a number.
  fileprivate var json: JSON { count % 100 == 0 ? .integer(count / 100) : .number(amount) }
}

/// The rows of a table that are not deleted.
private struct LivingRows {
  let table: Table
  let rows: [Row]

  init(_ name: Name, _ all: TableFunction.Rows) {
    guard let table = SwissCoin.schema.table(name) else {
      preconditionFailure("Swiss Coin has a table \(name)")
    }
    self.table = table
    rows = (all[name] ?? []).filter { $0[.deletedAt, table] == .null }
  }

  subscript(row: Row, column: Name) -> RowValue { row[column, table] }

  func contains(_ id: UUID) -> Bool { rows.contains { $0[.id, table].uuid == id } }

  func amount(of row: Row) -> Cents { Cents(nearest: row["amount", table].number ?? 0) }

  /// The parts of expenses, by expense. `person` is the column of the person.
  func parts(of person: Name) -> [UUID: [Balance.Part]] {
    var parts: [UUID: [Balance.Part]] = [:]
    for row in rows {
      guard let expense = row["transaction_id", table].uuid, let id = row[person, table].uuid else { continue }
      parts[expense, default: []].append(Balance.Part(id, amount(of: row)))
    }
    return parts
  }
}
