import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitTables

extension MigrationCheck {
  /// Compares the rows of a book that has read all tables with the server's numbers of rows by table, and its balances
  /// by person. A table that is not among them was not asked for.
  package init(_ book: Book, me: UUID?, counts: [Name: Int], balances: [UUID: Balance]) {
    self.init()
    guard let me else { return }
    for table in SwissCoin.schema.tables {
      guard let server = counts[table.name], case let local = book.rows(in: table.name).count, local != server
      else { continue }
      countMismatches.append("Count mismatch for \(table.name): local=\(local) server=\(server)")
    }
    let sheet = book.balanceSheet
    for person in book.rows(in: "persons") where person.isLiving && person.key != RowKey([me]) {
      let id = person.key.parts[0]
      guard let server = balances[id] else { continue }
      compare(person.name ?? person.shortID, sheet.balance(of: id, to: me), server)
    }
  }

  private mutating func compare(_ name: String, _ local: Balance, _ server: Balance) {
    for currency in Set((local.amounts + server.amounts).map(\.currency)).sorted() {
      let amounts = (local[currency], server[currency])
      guard (amounts.0 - amounts.1).magnitude > Cents(1) else { continue }
      balanceMismatches.append(
        "Balance mismatch for \(name): local=\(amounts.0.text) server=\(amounts.1.text) \(currency)")
    }
  }
}

extension Balance {
  /// The amount in a currency; 0 if there is none.
  subscript(currency: String) -> Cents { amounts.first { $0.currency == currency }?.amount ?? Cents(0) }

  /// Reads the answer of the server's function; nil for any other document.
  package init?(_ json: JSON) {
    guard let members = json["balances"]?.object else { return nil }
    var amounts: [(currency: String, amount: Cents)] = []
    for member in members {
      guard let amount = member.value.number else { return nil }
      amounts.append((member.key, Cents(nearest: amount)))
    }
    self.init(amounts)
  }
}
