import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// Statements of functions that write rows.
extension RowStatements {
  /// Carries out a statement. Returns the rows that it wrote or removed.
  mutating func write(
    _ write: TypedWrite, _ frame: [[Datum]], isReturning: Bool
  ) throws(RelationFailure) -> [StoredRow] {
    switch write {
    case .insert(let name, let rows, let conflict):
      let values = try values(of: rows, frame)
      return try insert(
        values, into: target(name), conflict: try self.conflict(conflict, frame), isReturning: isReturning)
    case .update(let name, let values, let condition):
      let table = try target(name)
      let constant = try values.mapped { (value) throws(RelationFailure) in try inside(value, frame) }
      var written: [StoredRow] = []
      for row in try rows(of: table, condition, .update, frame) {
        let changes = try constant.mapped { (value) throws(RelationFailure) in try self.value(value, in: [row.values]) }
        written += try update([row], changes, in: table, isReturning: condition != nil || isReturning)
      }
      return written
    case .updateFrom(let name, let places, let query):
      let table = try target(name)
      let exists = TypedExpression(.exists(query), .boolean)
      guard case .query(let constant) = try inside(TypedExpression(.query(query), .text), frame).kind else { return [] }
      var written: [StoredRow] = []
      for row in try rows(of: table, exists, .update, frame) {
        guard let values = try rows(of: constant, in: [row.values]).first else { continue }
        let changes = Dictionary(uniqueKeysWithValues: zip(places, values))
        written += try update([row], changes, in: table, isReturning: true)
      }
      return written
    case .delete(let name, let condition):
      let table = try target(name)
      let found = try rows(of: table, condition, .delete, frame)
      try delete(found, from: table)
      return found
    }
  }

  private func target(_ name: ObjectName) throws(RelationFailure) -> PreparedTable {
    guard let table = schema.tables[name] else {
      throw .refused(SQLFailure(.unknownTable, "relation \"\(name.name)\" does not exist"))
    }
    return table
  }

  private func values(
    of rows: TypedRoutine.NewRows, _ frame: [[Datum]]
  ) throws(RelationFailure) -> [[Int: Datum]] {
    var values: [[Int: Datum]] = []
    switch rows {
    case .values(let rows):
      for row in rows {
        values.append(try row.mapped { (value) throws(RelationFailure) in try self.value(value, in: frame) })
      }
    case .query(let query, let places):
      for row in try self.rows(of: query, in: frame) {
        values.append(Dictionary(uniqueKeysWithValues: zip(places, row)))
      }
    }
    return values
  }

  /// What is done with a new row that is there already, with values in place of what it knows of the sources.
  func conflict(_ conflict: TypedConflict, _ frame: [[Datum]]) throws(RelationFailure) -> InsertConflict {
    switch conflict {
    case .fails: return .fails
    case .ignores(let columns): return .ignores(columns)
    case .updates(let key, let values, let condition):
      let constant = try values.mapped { (value) throws(RelationFailure) in try inside(value, frame) }
      return .updates(
        key, constant, where: try condition.map { (value) throws(RelationFailure) in try inside(value, frame) })
    }
  }

  /// The rows of a statement that it may change.
  private func rows(
    of table: PreparedTable, _ condition: TypedExpression?, _ command: CreatePolicy.Command, _ frame: [[Datum]]
  ) throws(RelationFailure) -> [StoredRow] {
    let own = try condition.map { (condition) throws(RelationFailure) in try self.inside(condition, frame) }
    let all = try RelationFailure.refusing { () throws(SQLFailure) in
      [own, try security.using(command, of: table), try own == nil ? nil : security.using(.select, of: table)]
    }
    return try store.rows(RowSearch(table.name, where: .all(all.compactMap(\.self)), context))
  }
}

extension [Int: TypedExpression] {
  /// The same with other values.
  fileprivate func mapped<Other>(
    _ body: (TypedExpression) throws(RelationFailure) -> Other
  ) throws(RelationFailure) -> [Int: Other] {
    var mapped: [Int: Other] = [:]
    for (place, value) in self { mapped[place] = try body(value) }
    return mapped
  }
}

extension SQLFailure {
  /// The failure of a read within an expression.
  init(_ failure: RelationFailure) {
    switch failure {
    case .refused(let own): self = own
    case .store(let error): self.init(.storeFailed, "\(error)")
    }
  }
}
