import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitTables

/// One request to a table.
struct RelationRun {
  let request: RelationRequest
  let table: PreparedTable
  let context: EvaluationContext
  private let planner: ReadingPlanner
  private let security: RowSecurity

  /// A request with its table. The context tells who sends it, and when.
  init(_ schema: PreparedSchema, _ request: RelationRequest, _ table: PreparedTable, _ context: EvaluationContext) {
    (self.request, self.table, self.context) = (request, table, context)
    planner = ReadingPlanner(schema, role: context.role, now: context.now)
    security = RowSecurity(schema, role: context.role)
  }

  /// Whether somebody who signed in sends it.
  var isSignedIn: Bool { context.role != "anon" }

  /// Reads rows: those of the table, or the given ones.
  func read(_ store: some RelationStore, _ given: [[Datum]]? = nil) throws(RowError) -> RelationResult {
    let plan = try planner.plan(request.reading, of: table)
    var result = try refusing { () throws(RelationFailure) in
      var reads = PlannedReads(store: store, security: security, context: context)
      reads.given = given.map { (plan.table.name, $0) }
      if plan.countName != nil {
        return RelationResult(plan.columns, [[.value(.integer(Int64(try reads.count(plan))))]])
      }
      let limit = min(plan.limit ?? RelationLimits.rows, RelationLimits.rows)
      var result = RelationResult(plan.columns)
      if request.takesJSON { result.json = try reads.json(plan, limit: limit) }
      if let json = result.json {
        result.size = json.bytes.count
      } else {
        let cells = try reads.cells(try reads.rows(plan, limit: limit, offset: plan.offset), plan)
        result.rows = cells.map(\.cells)
        result.size = cells.reduce(0) { $0 + $1.size }
      }
      if request.countsRows { result.total = try reads.count(plan) }
      return result
    }
    result.offset = plan.offset
    if let total = result.total, plan.offset > total { throw .beyondEnd(offset: plan.offset, count: total) }
    if request.isSingle, result.rowCount != 1 { throw .notOne(result.rowCount) }
    return result
  }

  // MARK: Writing

  /// Writes rows. What a refused request has changed is still to be undone.
  func written<Store>(_ statements: inout RowStatements<Store>) -> Result<RelationResult, RowError> {
    do throws(RowError) {
      let result = try write(&statements)
      if let limit = request.rowLimit, result.written > limit { throw .tooManyRows(result.written) }
      if request.isSingle, result.written != 1 { throw .notOne(result.written) }
      return .success(result)
    } catch {
      return .failure(error)
    }
  }

  private func write<Store>(_ statements: inout RowStatements<Store>) throws(RowError) -> RelationResult {
    if let view = table.view { throw RowError(.notWritten(request.action.verb, view, table.name.name)) }
    switch request.action {
    case .read, .call: return RelationResult()
    case .insert(let body, let resolution): return try insert(body, resolution, &statements)
    case .update(let body): return try update(body, &statements)
    case .delete: return try delete(&statements)
    }
  }

  private func insert<Store>(
    _ body: RelationBody, _ resolution: RelationResolution?, _ statements: inout RowStatements<Store>
  ) throws(RowError) -> RelationResult {
    let conflict = try conflict(resolution)
    let columns = try columns(of: body, for: "insert")
    if case .merges = conflict { _ = try self.columns(of: body, for: "update") }
    let rows = try rows(of: body, columns)
    let plan = try returned()
    return try refusing { () throws(RelationFailure) in
      let reads = isReading || conflict != .fails
      let written = try statements.insert(rows, into: table, conflict: conflict, isReturning: reads)
      var result = try result(written, plan, statements)
      result.inserted = statements.changes.count { $0.table == table.name && $0.old == nil }
      if written.count == 1 { result.key = key(of: written[0]) }
      return result
    }
  }

  private func update<Store>(
    _ body: RelationBody, _ statements: inout RowStatements<Store>
  ) throws(RowError) -> RelationResult {
    guard body.rows.count == 1 else {
      throw RowError(
        .unreadableBody, "Empty or invalid json", details: "expected one object, found \(body.rows.count)")
    }
    let columns = try columns(of: body, for: "update")
    let changes = try rows(of: body, columns)[0]
    let plan = try found()
    guard !changes.isEmpty else { return RelationResult(plan.columns) }
    return try refusing { () throws(RelationFailure) in
      let rows = try self.rows(plan, for: .update, statements)
      let written = try statements.update(rows, changes, in: table, isReturning: isReading)
      return try result(written, plan, statements)
    }
  }

  private func delete<Store>(_ statements: inout RowStatements<Store>) throws(RowError) -> RelationResult {
    guard table.catalogue.privileges.allows("delete", to: context.role) else {
      throw .noPrivilege(table.name.name, isSignedIn: isSignedIn)
    }
    let plan = try found()
    return try refusing { () throws(RelationFailure) in
      let rows = try self.rows(plan, for: .delete, statements)
      // The rows that are related to those go with them.
      let result = try result(rows, plan, statements)
      try statements.delete(rows, from: table)
      return result
    }
  }

  // MARK: Rows

