import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// The answer to a command.
enum CoinAnswer {
  /// Rows change; the sentence says what was done.
  case changed([RecordEdit], said: String)
  /// Nothing changes; the sentence says why.
  case unchanged(said: String)
  /// Rows of a table.
  case list(Table, [CoinRow])
  /// One row.
  case row(CoinRow)
  /// The balances of persons.
  case balances([(person: CoinRow, balance: Balance)])

  /// The edits; empty if nothing changes.
  var edits: [RecordEdit] {
    switch self {
    case .changed(let edits, _): edits
    case .unchanged, .list, .row, .balances: []
    }
  }

  /// The records that the answer shows or changes, in its order.
  var records: [RecordID] {
    switch self {
    case .changed(let edits, _): edits.map(\.recordID)
    case .unchanged: []
    case .list(_, let rows): rows.map(\.id)
    case .row(let row): [row.id]
    case .balances(let entries): entries.map(\.person.id)
    }
  }

  /// The sentence of an answer that shows no rows; nil for the others.
  var said: String? {
    switch self {
    case .changed(_, let said), .unchanged(let said): said
    case .list, .row, .balances: nil
    }
  }
}
