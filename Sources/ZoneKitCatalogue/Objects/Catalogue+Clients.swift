import ZoneKitRelations
import ZoneKitSchema

extension Catalogue {
  /// The tables of the usual schema whose rows a signed-in client may read.
  package var clientTables: RelationSchema {
    let own = tables.values.filter {
      $0.name.schema == ObjectName.usualSchema && $0.view == nil && $0.privileges.allows("select", to: "authenticated")
    }
    var ordered: [CatalogueTable] = []
    var seen: Set<ObjectName> = []
    for table in own.sorted(by: { $0.name < $1.name }) { visit(table, among: own, &seen, &ordered) }
    let described = ordered.map { ($0.name.name, client($0)) }
    return RelationSchema(
      described.compactMap(\.1), withoutKey: described.filter { $0.1 == nil }.map(\.0))
  }

  /// Appends a table after those that it refers to. In a circle one of them comes first.
  private func visit(
    _ table: CatalogueTable, among own: [CatalogueTable], _ seen: inout Set<ObjectName>,
    _ ordered: inout [CatalogueTable]
  ) {
    guard seen.insert(table.name).inserted else { return }
    for target in table.foreignKeys.map(\.target) {
      if let parent = own.first(where: { $0.name == target }) { visit(parent, among: own, &seen, &ordered) }
    }
    ordered.append(table)
  }

  /// The table for clients; nil if it has no primary key.
  private func client(_ table: CatalogueTable) -> RelationSchema.Table? {
    let hasFillingTriggers = table.triggers.contains { $0.isBefore && $0.events.contains(.insert) }
    guard let key = table.primaryKey?.columns.compactMap({ table.index(of: $0) }), !key.isEmpty else { return nil }
    let columns = table.columns.map { column in
      let targets = table.foreignKeys.filter { $0.columns == [column.name] }.map(\.target.description)
      return RelationSchema.Column(
        column.name, column.type, source: source(of: column, mayBeFilled: hasFillingTriggers), targets: targets)
    }
    return RelationSchema.Table(table.name.name, columns, key: key, isPublished: sendsChanges(of: table.name))
  }

  /// Who gives a column of a new row its value. A trigger may fill each one.
  private func source(of column: CatalogueColumn, mayBeFilled: Bool) -> RelationSchema.Column.Source {
    if column.generated != nil || column.identity == .always { return .server }
    let isGiven = mayBeFilled || column.isNullable || column.defaultValue != nil || column.identity != nil
    return isGiven ? .optional : .required
  }
}
