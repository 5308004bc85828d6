import ZoneKitRecords
import ZoneKitTables

/// The living expenses and settlements of an account, from which the balances of all its persons follow. The server's
/// function and devices compute balances with it. It follows the rows one by one, so a change costs as much as the expense
/// that it concerns.
package struct BalanceSheet: Sendable {
  /// An expense with its parts, as far as these rows live.
  private struct Expense {
    var currency = ""
    var payer: UUID?
    var isLiving = false
    /// What persons owe and paid, by row.
    var splits: [UUID: Balance.Part] = [:]
    var payers: [UUID: Balance.Part] = [:]

    var isEmpty: Bool { !isLiving && splits.isEmpty && payers.isEmpty }

    /// The persons whose balances it is part of.
    var persons: Set<UUID> {
      isLiving ? Set(splits.values.map(\.person) + payers.values.map(\.person) + [payer].compactMap(\.self)) : []
    }

    var content: Balance.Expense {
      Balance.Expense(currency: currency, payer: payer, splits: Array(splits.values), payers: Array(payers.values))
    }
  }

  /// A part of an expense, which is a row of its own.
  private enum Side: CaseIterable {
    case splits
    case payers

    init?(_ table: Name) {
      switch table {
      case "transaction_splits": self = .splits
      case "transaction_payers": self = .payers
      default: return nil
      }
    }

    var person: Name { self == .splits ? "owed_by_id" : "paid_by_id" }
    var parts: WritableKeyPath<Expense, [UUID: Balance.Part]> { self == .splits ? \.splits : \.payers }
  }

  private var expenses: [UUID: Expense] = [:]
  /// The expenses of the parts.
  private var owners: [Side: [UUID: UUID]] = [:]
  private var settlements: [UUID: Balance.Settlement] = [:]
  /// The expenses and settlements that concern each person.
  private var expensesOfPerson: [UUID: Set<UUID>] = [:]
  private var settlementsOfPerson: [UUID: Set<UUID>] = [:]

  /// The sheet of an account without rows.
  package init() {}

  /// The sheet of an account's rows.
  package init(_ rows: TableFunction.Rows) {
    for (table, rows) in rows {
      for row in rows { put(row, of: table) }
    }
  }

  /// A version of a row was read. It replaces an earlier one.
  package mutating func put(_ row: Row, of name: Name) {
    let table = SwissCoin.table(name)
    guard let id = row[.id, table].uuid else { return }
    guard row[.deletedAt, table] == .null else { return remove(id, from: name) }
    let amount = Cents(nearest: row["amount", table].number ?? 0)
    if let side = Side(name) {
      remove(id, from: name)
      guard let expense = row["transaction_id", table].uuid, let person = row[side.person, table].uuid else { return }
      owners[side, default: [:]][id] = expense
      change(expense) { $0[keyPath: side.parts][id] = Balance.Part(person, amount) }
    } else if name == "financial_transactions" {
      change(id) { expense in
        (expense.currency, expense.payer) = (row["currency", table].text ?? "", row["payer_id", table].uuid)
        expense.isLiving = true
      }
    } else if name == "settlements" {
      remove(id, from: name)
      let settlement = Balance.Settlement(
        currency: row["currency", table].text ?? "", from: row["from_person_id", table].uuid,
        to: row["to_person_id", table].uuid, amount: amount)
      settlements[id] = settlement
      for person in settlement.persons { settlementsOfPerson[person, default: []].insert(id) }
    }
  }

  /// A row was removed or deleted.
  package mutating func remove(_ id: UUID, from table: Name) {
    if let side = Side(table) {
      guard let expense = owners[side]?.removeValue(forKey: id) else { return }
      change(expense) { $0[keyPath: side.parts][id] = nil }
    } else if table == "financial_transactions" {
      change(id) { $0.isLiving = false }
    } else if table == "settlements", let settlement = settlements.removeValue(forKey: id) {
      for person in settlement.persons { settlementsOfPerson[person]?.remove(id) }
    }
  }

  private mutating func change(_ id: UUID, _ change: (inout Expense) -> Void) {
    var expense = expenses.removeValue(forKey: id) ?? Expense()
    let before = expense.persons
    change(&expense)
    let after = expense.persons
    for person in before.subtracting(after) { expensesOfPerson[person]?.remove(id) }
    for person in after.subtracting(before) { expensesOfPerson[person, default: []].insert(id) }
    if !expense.isEmpty { expenses[id] = expense }
  }

  /// The balance of a person to the user of the account.
  package func balance(of person: UUID, to user: UUID) -> Balance {
    Balance(
      of: person, to: user,
      expenses: (expensesOfPerson[person] ?? []).compactMap { expenses[$0]?.content },
      settlements: (settlementsOfPerson[person] ?? []).compactMap { settlements[$0] })
  }
}

extension Balance.Settlement {
  /// The persons whose balances it is part of.
  fileprivate var persons: Set<UUID> { Set([from, to].compactMap(\.self)) }
}
