import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// The lines in which users read rows.
struct CoinText {
  private let book: Book
  private let me: UUID?
  private let states: RowStates
  private let zone: TimeZoneRules

  /// The lines for rows of a book, with times in that zone. `me` is the user's person.
  init(_ book: Book, me: UUID?, states: RowStates, in zone: TimeZoneRules) {
    self.book = book
    self.me = me
    self.states = states
    self.zone = zone
  }

  /// The lines of an answer.
  func lines(of answer: CoinAnswer) -> [String] {
    switch answer {
    case .changed(_, let said), .unchanged(let said): [said]
    case .list(let table, let rows): list(rows, of: table)
    case .row(let row): details(of: row)
    case .balances(let entries): balances(entries)
    }
  }

  // MARK: Lists

  private func list(_ rows: [CoinRow], of table: Table) -> [String] {
    guard !rows.isEmpty else { return ["no \(TableWord(table).plural)"] }
    let columns = Self.shown(in: table)
    let sums = sums(for: table)
    let hasMarks = rows.contains { !states.mark(of: $0.id).isEmpty }
    let cells = rows.map { row in
      let mark = states.mark(of: row.id)
      return [(mark.isEmpty && hasMarks ? " " : mark) + (table.key.count == 1 ? row.shortID : "")]
        + columns.map { cell(row, $0) }
        + [sumRemark(on: row, sums) ?? photoRemark(on: row) ?? ""]
    }
    let header = [hasMarks ? " ID" : "ID"] + columns.map(title) + [""]
    return TextTable(header: header, rows: cells).lines
  }

  /// The columns of lists, which are those of users: no stamps, and no keys but those of pairs.
  private static func shown(in table: Table) -> [Column] {
    let others: Set<Name> = [
      .id, .ownerID, .createdAt, .updatedAt, .deletedAt, .editedAt, .changedBy, "photo_url", "icon_name",
      "last_viewed_date", "is_archived", "created_by_id", "notification_enabled", "notification_days_before",
    ]
    return table.columns.filter { !others.contains($0.name) }
  }

  /// The heading of a column. One of times names their zone, unless it is UTC.
  private func title(of column: Column) -> String {
    var words = column.name.text.split(separator: "_")
    if words.count > 1, words.last == "id" || words.last == "date" { words.removeLast() }
    let title = words.joined(separator: " ").uppercased()
    return column.type == .timestamp && zone != .utc ? "\(title) (\(zone))" : title
  }

  private func cell(_ row: CoinRow, _ column: Column) -> String {
    switch row[column.name] {
    case .null: ""
    case .uuid(let id): column.foreignKey.map { RowNames(book, me: me).name(of: id, in: $0.table) } ?? id.text
    case .text(let text): text
    case .timestamp(let time): time.minuteText(in: zone)
    case .bool(let flag): flag ? "yes" : ""
    case .float8(let number): column.name == "amount" ? Cents(nearest: number).text : "\(number)"
    case .int4(let number): "\(number)"
    }
  }

  /// The sums of the living parts of expenses, by the table of the parts.
  private func sums(for table: Table) -> [(table: Name, sums: [UUID: Cents])] {
    guard table.name == "financial_transactions" else { return [] }
    return ["transaction_splits", "transaction_payers"].map { (name: Name) in
      var sums: [UUID: Cents] = [:]
      for row in book.rows(in: name) where row.isLiving {
        guard let expense = row["transaction_id"].uuid else { continue }
        sums[expense, default: Cents(0)] = sums[expense, default: Cents(0)] + Cents(nearest: row["amount"].number ?? 0)
      }
      return (name, sums)
    }
  }

  /// `splits 50.00 of 60.00` for an expense whose splits or payers do not add up to its amount.
  private func sumRemark(on row: CoinRow, _ sums: [(table: Name, sums: [UUID: Cents])]) -> String? {
    let amount = Cents(nearest: row["amount"].number ?? 0)
    let remarks = sums.compactMap { table, sums -> String? in
      guard let sum = sums[row.key.parts[0]], sum != amount else { return nil }
      return "\(TableWord(SwissCoin.table(table)).plural) \(sum.text) of \(amount.text)"
    }
    return remarks.isEmpty ? nil : remarks.joined(separator: ", ")
  }

  /// `photo` for a row that has one, with its state if it is not uploaded.
  private func photoRemark(on row: CoinRow) -> String? {
    if let photo = states.photo(of: row.id) { return "photo \(photo.words)" }
    return row[CoinPhotos.column] == .null ? nil : "photo"
  }

  // MARK: One row

  private func details(of row: CoinRow) -> [String] {
    let columns = row.table.columns.filter { ![.id, .ownerID, .updatedAt, .changedBy].contains($0.name) }
    let values = columns.map { column in
      row[column.name] == .bool(false) ? ("\(column.name)", "no") : ("\(column.name)", cell(row, column))
    }
    let width = columns.map(\.name.text.count).max() ?? 0
    let lines = values.filter { !$0.1.isEmpty }.map { name, value in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(value)"
    }
    let state = states.words(of: row.id)
    return ["\(RowNames(book, me: me).words(for: row)) (\(row.key.text)), \(state)"] + lines
      + (states.photo(of: row.id).map { ["  photo of \($0.size.counted("byte")) \($0.words)"] } ?? [])
      + parts(of: row) + (sumRemark(on: row, sums(for: row.table)).map { ["  \($0)"] } ?? [])
  }

  /// The living rows that a row owns, a line for each.
  private func parts(of row: CoinRow) -> [String] {
    guard row.key.parts.count == 1 else { return [] }
    return SwissCoin.schema.owned(by: row.table.name).flatMap { table, column in
      book.living(in: table.name, where: column, is: row.key.parts[0]).map { part in
        let cells = Self.shown(in: table).filter { $0.name != column }.map { cell(part, $0) }.filter { !$0.isEmpty }
        return "  \(table.noun)  \(cells.joined(separator: "  "))"
      }
    }
  }

  // MARK: Balances

  private func balances(_ entries: [(person: CoinRow, balance: Balance)]) -> [String] {
    guard !entries.isEmpty else { return ["no persons"] }
    return entries.flatMap { person, balance in
      let name = RowNames(book, me: me).name(of: person.key.parts[0])
      guard !balance.isSettled else { return ["\(name) is settled"] }
      return balance.amounts.filter { $0.amount.count != 0 }.map { currency, amount in
        amount.count > 0
          ? "\(name) owes you \(amount.text) \(currency)" : "you owe \(name) \(amount.magnitude.text) \(currency)"
      }
    }
  }
}
