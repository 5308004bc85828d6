public import ZoneKitRecords
public import ZoneKitTables

/// The living expenses and settlements of an account, from which the balances of all its persons follow. The server's
/// function and devices compute balances with it.
public struct BalanceSheet: Sendable {
  /// The expenses that concern each person.
  private var expenses: [UUID: [Balance.Expense]] = [:]
  /// The settlements that concern each person.
  private var settlements: [UUID: [Balance.Settlement]] = [:]

  /// The sheet of an account's rows.
  public init(_ rows: TableFunction.Rows) {
    let splits = LivingRows("transaction_splits", rows).parts(of: "owed_by_id")
    let payers = LivingRows("transaction_payers", rows).parts(of: "paid_by_id")
    let living = LivingRows("financial_transactions", rows)
    for row in living.rows {
      guard let id = living[row, .id].uuid else { continue }
      let expense = Balance.Expense(
        currency: living[row, "currency"].text ?? "", payer: living[row, "payer_id"].uuid, splits: splits[id] ?? [],
        payers: payers[id] ?? [])
      for person in Set((expense.splits + expense.payers).map(\.person) + [expense.payer].compactMap(\.self)).sorted() {
        expenses[person, default: []].append(expense)
      }
    }
    let settled = LivingRows("settlements", rows)
    for row in settled.rows {
      let settlement = Balance.Settlement(
        currency: settled[row, "currency"].text ?? "", from: settled[row, "from_person_id"].uuid,
        to: settled[row, "to_person_id"].uuid, amount: settled.amount(of: row))
      for person in Set([settlement.from, settlement.to].compactMap(\.self)).sorted() {
        settlements[person, default: []].append(settlement)
      }
    }
  }

  /// The balance of a person to the user of the account.
  public func balance(of person: UUID, to user: UUID) -> Balance {
    Balance(
      of: person, to: user, expenses: expenses[person] ?? [], settlements: settlements[person] ?? [])
  }
}

/// The rows of a table that are not deleted.
struct LivingRows {
  let table: Table
  let rows: [Row]

  init(_ name: Name, _ all: TableFunction.Rows) {
    table = SwissCoin.table(name)
    let deletion = table.place(of: .deletedAt) ?? 0
    rows = (all[name] ?? []).filter { $0.values[deletion] == .null }
  }

  subscript(row: Row, column: Name) -> RowValue { row[column, table] }

  /// The identifiers of the rows.
  var identifiers: Set<UUID> { Set(rows.compactMap { $0[.id, table].uuid }) }

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
