import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

/// A table with its rules, ready to be applied to rows.
package struct PreparedTable: Sendable {
  /// What the schema says of it.
  package let catalogue: CatalogueTable
  /// The table as expressions see it.
  package let shape: RelationShape
  /// The values of new rows that name none, by column.
  let defaults: [TypedExpression?]
  /// What columns are computed of, by their places.
  let generated: [(place: Int, value: TypedExpression)]
  /// The conditions for its rows, in the order of their names.
  let checks: [(name: String, condition: TypedExpression)]
  /// What keeps its rows apart, the primary key first.
  let keys: [PreparedKey]
  /// What its rows refer to, in the order in which the references were made and PostgreSQL checks them.
  let references: [PreparedReference]
  /// What refers to its rows, in the order of the tables' names.
  var referrers: [PreparedReference] = []
  /// By what clients find the rows that its rows refer to; a view has the references of its tables.
  var parents: [PreparedReference]
  /// By what clients find the rows that refer to its rows.
  var children: [PreparedReference] = []
  /// The query of a view; nil for a table.
  let view: TypedQuery?
  /// Its triggers, in the order of their names.
  let triggers: [PreparedTrigger]
  /// The column that decides between two versions of a row; nil if the last write wins.
  let arbiter: Int?
  /// Its policies.
  let policies: [PreparedPolicy]
  /// How its rows are kept.
  package let layout: TableLayout

  /// The table's name.
  package var name: ObjectName { catalogue.name }

  /// The columns.
  package var columns: [CatalogueColumn] { catalogue.columns }

  /// The table as a source of queries.
  var source: RowSource { RowSource(shape, as: nil, view.map { .query($0) }) }

  /// The place of the column of that name.
  package func index(of column: String) -> Int? { catalogue.index(of: column) }

  /// Prepares a table of a catalogue.
  init(_ table: CatalogueTable, in catalogue: Catalogue) throws(ExpressionProblem) {
    self.catalogue = table
    shape = table.shape
    let names = catalogue.names
    let scope = ExpressionScope(names, [RowSource(table.shape)])
    defaults = try table.columns.map { (column) throws(ExpressionProblem) in
      try column.defaultValue.map { (value) throws(ExpressionProblem) in
        try ExpressionScope(names).resolve(value, as: column.shape, isDefault: true)
      }
    }
    generated = try table.columns.indices.filter { table.columns[$0].generated != nil }.map {
      (place) throws(ExpressionProblem) in
      let value = table.columns[place].generated ?? SQLExpression(.constant(.null))
      return (place, try scope.resolve(value, as: table.columns[place].shape))
    }
    checks = try table.checks.map { (check) throws(ExpressionProblem) in
      (check.name, try scope.condition(check.condition, of: "CHECK"))
    }
    keys = try PreparedKey.all(of: table, scope)
    references = table.foreignKeys.compactMap { PreparedReference($0, from: table, in: catalogue) }
    view = try catalogue.query(ofView: table.name)
    let shown = table.view == nil ? [] : catalogue.references(of: table)
    parents = references + shown.compactMap { PreparedReference($0, from: table, in: catalogue) }
    triggers = try table.triggers.map { (trigger) throws(ExpressionProblem) in
      try PreparedTrigger(trigger, of: table, in: catalogue)
    }
    arbiter = table.arbiter.flatMap { table.index(of: $0) }
    policies = try table.policies.map { (policy) throws(ExpressionProblem) in
      do throws(ExpressionProblem) {
        return try PreparedPolicy(policy, scope)
      } catch {
        throw error.inside("the policy \(policy.name) of \(table.name)")
      }
    }
    layout = try Self.layout(of: table, scope)
  }

  /// Indexes for keys, for columns that refer to rows, and those of the schema.
  private static func layout(of table: CatalogueTable, _ scope: ExpressionScope) throws(ExpressionProblem)
    -> TableLayout
  {
    func column(_ name: String) -> TypedOrder? {
      table.index(of: name).map {
        TypedOrder(TypedExpression(.column(ColumnPlace(column: $0)), table.columns[$0].type))
      }
    }
    var indexes = table.keys.map { IndexLayout($0.name, $0.columns.compactMap(column)) }
    indexes += table.foreignKeys.map { IndexLayout("\($0.name)~columns", $0.columns.compactMap(column)) }
    for index in table.indexes {
      let parts = try index.parts.map { (part) throws(ExpressionProblem) in
        TypedOrder(
          try scope.resolve(part.value), isDescending: part.isDescending ?? false, nullsFirst: part.nullsFirst)
      }
      let condition = try index.condition.map { (condition) throws(ExpressionProblem) in
        try scope.condition(condition, of: "WHERE")
      }
      indexes.append(IndexLayout(index.name, parts, where: condition))
    }
    let notNull = table.columns.indices.filter { !table.columns[$0].isNullable }
    return TableLayout(table.name, table.columns.map(\.shape), indexes, notNull: Set(notNull))
  }
}

