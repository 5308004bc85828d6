import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Reads what plans say, with the policies of a role.
struct PlannedReads<Store: RelationStore> {
  let store: Store
  let security: RowSecurity
  let context: EvaluationContext
  /// The rows of a table that no store keeps.
  var given: (table: ObjectName, rows: [[Datum]])?

  // MARK: Rows

  /// The rows of a plan, of those that fulfil another condition too, in their order. `commands` are what they are read
  /// for.
  func rows(
    _ plan: ReadingPlan, where other: TypedExpression? = nil, for commands: [CreatePolicy.Command] = [.select],
    limit: Int? = nil, offset: Int = 0
  ) throws(RelationFailure) -> [StoredRow] {
    let search = try search(plan, where: other, for: commands, limit: limit, offset: offset)
    guard let derived = try derivedRows(plan.table, for: search) else { return try store.rows(search) }
    return try derived.rows(search)
  }

  private func search(
    _ plan: ReadingPlan, where other: TypedExpression? = nil, for commands: [CreatePolicy.Command] = [.select],
    limit: Int?, offset: Int
  ) throws(RelationFailure) -> RowSearch {
    RowSearch(
      plan.table.name, where: try condition(plan, other, commands), order: try order(plan), offset: offset,
      limit: limit, context)
  }

  /// The rows of a plan as JSON, written by the store; nil if they are computed, or if the answer has more of them than values
  /// of their columns.
  func json(_ plan: ReadingPlan, limit: Int) throws(RelationFailure) -> WrittenRows? {
    guard given == nil, plan.table.view == nil else { return nil }
    var members: [WrittenMember] = []
    for item in plan.items {
      guard case .value(let name, let value) = item, case .column(let place) = value.kind else { return nil }
      members.append(WrittenMember(name, column: place.column, value.type))
    }
    let written = try store.json(try search(plan, limit: limit, offset: plan.offset), members)
    guard written.bytes.count <= RelationLimits.answerBytes else { throw Self.tooLarge }
    return written
  }

  private static var tooLarge: RelationFailure {
    .refused(SQLFailure(.programLimit, "the answer has more than \(RelationLimits.answerBytes >> 20) MiB"))
  }

  /// The rows of a view, or given ones; nil for a table.
  private func derivedRows(_ table: PreparedTable, for search: RowSearch) throws(RelationFailure) -> DerivedRows? {
    let values = search.order.map(\.value) + (search.condition.map { [$0] } ?? [])
    let used = values.reduce(into: Set()) { $0.formUnion($1.relations) }
    if let given, given.table == table.name { return DerivedRows(given.rows, try context.reading(used, in: store)) }
    guard let view = table.view else { return nil }
    let query = try RelationFailure.refusing { () throws(SQLFailure) in try security.secured(view) }
    let own = try context.reading(query.relations.union(used), in: store)
    return DerivedRows(try RelationFailure.refusing { () throws(SQLFailure) in try query.rows(own) }, own)
  }

  /// The number of rows of a plan.
  func count(_ plan: ReadingPlan) throws(RelationFailure) -> Int {
    let search = RowSearch(plan.table.name, where: try condition(plan, nil, [.select]), context)
    guard let derived = try derivedRows(plan.table, for: search) else { return try store.count(search) }
    return try derived.found(search).count
  }

  private func condition(
    _ plan: ReadingPlan, _ other: TypedExpression?, _ commands: [CreatePolicy.Command]
  ) throws(RelationFailure) -> TypedExpression? {
    try RelationFailure.refusing { () throws(SQLFailure) in
      var parts = try [other, plan.condition].compactMap(\.self).map { (part) throws(SQLFailure) in
        try security.secured(part)
      }
      for command in commands {
        if let policy = try security.using(command, of: plan.table) { parts.append(policy) }
      }
      return TypedExpression.all(parts)?.folded(context)
    }
  }

  private func order(_ plan: ReadingPlan) throws(RelationFailure) -> [TypedOrder] {
    try RelationFailure.refusing { () throws(SQLFailure) in
      try plan.order.map { (part) throws(SQLFailure) in
        var part = part
        part.value = try security.secured(part.value)
        return part
      }
    }
  }

  // MARK: Parts of an answer

  /// A row of an answer with its approximate number of bytes there.
  typealias SizedRow = (cells: [RelationCell], size: Int)

  /// What an answer has of those rows. Throws if that is more than an answer may have: the same related rows can come many
  /// times.
  func cells(_ rows: [StoredRow], _ plan: ReadingPlan) throws(RelationFailure) -> [SizedRow] {
    var cells = rows.map { _ in SizedRow([], 2) }
    for item in plan.items {
      switch item {
      case .count: return [([.value(.integer(Int64(rows.count)))], 20)]
      case .value(let name, let value):
        for place in rows.indices {
          let datum = try self.value(value, of: rows[place])
          cells[place].cells.append(.value(datum))
          cells[place].size += name.utf8.count + 4 + datum.size
        }
      case .related(let related):
        for (place, found) in try parts(related, of: rows).enumerated() {
          cells[place].cells += found.cells
          cells[place].size += found.size
        }
      }
    }
    guard cells.reduce(0, { $0 + $1.size }) <= RelationLimits.answerBytes else { throw Self.tooLarge }
    return cells
  }

