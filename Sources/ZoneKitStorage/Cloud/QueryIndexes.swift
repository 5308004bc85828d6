import ZoneKitCloud
import ZoneKitRecords

/// The indexes that a zone's file has for queries, and the statements of the last queries.
///
/// An index is made when a query needs it first. It is one of SQLite over the expressions of the query, with the records of
/// one type. The zone's content does not depend on it.
final class QueryIndexes {
  private let connection: Connection
  /// Whether indexes may be made. A file that is only read gets none.
  private let mayAdd: Bool
  private var known: Set<String>?
  private var statements: [String: Statement] = [:]

  /// The most indexes of a file. Each of them is updated with each change of a record of its type.
  private static let limit = 48
  /// The most statements that are kept.
  private static let statementLimit = 24
  /// What the names of the indexes begin with.
  private static let prefix = "query "

  /// The indexes of a file.
  init(on connection: Connection, mayAdd: Bool) {
    self.connection = connection
    self.mayAdd = mayAdd
  }

  /// A statement with that text.
  func statement(_ sql: String) -> Statement {
    if let statement = statements[sql] { return statement }
    if statements.count >= Self.statementLimit { statements.removeAll(keepingCapacity: true) }
    let statement = Statement(sql, on: connection)
    statements[sql] = statement
    return statement
  }

  /// The name of the index with those values of records of a type, and then their names. It is made if that is possible
  /// now; nil if there is none.
  func index(_ keys: [RecordQuery.Order], of recordType: Name, isInTransaction: Bool) throws(StoreError) -> String? {
    let words = keys.map { "\($0.key.word)\($0.isDescending ? "-" : "+")" }
    let name = Self.prefix + ([recordType.text] + words).joined(separator: " ")
    let known = try names()
    if known.contains(name) { return name }
    guard mayAdd, !isInTransaction, known.count < Self.limit else { return nil }
    var columns = keys.map { "\($0.key.expression)\($0.isDescending ? " DESC" : "")" }
    if !keys.contains(where: { $0.key == .recordName }) { columns.append("name") }
    let text = columns.joined(separator: ", ")
    do throws(StoreError) {
      // With the last two columns a count reads the index alone.
      try connection.withoutLimit { () throws(StoreError) in
        try connection.transaction { () throws(StoreError) in
          try connection.execute(
            """
            CREATE INDEX IF NOT EXISTS \(name.quotedName) ON records(\(text), deleted, type)
            WHERE deleted = 0 AND type = \(recordType.text.quotedText)
            """)
        }
      }
    } catch {
      // Without the index the query is answered all the same.
      guard error.kind == .full || error.kind == .readOnly || error.kind == .busy else { throw error }
      return nil
    }
    self.known?.insert(name)
    return name
  }

  private func names() throws(StoreError) -> Set<String> {
    if let known { return known }
    let find = Statement("SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE 'query %'", on: connection)
    let found = Set(try find.all { $0.text(0) })
    known = found
    return found
  }
}