extension PreparedTable {
  /// The values of columns of a row.
  func places(_ columns: [Int], level: Int = 0, source: Int = 0) -> [TypedExpression] {
    columns.map { column in
      TypedExpression(
        .column(ColumnPlace(level: level, source: source, column: column)), self.columns[column].type)
    }
  }

  /// The condition that columns have those values; nil for no columns.
  func condition(_ columns: [Int], _ values: [Datum]) -> TypedExpression? {
    .all(
      zip(places(columns), values).map { own, value in
        guard value != .null else { return TypedExpression(.test(own, .isNull), .boolean) }
        return TypedExpression(.binary(own, .equal, TypedExpression(.constant(value), own.type)), .boolean)
      })
  }
}

/// Something by which no two rows may be the same.
struct PreparedKey: Sendable {
  /// The constraint's or the index's name.
  let name: String
  /// What rows are compared by.
  let parts: [TypedExpression]
  /// What the parts are called in messages.
  let words: [String]
  /// The columns if the parts are columns.
  let columns: [Int]?
  /// The rows that are compared; nil for all.
  let condition: TypedExpression?
  /// Whether two rows with a null count as the same.
  let nullsNotDistinct: Bool

  /// The keys and the unique indexes of a table.
  static func all(of table: CatalogueTable, _ scope: ExpressionScope) throws(ExpressionProblem) -> [PreparedKey] {
    var keys = table.keys.map { key in
      let columns = key.columns.compactMap { table.index(of: $0) }
      return PreparedKey(
        name: key.name,
        parts: columns.map { TypedExpression(.column(ColumnPlace(column: $0)), table.columns[$0].type) },
        words: key.columns, columns: columns, condition: nil, nullsNotDistinct: key.nullsNotDistinct)
    }
    for index in table.indexes where index.isUnique {
      let parts = try index.parts.map { (part) throws(ExpressionProblem) in try scope.resolve(part.value) }
      let condition = try index.condition.map { (condition) throws(ExpressionProblem) in
        try scope.condition(condition, of: "WHERE")
      }
      let columns = index.parts.map { part in
        if case .column(let column) = part.value.kind { table.index(of: column.name) } else { Int?.none }
      }
      keys.append(
        PreparedKey(
          name: index.name, parts: parts, words: index.parts.map(\.value.sql),
          columns: columns.contains(nil) ? nil : columns.compactMap(\.self), condition: condition,
          nullsNotDistinct: false))
    }
    return keys
  }
}

/// Columns whose values are those of a row of a table.
struct PreparedReference: Sendable {
  /// The constraint's name.
  let name: String
  /// The table that refers.
  let child: ObjectName
  /// Its columns that refer.
  let columns: [Int]
  /// The names of these columns.
  let columnNames: [String]
  /// The table that is referred to.
  private(set) var parent: ObjectName
  /// The columns there.
  private(set) var parentColumns: [Int]
  /// The names of these columns.
  private(set) var parentNames: [String]
  /// What is done when the row there is deleted.
  let onDelete: TableReference.Action
  /// What is done when the key there changes.
  let onUpdate: TableReference.Action

  /// Prepares a reference; nil if its table is not there.
  init?(_ key: ForeignKeyConstraint, from table: CatalogueTable, in catalogue: Catalogue) {
    guard let parent = catalogue.tables[key.target] else { return nil }
    (name, child, self.parent) = (key.name, table.name, parent.name)
    (columnNames, parentNames) = (key.columns, key.targetColumns)
    columns = key.columns.compactMap { table.index(of: $0) }
    parentColumns = key.targetColumns.compactMap { parent.index(of: $0) }
    (onDelete, onUpdate) = (key.onDelete, key.onUpdate)
  }
}

extension PreparedReference {
  /// The reference as one to a view of the table that is referred to; nil unless the view has the columns.
  func refers(to view: CatalogueTable, of origin: Catalogue.Origin) -> PreparedReference? {
    guard origin.table == parent, let names = origin.columns(parentNames) else { return nil }
    var other = self
    (other.parent, other.parentNames) = (view.name, names)
    other.parentColumns = names.compactMap { view.index(of: $0) }
    return other
  }
}

/// A policy with the types of its conditions.
struct PreparedPolicy: Sendable {
  let policy: CataloguePolicy
  let using: TypedExpression?
  let withCheck: TypedExpression?

  init(_ policy: CataloguePolicy, _ scope: ExpressionScope) throws(ExpressionProblem) {
    self.policy = policy
    using = try policy.using.map { (condition) throws(ExpressionProblem) in
      try scope.condition(condition, of: "POLICY")
    }
    withCheck = try policy.withCheck.map { (condition) throws(ExpressionProblem) in
      try scope.condition(condition, of: "POLICY")
    }
  }

  /// Whether it is about what a role does.
  func isAbout(_ command: CreatePolicy.Command, by role: String) -> Bool {
    guard policy.command == .all || policy.command == command else { return false }
    return policy.roles.contains { $0 == .everyone || $0 == .named(role) }
  }
}
