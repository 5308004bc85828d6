import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations

/// The store of the rows of tables. What the tables demand of rows is the statements' concern.
///
/// Writes become durable together at `commit`. Reads see them at once. The shared conformance suite defines the required
/// behaviour.
package protocol RelationStore {
  /// Makes tables, columns and indexes that are not there yet. Rows have null in new columns.
  mutating func define(_ tables: [TableLayout]) throws(StoreError)

  /// Removes a table with its rows; nothing if there is none.
  mutating func drop(_ table: ObjectName) throws(StoreError)

  /// The rows that a search finds, in its order.
  func rows(_ search: RowSearch) throws(RelationFailure) -> [StoredRow]

  /// The same rows as JSON objects with those members.
  func json(_ search: RowSearch, _ members: [WrittenMember]) throws(RelationFailure) -> WrittenRows

  /// The number of rows that a search finds, without its offset and limit.
  func count(_ search: RowSearch) throws(RelationFailure) -> Int

  /// Whether a condition holds that is about no row of its own.
  func holds(_ condition: TypedExpression, _ context: EvaluationContext) throws(RelationFailure) -> Bool

  /// The next number of a column that counts, from 1 on. A number is never given again, even if its row is undone.
  mutating func nextNumber(of column: String, in table: ObjectName) throws(StoreError) -> Int64

  /// Adds a row with those values, in the order of the columns. Returns its number.
  mutating func insert(_ values: [Datum], into table: ObjectName) throws(StoreError) -> Int64

  /// Gives a row other values.
  mutating func update(_ row: StoredRow, in table: ObjectName) throws(StoreError)

  /// Removes the row of that number.
  mutating func delete(_ number: Int64, from table: ObjectName) throws(StoreError)

  /// Begins writes that may be undone. They may contain others.
  mutating func begin() throws(StoreError)

  /// Ends the writes that began last. They are undone unless they are kept.
  mutating func end(keeping isKept: Bool) throws(StoreError)

  /// Makes all writes durable. After an error, the store has its state of the previous commit.
  mutating func commit() -> StoreError?

  /// Drops writes that are not committed.
  mutating func discard()

  /// Drops writes that are not committed and closes the store.
  mutating func close()
}

/// Why a read fails.
package enum RelationFailure: Error, Equatable, Sendable {
  /// A value cannot be computed.
  case refused(SQLFailure)
  /// The store cannot be read.
  case store(StoreError)

  /// Does what computes values. A value that cannot be computed is refused.
  static func refusing<Result>(_ body: () throws(SQLFailure) -> Result) throws(RelationFailure) -> Result {
    do throws(SQLFailure) {
      return try body()
    } catch {
      throw .refused(error)
    }
  }
}