  private func value(_ value: TypedExpression, of row: StoredRow) throws(RelationFailure) -> Datum {
    if case .column(let place) = value.kind { return row.values[place.column] }
    return try RelationFailure.refusing { () throws(SQLFailure) in try value.value(of: row.values, context) }
  }

  /// What related rows add to each of those rows.
  private func parts(_ plan: RelatedPlan, of origins: [StoredRow]) throws(RelationFailure) -> [SizedRow] {
    guard !plan.reading.items.isEmpty else { return origins.map { _ in ([], 0) } }
    let groups = try related(plan, to: origins)
    if plan.reading.countName != nil {
      return groups.map { ([.rows([[.value(.integer(Int64($0.count)))]])], 20) }
    }
    var distinct: [Int64: StoredRow] = [:]
    for row in groups.joined() { distinct[row.number] = row }
    let rows = distinct.values.sorted { $0.number < $1.number }
    let parts = Dictionary(uniqueKeysWithValues: zip(rows.map(\.number), try cells(rows, plan.reading)))
    let name = plan.name.utf8.count + 6
    return groups.map { group in
      let found = group.compactMap { parts[$0.number] }
      let size = found.reduce(name) { $0 + $1.size }
      guard plan.relationship.isToOne else { return ([.rows(found.map(\.cells))], size) }
      guard plan.isSpread else { return ([.row(found.first?.cells)], size) }
      return (found.first?.cells ?? plan.reading.columns.map { _ in .value(.null) }, size)
    }
  }

  /// The rows that are related to each of those, in the order of the plan.
  private func related(_ plan: RelatedPlan, to origins: [StoredRow]) throws(RelationFailure) -> [[StoredRow]] {
    let relationship = plan.relationship
    var keys = origins.map { row in relationship.originColumns.map { row.values[$0] } }
    var targets: [[Datum]: [[Datum]]] = [:]
    if let junction = relationship.junction {
      let between = ReadingPlan(table: junction.table)
      for row in try self.rows(between, junction.originColumns, among: keys) {
        targets[junction.originColumns.map { row.values[$0] }, default: []].append(
          junction.targetColumns.map { row.values[$0] })
      }
      keys = targets.values.flatMap(\.self)
    }
    let found = try rows(plan.reading, relationship.targetColumns, among: keys)
    var places: [[Datum]: [Int]] = [:]
    for (place, row) in found.enumerated() {
      places[relationship.targetColumns.map { row.values[$0] }, default: []].append(place)
    }
    return origins.map { origin in
      let key = relationship.originColumns.map { origin.values[$0] }
      let own = (relationship.junction == nil ? [key] : targets[key] ?? []).flatMap { places[$0] ?? [] }.sorted()
      let rest = own.dropFirst(plan.reading.offset)
      return (plan.reading.limit.map { rest.prefix($0) } ?? rest).map { found[$0] }
    }
  }

  /// The rows of a plan whose columns have the values of one of those keys, in the order of the plan.
  private func rows(
    _ plan: ReadingPlan, _ columns: [Int], among keys: [[Datum]]
  ) throws(RelationFailure) -> [StoredRow] {
    var seen: Set<[Datum]> = []
    let distinct = keys.filter { !$0.contains(.null) && seen.insert($0).inserted }
    guard !distinct.isEmpty else { return [] }
    let limit = RelationLimits.relatedRows + 1
    let rows = try self.rows(plan, where: plan.table.condition(columns, among: distinct[...]), limit: limit)
    guard rows.count < limit else {
      throw .refused(SQLFailure(.programLimit, "the answer has more than \(RelationLimits.relatedRows) related rows"))
    }
    return rows
  }

  /// Rows in the order of a plan, which does not depend on other tables.
  func sorted(_ rows: [StoredRow], _ plan: ReadingPlan) throws(RelationFailure) -> [StoredRow] {
    guard !plan.order.isEmpty else { return rows }
    var keyed: [(row: StoredRow, keys: [Datum])] = []
    for row in rows {
      var keys: [Datum] = []
      for part in plan.order { keys.append(try value(part.value, of: row)) }
      keyed.append((row, keys))
    }
    return keyed.sorted { first, second in
      TypedOrder.areInOrder(plan.order, first.keys, second.keys) ?? (first.row.number < second.row.number)
    }.map(\.row)
  }
}

extension PreparedTable {
  /// The condition that columns of a row have the values of one of those keys.
  fileprivate func condition(_ columns: [Int], among keys: ArraySlice<[Datum]>) -> TypedExpression {
    let places = places(columns)
    if places.count == 1 {
      let array = TypedExpression(.constant(.array(keys.map { $0[0] })), .array(places[0].type))
      return TypedExpression(.quantified(places[0], .equal, .any, array), .boolean)
    }
    guard keys.count > 1 else {
      return condition(columns, keys.first ?? []) ?? .one(of: [])
    }
    // Halves keep the condition flat: SQLite reads at most 1,000 parts within each other (SQLite: limits.html).
    let middle = keys.startIndex + keys.count / 2
    return .one(of: [condition(columns, among: keys[..<middle]), condition(columns, among: keys[middle...])])
  }
}
