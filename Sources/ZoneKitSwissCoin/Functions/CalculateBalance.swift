import ZoneKitRecords
public import ZoneKitTables

extension TableFunction {
  /// What a person owes the account, by currency (Swiss Coin, 3). The argument is `{"person_id":<UUID>}`.
  public static let calculateBalance = TableFunction(
    "calculate-balance",
    reading: SwissCoin.balanceTables
  ) { rows in
    let people = LivingRows("persons", rows).identifiers
    let sheet = BalanceSheet(rows)
    return { argument, account throws(FunctionError) in
      guard let text = argument["person_id"]?.string else { throw .invalid("person_id must be a text") }
      guard let person = UUID(text) else { throw .invalid("person_id must be a UUID, not \(text)") }
      guard people.contains(person) else { throw .notFound("person not found") }
      return sheet.balance(of: person, to: account).json
    }
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
