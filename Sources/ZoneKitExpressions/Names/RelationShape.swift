import ZoneKitRelations
import ZoneKitSchema

/// A table as expressions see it: its name and its columns.
package struct RelationShape: Hashable, Sendable {
  /// The table, with its schema.
  package var name: SQLName
  /// The columns, in their order.
  package var columns: [ColumnShape]
  /// The columns of its key, by their places; none if it has no key.
  package var key: [Int]

  /// A table with those columns.
  package init(_ name: SQLName, _ columns: [ColumnShape], key: [Int] = []) {
    self.name = name
    self.columns = columns
    self.key = key
  }

  /// Hashes the name and the columns.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(name.schema)
    hasher.combine(name.name)
    hasher.combine(columns)
  }
}

/// A column as expressions see it.
package struct ColumnShape: Hashable, Sendable {
  /// The column's name.
  package var name: String
  /// The type of its values.
  package var type: DatumType

  /// A column of that type.
  package init(_ name: String, _ type: DatumType) {
    self.name = name
    self.type = type
  }
}

/// What the names of a schema stand for.
package struct Names {
  /// The table of that name; nil if there is none.
  package var relation: (SQLName) -> RelationShape?
  /// The enum of that name; nil if there is none.
  package var enumeration: (SQLName) -> DatumType.EnumType?

  /// The function of the schema of that name; nil if there is none, or if its result is not one expression.
  package var function: (SQLName) -> InlineFunction?
  /// The query of the view of that name; nil if there is none.
  package var view: (SQLName) -> TypedQuery?

  /// Names that those functions look up.
  package init(
    relation: @escaping (SQLName) -> RelationShape? = { _ in nil },
    enumeration: @escaping (SQLName) -> DatumType.EnumType? = { _ in nil },
    function: @escaping (SQLName) -> InlineFunction? = { _ in nil },
    view: @escaping (SQLName) -> TypedQuery? = { _ in nil }
  ) {
    self.relation = relation
    self.enumeration = enumeration
    self.function = function
    self.view = view
  }
}

/// A table whose rows an expression may use, under a name.
package struct RowSource: Hashable, Sendable {
  /// The name that columns are written with.
  package var alias: String
  /// The table.
  package var shape: RelationShape
  /// Whether its columns are written with the name in front alone, as those of `new` in a trigger.
  package var needsName: Bool
  /// How its rows are found; nil for a table.
  package var derivation: RowDerivation?
  /// The columns that are written with the name in front alone, because a source before it has the same one.
  package var merged: Set<String> = []

  /// A table under that name; under its own for nil.
  package init(
    _ shape: RelationShape, as alias: String? = nil, needsName: Bool = false, _ derivation: RowDerivation? = nil
  ) {
    self.alias = alias ?? shape.name.name
    self.shape = shape
    self.needsName = needsName
    self.derivation = derivation
  }

  /// The rows of a query under that name.
  package init(_ query: TypedQuery, as alias: String) {
    self.init(RelationShape(SQLName(alias), query.columns), as: alias, .query(query))
  }

  /// All its columns, if it is at that place.
  package func allColumns(level: Int = 0, source: Int = 0) -> [TypedExpression] {
    shape.columns.enumerated().map { place, column in
      TypedExpression(.column(ColumnPlace(level: level, source: source, column: place)), column.type)
    }
  }
}

extension String {
  /// Whether both have the same bytes, as names of SQL are compared.
  func isSame(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
