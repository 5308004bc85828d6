import ZoneKitRecords
import ZoneKitTables

extension TableFunction {
  /// What a person owes the account, by currency (Swiss Coin, 3). The argument is `{"person_id":<UUID>}`.
  package static let calculateBalance = TableFunction("calculate-balance", reading: SwissCoin.balanceTables) {
    Balances()
  }
}

/// The balances of an account's persons.
private struct Balances: FunctionState {
  private var people: Set<UUID> = []
  private var sheet = BalanceSheet()

  mutating func put(_ row: Row, of table: Name) {
    sheet.put(row, of: table)
    guard table == "persons" else { return }
    let description = SwissCoin.table(table)
    guard let id = row[.id, description].uuid else { return }
    if row[.deletedAt, description] == .null { people.insert(id) } else { people.remove(id) }
  }

  mutating func remove(_ key: RowKey, from table: Name) {
    guard let id = key.parts.first else { return }
    sheet.remove(id, from: table)
    if table == "persons" { people.remove(id) }
  }

  func answer(to argument: JSON, for account: UUID) throws(FunctionError) -> JSON {
    guard let text = argument["person_id"]?.string else { throw .invalid("person_id must be a text") }
    guard let person = UUID(text) else { throw .invalid("person_id must be a UUID, not \(text)") }
    guard people.contains(person) else { throw .notFound("person not found") }
    return sheet.balance(of: person, to: account).json
  }
}

extension Balance {
  /// The balance as the server's function answers it.
  var json: JSON {
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
