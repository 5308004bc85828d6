import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// The tables of a schema with their rules, ready to be applied to rows.
package struct PreparedSchema: Sendable {
  /// The catalogue.
  package let catalogue: Catalogue
  /// The tables by name.
  package let tables: [ObjectName: PreparedTable]

  /// Prepares the tables of a catalogue, whose expressions were checked when it was made.
  package init(_ catalogue: Catalogue) throws(ExpressionProblem) {
    self.catalogue = catalogue
    var tables: [ObjectName: PreparedTable] = [:]
    for (name, table) in catalogue.tables { tables[name] = try PreparedTable(table, in: catalogue) }
    for table in tables.values.sorted(by: { $0.name < $1.name }) {
      for reference in table.references { tables[reference.parent]?.referrers.append(reference) }
    }
    self.tables = tables
  }

  /// How the rows of all tables are kept, in the order of the tables' names.
  package var layouts: [TableLayout] { tables.values.map(\.layout).sorted { $0.name < $1.name } }
}
