import ZoneKitRecords
import ZoneKitTables

/// What users read instead of IDs.
struct RowNames {
  private let book: Book
  private let me: UUID?

  /// The names of a book's rows. `me` is the user's person.
  init(_ book: Book, me: UUID?) {
    self.book = book
    self.me = me
  }

  /// The name of a person: `me`, `Ben`, or `Ben (deleted)`.
  func name(of person: UUID) -> String { person == me ? "me" : name(of: person, in: "persons") }

  /// The name of a row to which another one refers.
  func name(of id: UUID, in table: Name) -> String {
    if table == "persons", id == me { return "me" }
    guard let row = book.row(table, RowKey([id])) else { return "unknown \(id.text.prefix(8))" }
    let name = row.name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(row.table.noun) \(row.shortID)"
    return row.isLiving ? name : "\(name) (deleted)"
  }

  /// A row in a sentence: its word, its name if it has one, and its short ID; a pair with both names.
  func words(for row: CoinRow) -> String {
    if row.table.key.count == 2 {
      let names = zip(row.table.key, row.key.parts).map { column, id in
        self.name(of: id, in: row.table.column(column)?.foreignKey?.table ?? "persons")
      }
      return "\(row.table.noun) of \(names[1]) in \(names[0])"
    }
    let name = row.name.flatMap { $0.isEmpty ? nil : "\($0) " } ?? ""
    return "\(row.table.noun) \(name)\(row.shortID)"
  }
}
