import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations

/// The rows of tables as a value. It looks at every row of a table, so it also says what other stores must find.
package struct MemoryRelationStore: RelationStore {
  private struct Content {
    var layouts: [ObjectName: TableLayout] = [:]
    var rows: [ObjectName: [Int64: [Datum]]] = [:]
    var last: [ObjectName: Int64] = [:]
  }

  /// The last numbers of columns that count.
  private var numbers: [String: Int64] = [:]
  /// What reads see.
  private var content = Content()
  /// What a crash leaves; nil if all is committed.
  private var committed: Content?
  /// What there was before the writes that may be undone, the outermost first.
  private var begun: [Content] = []
  /// The error of every commit with changes while it is set.
  package var commitError: StoreError?
  /// The error of every read while it is set.
  package var readError: StoreError?

  /// An empty store.
  package init() {}

  /// See `RelationStore`.
  package mutating func define(_ tables: [TableLayout]) {
    change { content in
      for table in tables {
        if let known = content.layouts[table.name] {
          let places = table.columns.map { column in known.columns.firstIndex { $0.name == column.name } }
          content.rows[table.name] = content.rows[table.name]?.mapValues { row in
            places.map { $0.map { row[$0] } ?? .null }
          }
        }
        content.layouts[table.name] = table
      }
    }
  }

  /// See `RelationStore`.
  package mutating func drop(_ table: ObjectName) {
    change { content in
      content.layouts[table] = nil
      content.rows[table] = nil
    }
  }

  /// See `RelationStore`.
  package func rows(_ search: RowSearch) throws(RelationFailure) -> [StoredRow] {
    let sorted = try sorted(found(search), search)
    let rest = sorted.dropFirst(search.offset)
    return Array(search.limit.map { rest.prefix($0) } ?? rest)
  }

  /// See `RelationStore`.
  package func count(_ search: RowSearch) throws(RelationFailure) -> Int { try found(search).count }

  /// See `RelationStore`.
  package func holds(_ condition: TypedExpression, _ context: EvaluationContext) throws(RelationFailure) -> Bool {
    if let readError { throw .store(readError) }
    do throws(SQLFailure) {
      return try condition.isTrue(self.context(context))
    } catch {
      throw .refused(error)
    }
  }

  private func found(_ search: RowSearch) throws(RelationFailure) -> [StoredRow] {
    let all = try table(search.table)
    guard let condition = search.condition else { return all }
    let context = context(search.context)
    do throws(SQLFailure) {
      var found: [StoredRow] = []
      for row in all where try condition.isTrue(of: row.values, context) { found.append(row) }
      return found
    } catch {
      throw .refused(error)
    }
  }

  private func context(_ context: EvaluationContext) -> EvaluationContext {
    var context = context
    context.rows = { shape throws(SQLFailure) in
      (content.rows[shape.objectName] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }
    return context
  }

  private func table(_ name: ObjectName) throws(RelationFailure) -> [StoredRow] {
    if let readError { throw .store(readError) }
    return (content.rows[name] ?? [:]).sorted { $0.key < $1.key }.map { StoredRow($0.key, $0.value) }
  }

  private func sorted(_ rows: [StoredRow], _ search: RowSearch) throws(RelationFailure) -> [StoredRow] {
    let context = context(search.context)
    var keyed: [(row: StoredRow, keys: [Datum])] = []
    do throws(SQLFailure) {
      for row in rows {
        var keys: [Datum] = []
        for part in search.order { keys.append(try part.value.value(of: row.values, context)) }
        keyed.append((row, keys))
      }
    } catch {
      throw .refused(error)
    }
    let isReversed = search.order.last?.isDescending ?? false
    return keyed.sorted { first, second in
      TypedOrder.areInOrder(search.order, first.keys, second.keys)
        ?? (isReversed ? first.row.number > second.row.number : first.row.number < second.row.number)
    }.map(\.row)
  }

  // MARK: Writing

  private mutating func change<Result>(_ body: (inout Content) -> Result) -> Result {
    if committed == nil { committed = content }
    return body(&content)
  }

  /// See `RelationStore`.
  package mutating func nextNumber(of column: String, in table: ObjectName) -> Int64 {
    let name = "\(table).\(column)"
    numbers[name, default: 0] += 1
    return numbers[name, default: 0]
  }

  /// See `RelationStore`.
  package mutating func insert(_ values: [Datum], into table: ObjectName) -> Int64 {
    change { content in
      let number = content.last[table, default: 0] + 1
      content.last[table] = number
      content.rows[table, default: [:]][number] = values
      return number
    }
  }

  /// See `RelationStore`.
  package mutating func update(_ row: StoredRow, in table: ObjectName) {
    change { content in
      guard content.rows[table]?[row.number] != nil else { return }
      content.rows[table]?[row.number] = row.values
    }
  }

  /// See `RelationStore`.
  package mutating func delete(_ number: Int64, from table: ObjectName) {
    change { content in content.rows[table]?[number] = nil }
  }

  /// See `RelationStore`.
  package mutating func begin() { begun.append(content) }

  /// See `RelationStore`.
  package mutating func end(keeping isKept: Bool) {
    guard let before = begun.popLast(), !isKept else { return }
    content = before
  }

  /// See `RelationStore`.
  package mutating func commit() -> StoreError? {
    begun = []
    guard let before = committed else { return nil }
    committed = nil
    guard let commitError else { return nil }
    content = before
    return commitError
  }

  /// See `RelationStore`.
  package mutating func discard() {
    content = committed ?? content
    (committed, begun) = (nil, [])
  }

  /// See `RelationStore`.
  package mutating func close() { discard() }
}