  /// Whether rows are read to find or to return them, so that the role must be allowed to read them.
  private var isReading: Bool { request.isReturning || !request.reading.conditions.isEmpty }

  /// The rows that a change is about.
  private func rows<Store>(
    _ plan: ReadingPlan, for command: CreatePolicy.Command, _ statements: RowStatements<Store>
  ) throws(RelationFailure) -> [StoredRow] {
    let reads = PlannedReads(store: statements.store, security: security, context: context)
    let most = RelationLimits.changedRows
    let rows = try reads.rows(
      plan, for: [command] + (isReading ? [.select] : []), limit: min(plan.limit ?? most + 1, most + 1),
      offset: plan.offset)
    guard rows.count <= most else {
      throw .refused(SQLFailure(.programLimit, "the request would change more than \(most) rows"))
    }
    return rows
  }

  private func result<Store>(
    _ rows: [StoredRow], _ plan: ReadingPlan, _ statements: RowStatements<Store>
  ) throws(RelationFailure) -> RelationResult {
    var result = RelationResult(plan.columns)
    result.written = rows.count
    guard request.isReturning else { return result }
    let reads = PlannedReads(store: statements.store, security: security, context: context)
    let cells = try reads.cells(reads.sorted(rows, plan), plan)
    result.rows = cells.map(\.cells)
    result.size = cells.reduce(0) { $0 + $1.size }
    return result
  }

  private func key(of row: StoredRow) -> [RelationResult.Key] {
    (table.catalogue.primaryKey?.columns ?? []).compactMap { column in
      table.index(of: column).map { RelationResult.Key(column, table.columns[$0].type.text(of: row.values[$0])) }
    }
  }

  // MARK: Plans

  /// What an answer has of new rows.
  private func returned() throws(RowError) -> ReadingPlan {
    guard request.isReturning else { return ReadingPlan(table: table) }
    return try checked(planner.plan(request.reading, of: table))
  }

  /// Which rows a change is about, and what an answer has of them.
  private func found() throws(RowError) -> ReadingPlan {
    if request.reading.limit != nil, request.reading.order.isEmpty {
      throw RowError(
        400, "PGRST109", "A 'limit' was applied without an explicit 'order'",
        hint: "Apply an 'order' using unique column(s)")
    }
    guard isReading else { return ReadingPlan(table: table) }
    return try checked(planner.plan(request.reading, of: table))
  }

  /// A plan whose order does not depend on other tables.
  private func checked(_ plan: ReadingPlan) throws(RowError) -> ReadingPlan {
    guard plan.order.allSatisfy({ $0.value.query == nil }) else {
      throw RowError(
        SQLFailure(.notSupported, "rows that are written cannot be ordered by related rows"))
    }
    return plan
  }

  // MARK: Bodies

  /// The places of the columns of a body. Throws if there is no such column, or if the role may not write it.
  private func columns(of body: RelationBody, for privilege: String) throws(RowError) -> [Int] {
    guard table.catalogue.privileges.allowsSome(privilege, to: context.role) else {
      throw .noPrivilege(table.name.name, isSignedIn: isSignedIn)
    }
    return try body.columns.map { (column) throws(RowError) in
      guard let place = table.index(of: column) else { throw .unknownColumn(ofBody: column, table.name.name) }
      guard table.catalogue.privileges.allows(privilege, to: context.role, column: column) else {
        throw .noPrivilege(table.name.name, isSignedIn: isSignedIn)
      }
      return place
    }
  }

  /// The values of the rows of a body, by the places of their columns. They are read in the order of the columns' names, as
  /// PostgREST does, so that of several wrong values the same one is named.
  private func rows(of body: RelationBody, _ columns: [Int]) throws(RowError) -> [[Int: Datum]] {
    let fields = zip(body.columns, columns).sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    var rows: [[Int: Datum]] = []
    for members in body.rows {
      var row: [Int: Datum] = [:]
      for (name, place) in fields {
        if let member = members.last(where: { $0.key.utf8.elementsEqual(name.utf8) }) {
          row[place] = try refusing { () throws(RelationFailure) in
            try RelationFailure.refusing { () throws(SQLFailure) in
              try table.columns[place].type.datum(member.value, now: context.now)
            }
          }
        } else if !body.fillsDefaults {
          row[place] = .null
        }
      }
      rows.append(row)
    }
    return rows
  }

  private func conflict(_ resolution: RelationResolution?) throws(RowError) -> InsertConflict {
    let columns = request.conflictColumns ?? table.catalogue.primaryKey?.columns ?? []
    for column in columns where table.index(of: column) == nil {
      throw RowError(SQLFailure(.unknownColumn, "column \"\(column)\" does not exist"))
    }
    // A table without a key has no row that is there already.
    guard !columns.isEmpty else { return .fails }
    switch resolution {
    case nil: return .fails
    case .ignores: return .ignores(columns)
    case .merges: return .merges(columns)
    }
  }

  private func refusing<Result>(_ body: () throws(RelationFailure) -> Result) throws(RowError) -> Result {
    do throws(RelationFailure) {
      return try body()
    } catch {
      throw RowError(error, isSignedIn: isSignedIn)
    }
  }
}
