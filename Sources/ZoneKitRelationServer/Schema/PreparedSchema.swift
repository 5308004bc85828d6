import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitTables

/// The tables of a schema with their rules, ready to be applied to rows.
package struct PreparedSchema: ServedSchema {
  /// The catalogue.
  package let catalogue: Catalogue
  /// The tables by name.
  package let tables: [ObjectName: PreparedTable]
  /// The functions that `rpc` can call, by name.
  let routines: [String: PreparedRoutine]
  /// The fixed answers that stand for functions.
  package let answers: FunctionAnswers

  /// Prepares the tables of a catalogue, whose expressions were checked when it was made with those answers.
  package init(_ catalogue: Catalogue, answers: FunctionAnswers = FunctionAnswers()) throws(ExpressionProblem) {
    var catalogue = catalogue
    if answers.functions[FunctionAnswers.everyOther] != nil { catalogue.leaveOutFunctions() }
    self.catalogue = catalogue
    self.answers = answers
    var tables: [ObjectName: PreparedTable] = [:]
    for (name, table) in catalogue.tables { tables[name] = try PreparedTable(table, in: catalogue) }
    for table in tables.values.sorted(by: { $0.name < $1.name }) {
      for reference in table.references { tables[reference.parent]?.referrers.append(reference) }
    }
    Self.relate(&tables, in: catalogue)
    self.tables = tables
    var routines: [String: PreparedRoutine] = [:]
    for (name, function) in catalogue.functions where function.result != .trigger {
      guard let body = function.body, answers.functions[name.name] == nil else { continue }
      do throws(ExpressionProblem) {
        routines[name.name] = try PreparedRoutine(function, body, in: catalogue, tables)
      } catch {
        throw error.inside("the function \(name.name)")
      }
    }
    self.routines = routines
  }

  /// Tells tables and views by what clients find related rows.
  private static func relate(_ tables: inout [ObjectName: PreparedTable], in catalogue: Catalogue) {
    let views = tables.values.filter { $0.view != nil }.sorted { $0.name < $1.name }
    for view in views {
      for origin in catalogue.origins(of: view.catalogue) {
        for table in tables.values.sorted(by: { $0.name < $1.name }) {
          for reference in table.parents {
            guard let other = reference.refers(to: view.catalogue, of: origin) else { continue }
            tables[table.name]?.parents.append(other)
          }
        }
      }
    }
    for table in tables.values.sorted(by: { $0.name < $1.name }) {
      for reference in table.parents { tables[reference.parent]?.children.append(reference) }
    }
  }

  /// How the rows of all tables are kept, in the order of the tables' names.
  package var layouts: [TableLayout] {
    tables.values.filter { $0.view == nil }.map(\.layout).sorted { $0.name < $1.name }
  }
}
