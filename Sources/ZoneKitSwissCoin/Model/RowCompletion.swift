import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitTables

/// Completes rows that old stores and old files left incomplete: rows without an ID, without an edit stamp, or without a
/// person. What it did is listed.
struct RowCompletion {
  /// The person that stands for persons that are missing, one for an account.
  let unknown: UUID
  /// Whether a row refers to `unknown`.
  private(set) var needsUnknown = false
  /// What was completed.
  private(set) var notes: [RowNote] = []
  /// How many rows without an ID had the same parts so far.
  private var ordinals: [[String]: Int] = [:]

  /// A completion of rows for that user.
  init(of user: UUID) { unknown = StableID.of(["persons", "Unknown", user.text]) }

  /// The row of the person for missing persons.
  var unknownPerson: CoinRow {
    var row = CoinRow(
      new: "persons", RowKey([unknown]), ["name": .text("Unknown")], createdAt: SwissCoin.oldestStamp)
    row[.editedAt] = .timestamp(SwissCoin.oldestStamp)
    return row
  }

  /// A row with a key, a stamp and all persons that the app demands. `place` is where it comes from. Throws if its owner
  /// row is not named.
  mutating func complete(_ row: Row, of table: Table, at place: String) throws(RowNote) -> CoinRow {
    var row = row
    if let owner = table.ownerRow, row[owner.column, table] == .null {
      throw RowNote(place, "it names no \(SwissCoin.table(owner.table).noun) in \(owner.column)")
    }
    for column in Self.demandedPersons(in: table) where row[column, table] == .null {
      row[column, table] = .uuid(unknown)
      needsUnknown = true
      notes.append(RowNote(place, "\(column) was missing and is the person Unknown now"))
    }
    if row[.editedAt, table] == .null {
      row[.editedAt, table] =
        row[.createdAt, table] == .null
        ? .timestamp(SwissCoin.oldestStamp) : row[.createdAt, table]
      notes.append(RowNote(place, "it had no edit stamp and has that of its creation now"))
    }
    if table.key == [.id], row[.id, table] == .null {
      row[.id, table] = .uuid(stableID(for: row, of: table))
      notes.append(RowNote(place, "it had no id and is \(row[.id, table].uuid?.text ?? "") now"))
    }
    guard let key = RowKey(row, of: table) else { throw RowNote(place, "it has no key") }
    return CoinRow(table, key, row)
  }

  /// Replaces a person that is not there. Returns whether the column demands a person.
  mutating func replaceMissingPerson(in row: inout CoinRow, _ column: Name) -> Bool {
    guard Self.demandedPersons(in: row.table).contains(column) else { return false }
    row[column] = .uuid(unknown)
    needsUnknown = true
    return true
  }

  /// The ID of a part of an expense follows from the expense, the person and the number of such parts before it; that of
  /// any other row from its content.
  private mutating func stableID(for row: Row, of table: Table) -> UUID {
    var parts = [table.name.text]
    if table.name == "transaction_splits" || table.name == "transaction_payers" {
      parts += table.columns.filter { $0.foreignKey != nil }.map { row[$0.name, table].uuid?.text ?? "" }
    } else {
      parts.append(String(decoding: RowOrder.canonicalBytes(row, in: table), as: UTF8.self))
    }
    let ordinal = ordinals[parts, default: 0]
    ordinals[parts] = ordinal + 1
    return StableID.of(parts + ["\(ordinal)"])
  }

  /// The columns in which the app demands a person.
  private static func demandedPersons(in table: Table) -> [Name] {
    switch table.name {
    case "group_members", "subscription_subscribers": ["person_id"]
    case "transaction_splits": ["owed_by_id"]
    case "transaction_payers": ["paid_by_id"]
    case "settlements", "subscription_settlements": ["from_person_id", "to_person_id"]
    case "reminders", "subscription_reminders": ["to_person_id"]
    default: []
    }
  }
}
