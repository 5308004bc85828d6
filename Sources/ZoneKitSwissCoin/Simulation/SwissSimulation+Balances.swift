import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// The checks of a device that agrees with its cloud: the promises for all rows, and balances.
extension SwissSimulation {
  /// What the person of that name owes, as `balance` shows it.
  @Sendable static func balance(_ person: String, _ view: AppView) throws(AppRefusal) -> String {
    let book: Book
    let me: UUID?
    do throws(StoreError) {
      (book, me) = (try Self.book(of: view), try Me.id(in: view))
    } catch {
      throw AppRefusal("\(error)")
    }
    let named = book.rows(in: "persons").filter { $0.name == person }
    guard let me, let row = named.first else { throw AppRefusal("no person is called \(person)") }
    guard named.count == 1 else { throw AppRefusal("\(named.count) persons are called \(person)") }
    let amounts = book.balanceSheet.balance(of: row.key.parts[0], to: me).amounts
    return amounts.isEmpty ? Cents(0).text : amounts.map(\.amount.text).joined(separator: ", ")
  }

  /// Checks an account's rows in the cloud and a device that agrees with it: the promises for all rows hold, and the
  /// balances of the device and of the server's function are those of a second, plain computation.
  @Sendable static func judgeAgreement(_ records: [RecordID: RecordContent], _ view: AppView) -> [String] {
    guard let account = view.account.flatMap({ UUID($0.text) }) else { return [] }
    let rows = records.keys.sorted().compactMap { id in
      let table = SwissCoin.table(of: id)?.name
      return table.flatMap {
        try? CoinRow(LocalRecord(recordID: id, recordType: $0, local: records[id]), owner: account)
      }
    }
    guard let book = try? book(of: view) else { return ["the rows cannot be read"] }
    let sheet = book.balanceSheet
    let function = TableFunction.calculateBalance.state(
      over: Dictionary(grouping: rows, by: \.table.name).mapValues { $0.map(\.row) })
    return RowPromises.violations(in: rows)
      + wrongBalances(of: account, in: book.contents) { sheet.balance(of: $0, to: account) }
      + wrongBalances(of: account, in: records) { person in
        (try? function.answer(to: ["person_id": .string(person.text)], for: account)).flatMap { Balance($0) }
      }
  }

  private static func book(of view: AppView) throws(StoreError) -> Book {
    var book = Book()
    try book.read(SwissCoin.balanceTables, from: view)
    return book
  }

  /// The living persons whose balance is not that of the plain computation, a sentence for each.
  private static func wrongBalances(
    of account: UUID, in records: [RecordID: RecordContent], _ balance: (UUID) -> Balance?
  ) -> [String] {
    let money = PlainMoney(records)
    let me = Name("persons/\(account.text)")
    return money.persons.compactMap { name in
      guard name != me, let id = UUID(name.text.dropFirst("persons/".count)) else { return nil }
      let expected = money.balance(of: name, to: me)
      let seen = balance(id).map { Dictionary(uniqueKeysWithValues: $0.amounts.map { ($0.currency, $0.amount.count) }) }
      guard seen != expected else { return nil }
      let words = [seen, expected].map { sums in
        (sums ?? [:]).sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      }
      return "the balance of \(name) is \(words[0]) cents, and \(words[1]) by a plain computation"
    }
  }
}

extension Book {
  /// The rows that were read, as records.
  fileprivate var contents: [RecordID: RecordContent] {
    let rows = SwissCoin.balanceTables.flatMap { self.rows(in: $0) }
    return Dictionary(
      uniqueKeysWithValues: rows.map {
        ($0.id, RecordContent(fields: EncodedFields($0.row.fields(of: $0.table))))
      })
  }
}

/// Balances in a second, plain computation over the fields of records.
private struct PlainMoney {
  private typealias Row = (name: Name, fields: Fields)
  /// The cents of persons.
  private typealias Shares = [Name: Int64]

  /// The fields of the living records, by table, in the order of their names.
  private var tables: [String: [Row]] = [:]
  /// What persons owe and paid of each expense.
  private var splits: [Name: Shares] = [:]
  private var payers: [Name: Shares] = [:]

  init(_ records: [RecordID: RecordContent]) {
    for (id, content) in records.sorted(by: { $0.key < $1.key }) {
      guard let fields = try? content.fields.decoded(), fields[.deletedAt] == nil else { continue }
      tables[String(id.recordName.text.prefix { $0 != "/" }), default: []].append((id.recordName, fields))
    }
    splits = parts("transaction_splits", "owed_by_id")
    payers = parts("transaction_payers", "paid_by_id")
  }

  /// The names of the living persons, ascending.
  var persons: [Name] { rows("persons").map(\.name) }

  /// The cents that a person owes `me`, by currency.
  func balance(of person: Name, to me: Name) -> [String: Int64] {
    var sums: [String: Int64] = [:]
    for expense in rows("financial_transactions") {
      let splits = splits[expense.name] ?? [:]
      var paid = payers[expense.name] ?? [:]
      if paid.isEmpty, let payer = target(expense.fields["payer_id"]) { paid = [payer: 1] }
      let all = paid.values.reduce(0, +)
      guard !splits.isEmpty, all != 0, [person, me].allSatisfy({ splits[$0] != nil || paid[$0] != nil }) else {
        continue
      }
      let theirs = Self.share(splits[person] ?? 0, paid[me] ?? 0, of: all)
      let mine = Self.share(splits[me] ?? 0, paid[person] ?? 0, of: all)
      sums[currency(expense.fields), default: 0] += theirs - mine
    }
    for settlement in rows("settlements") {
      let ends = [target(settlement.fields["from_person_id"]), target(settlement.fields["to_person_id"])]
      guard ends == [person, me] || ends == [me, person] else { continue }
      sums[currency(settlement.fields), default: 0] += settlement.fields.cents * (ends[0] == person ? -1 : 1)
    }
    return sums
  }

  private func rows(_ table: String) -> [Row] { tables[table] ?? [] }

  /// The cents of each person's parts of the expenses.
  private func parts(_ table: String, _ column: Name) -> [Name: Shares] {
    var parts: [Name: Shares] = [:]
    for row in rows(table) {
      guard let expense = target(row.fields["transaction_id"]), let person = target(row.fields[column]) else {
        continue
      }
      parts[expense, default: [:]][person, default: 0] += row.fields.cents
    }
    return parts
  }

  private func target(_ value: FieldValue?) -> Name? { value?.references.first?.recordName }

  private func currency(_ fields: Fields) -> String {
    if case .string(let text)? = fields["currency"] { text } else { "" }
  }

  private static func share(_ amount: Int64, _ part: Int64, of all: Int64) -> Int64 {
    Int64((Double(amount * part) / Double(all)).rounded(.toNearestOrEven))
  }
}
