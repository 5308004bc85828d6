import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// An event at the cloud of an app with tables or documents.
package enum CloudEvent: Sendable {
  /// A request for rows of that table was carried out, nil if it was not, and that answer is sent to an account, nil for
  /// nobody.
  case rowsAnswered(RowRequest, Table, carriedOut: RowResponse?, sent: RowResponse?, to: UUID?)
  /// Changes of rows were committed.
  case rowsChanged(AccountChanges, TableSchema)
  /// The event of a change of a row of that table is sent to a channel of an account, nil for nobody.
  case changeSent(RowChange, Table, to: UUID?)
  /// A purge removed objects that no row named yet.
  case objectsPurged([Name])
  /// A document is stored like this.
  case documentStored(RecordContent, RecordKey)
  /// The cloud's process ended.
  case processEnded
}

/// All checkers of a cloud with tables or documents.
package struct CloudCheckers: Sendable {
  private var tables = TableChecker()
  private var repeats = RepeatChecker()
  /// The checker of members that devices do not know.
  private(set) var members = NewerMemberChecker()
  /// The objects that a purge removed. Rows may be about to name them.
  private var purgedObjects: Set<Name> = []

  /// Checkers at the start.
  package init() {}

  /// The next event happened. Returns the violations.
  package mutating func take(_ event: CloudEvent) -> [Finding] {
    switch event {
    case .rowsAnswered(let request, let table, let carriedOut, let sent, let account):
      return [
        sent.flatMap { TableChecker.finding(in: $0, of: table, to: account) },
        carriedOut.flatMap { repeats.answered(request, of: table, with: $0, to: account) },
      ].compactMap { $0 }
    case .rowsChanged(let changes, let schema):
      for row in changes.changes where row.kind == .delete {
        repeats.removed(row.key, of: row.table, from: changes.account)
      }
      return [tables.committed(changes), TableChecker.stampAhead(in: changes, schema)].compactMap { $0 }
    case .changeSent(let change, let table, let account):
      return [TableChecker.finding(in: change, of: table, to: account)].compactMap { $0 }
    case .objectsPurged(let objects): purgedObjects.formUnion(objects)
    case .documentStored(let content, let key): members.stored(content, of: key)
    // A change may be stored whose answer was not made.
    case .processEnded: repeats = RepeatChecker()
    }
    return []
  }

  /// Whether an object may be missing although a row names it.
  func mayLack(_ object: Name) -> Bool { purgedObjects.contains(object) }
}
