import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// The rows that a command reads, table by table as commands need them. It is a cache of the device's store.
package struct Book: Sendable {
  /// The rows of a table, also deleted ones, in ascending order of their keys.
  private struct Shelf: Hashable {
    var rows: [CoinRow] = []
    /// The records that the app cannot read. They stay in the store untouched.
    var refused: Set<RecordID> = []
  }

  private var shelves: [Name: Shelf] = [:]

  /// An empty book.
  package init() {}

  // MARK: Reading

  /// Reads those tables, and those of their owner rows, unless they were read before.
  package mutating func read(_ tables: [Name], from view: AppView) throws(StoreError) {
    let missing = Self.withOwners(tables).filter { shelves[$0] == nil }
    guard !missing.isEmpty else { return }
    let hidden = Set(view.hidden)
    for name in missing {
      var shelf = Shelf()
      for record in try view.store.records(ofType: name) where !hidden.contains(record.recordID) {
        guard let row = try Self.row(record) else {
          shelf.refused.insert(record.recordID)
          continue
        }
        shelf.rows.append(row)
      }
      shelf.rows.sort { $0.key < $1.key }
      shelves[name] = shelf
    }
  }

  /// Reads the named records again, if their tables were read.
  package mutating func refresh(_ changed: [RecordID], from view: AppView) throws(StoreError) {
    for id in changed {
      guard let table = SwissCoin.table(of: id), shelves[table.name] != nil else { continue }
      let record = try view.store.record(id)
      let row = try record.flatMap { (record) throws(StoreError) in try Self.row(record) }
      shelves[table.name]?.refused.remove(id)
      if let row {
        put(row)
      } else {
        remove(id, of: table.name)
        if record?.local != nil { shelves[table.name]?.refused.insert(id) }
      }
    }
  }

  /// What a new book would read otherwise of the tables that were read, as a sentence; nil if nothing.
  func staleness(in view: AppView) throws(StoreError) -> String? {
    var fresh = Book()
    try fresh.read(Array(shelves.keys), from: view)
    for (name, shelf) in shelves.sorted(by: { $0.key < $1.key }) where fresh.shelves[name] != shelf {
      let new = fresh.shelves[name] ?? Shelf()
      let id = (Set(shelf.rows).symmetricDifference(new.rows)).map(\.id).min()
      guard let id else { return "other rows of \(name) count as refused" }
      return Self.difference(of: id, shown: shelf.rows.first { $0.id == id }, stored: new.rows.first { $0.id == id })
    }
    return nil
  }

  private static func difference(of id: RecordID, shown: CoinRow?, stored: CoinRow?) -> String {
    guard let shown else { return "\(id.words) is not shown" }
    guard let stored else { return "\(id.words) is shown, and a new launch would not show it" }
    let column = shown.table.columns.map(\.name).first { shown[$0] != stored[$0] } ?? "id"
    return "\(id.words) is shown with \(column) \(shown[column]), and the store has \(stored[column])"
  }

  /// The row of a record; nil if the app cannot read it.
  private static func row(_ record: LocalRecord) throws(StoreError) -> CoinRow? {
    // Rows of a device belong to one account, and no rule asks for it.
    guard var row = try CoinRow(record, owner: UUID(high: 0, low: 0)), row.id.recordName == record.recordID.recordName,
      RowRules.illegibility(of: row) == nil
    else { return nil }
    // The server sets them, no command shows them, and the app is not notified of them.
    for column in [Name.updatedAt, .changedBy] { row[column] = .null }
    return row
  }

  /// The tables with those of their owner rows.
  private static func withOwners(_ tables: [Name]) -> [Name] {
    tables.flatMap { name in [name] + (SwissCoin.table(name).ownerRow.map { [$0.table] } ?? []) }
  }

  private mutating func put(_ row: CoinRow) {
    let place = place(of: row.key, in: row.table.name)
    if self.row(row.table.name, row.key) != nil {
      shelves[row.table.name]?.rows[place] = row
    } else {
      shelves[row.table.name]?.rows.insert(row, at: place)
    }
  }

  private mutating func remove(_ id: RecordID, of table: Name) {
    shelves[table]?.rows.removeAll { $0.id == id }
  }

  // MARK: Rows

  /// The rows of a table that was read, also deleted ones, in ascending order of their keys.
  package func rows(in table: Name) -> [CoinRow] { shelves[table]?.rows ?? [] }

  /// The row of a table that was read; nil if there is none.
  package func row(_ table: Name, _ key: RowKey) -> CoinRow? {
    let rows = rows(in: table)
    let place = place(of: key, in: table)
    return place < rows.count && rows[place].key == key ? rows[place] : nil
  }

  /// The rows of a table that lists and pickers show. A row whose owner row is missing is left out.
  package func listed(in table: Name) -> [CoinRow] { rows(in: table).filter { $0.isListed && hasOwner($0) } }

  /// The living rows whose column refers to that row.
  func living(in table: Name, where column: Name, is id: UUID) -> [CoinRow] {
    rows(in: table).filter { $0[column] == .uuid(id) && $0.isLiving }
  }

  /// The number of rows of tables that were read that the app cannot read.
  package var refusedCount: Int {
    shelves.keys.reduce(0) { count, name in
      count + (shelves[name]?.refused.count ?? 0) + rows(in: name).count { !hasOwner($0) }
    }
  }

  /// Whether the app cannot read that record of a table that was read.
  func isRefused(_ id: RecordID) -> Bool {
    SwissCoin.table(of: id).flatMap { shelves[$0.name]?.refused.contains(id) } ?? false
  }

  /// Whether the row's owner row is there.
  private func hasOwner(_ row: CoinRow) -> Bool {
    row.owner.map { self.row($0.table, $0.key) != nil } ?? true
  }

  /// The place of the first row whose key is not less.
  private func place(of key: RowKey, in table: Name) -> Int {
    let rows = rows(in: table)
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Book {
  /// The sheet of balances of the rows that were read.
  var balanceSheet: BalanceSheet {
    BalanceSheet(
      Dictionary(uniqueKeysWithValues: SwissCoin.balanceTables.map { name in (name, rows(in: name).map(\.row)) }))
  }
}
