import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// What makes a table of the catalogue a view.
package struct CatalogueView: Equatable, Sendable {
  /// The query for its rows, each of whose results has the name of its column.
  package var query: SQLQuery
  /// Whether it reads the rows alone that who asks may read, instead of all rows.
  package var isInvoker: Bool
}

extension Catalogue {
  /// The query of a view with types; nil if the name is that of no view. Throws if what it reads is gone.
  package func query(ofView name: ObjectName) throws(ExpressionProblem) -> TypedQuery? {
    try query(ofView: name, names)
  }

  func query(ofView name: ObjectName, _ names: Names) throws(ExpressionProblem) -> TypedQuery? {
    guard let table = tables[name], let view = table.view else { return nil }
    var query = try ExpressionScope(names).resolved(view.query)
    query.names = table.columns.map(\.name)
    return view.isInvoker ? query : query.ofDefiner
  }

  /// The references that a view shows: those of the tables that it reads whose columns are all among its own.
  package func references(of view: CatalogueTable) -> [ForeignKeyConstraint] {
    origins(of: view).flatMap { origin in
      (tables[origin.table]?.foreignKeys ?? []).compactMap { key in
        guard let columns = origin.columns(key.columns) else { return nil }
        var shown = key
        shown.columns = columns
        return shown
      }
    }
  }

  /// A table that a view reads, with the view's columns that are columns of it.
  package struct Origin {
    /// The table.
    package var table: ObjectName
    /// The names of the view's columns by those of the table's.
    var names: [String: String]

    /// The view's names of those columns; nil if one is missing.
    package func columns(_ own: [String]) -> [String]? {
      let found = own.compactMap { names[$0] }
      return found.count == own.count ? found : nil
    }
  }

  /// The tables whose columns a view has.
  package func origins(of view: CatalogueTable) -> [Origin] {
    guard let query = (try? query(ofView: view.name)) ?? nil else { return [] }
    return origins(of: query, names: view.columns.map(\.name))
  }

  private func origins(of query: TypedQuery, names: [String]) -> [Origin] {
    var origins: [Origin] = []
    for (number, source) in query.sources.enumerated() {
      var shown: [String: String] = [:]
      for (result, name) in zip(query.results, names) {
        guard case .column(let place) = result.kind, place.level == 0, place.source == number else { continue }
        let column = source.shape.columns[place.column].name
        if shown[column] == nil { shown[column] = name }
      }
      switch source.derivation {
      case nil: origins.append(Origin(table: Catalogue.full(source.shape.name), names: shown))
      case .query(let inner)?:
        for origin in self.origins(of: inner, names: inner.names) {
          origins.append(Origin(table: origin.table, names: origin.names.compactMapValues { shown[$0] }))
        }
      case .groups, .combination, .values, .function: break
      }
    }
    return origins
  }
}
