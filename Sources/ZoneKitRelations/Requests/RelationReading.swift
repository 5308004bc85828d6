/// Which rows of a table are wanted, in which order, and what of them.
package struct RelationReading: Equatable, Sendable {
  /// What an answer has of a row.
  package var items: [RelationItem]
  /// The conditions for a row; all count.
  package var conditions: [RelationCondition] = []
  /// The order.
  package var order: [RelationOrder] = []
  /// The most rows; nil for all.
  package var limit: Int?
  /// How many of the rows found are left out, from the first on.
  package var offset = 0

  /// All rows with all columns, if nothing else is said.
  package init(_ items: [RelationItem] = [.all]) { self.items = items }
}

/// A part of what an answer has of a row.
package indirect enum RelationItem: Equatable, Sendable {
  /// All columns.
  case all
  /// A value under a name, perhaps converted to a type.
  case value(RelationField, name: String, cast: String?)
  /// Rows that are related to it.
  case embedded(RelationEmbedding)
}

/// Related rows as a part of an answer.
package struct RelationEmbedding: Equatable, Sendable {
  /// The name in the answer.
  package var name: String
  /// The table, or what else tells the relationship: a reference's name or its column.
  package var target: String
  /// What tells the relationship if there are several: a reference's name, its column or the table between; nil for nothing.
  package var hint: String?
  /// Whether rows without related ones are left out.
  package var isInner: Bool
  /// Whether the parts of the one related row are parts of the row itself.
  package var isSpread: Bool
  /// Which related rows are wanted.
  package var reading: RelationReading

  /// Rows of that target.
  package init(
    _ target: String, named name: String? = nil, hint: String? = nil, isInner: Bool = false, isSpread: Bool = false,
    _ reading: RelationReading = RelationReading()
  ) {
    self.name = name ?? target
    self.target = target
    self.hint = hint
    self.isInner = isInner
    self.isSpread = isSpread
    self.reading = reading
  }
}

/// A column, or what is in its JSON value.
package struct RelationField: Hashable, Sendable {
  /// A step into a JSON value.
  package struct Step: Hashable, Sendable {
    /// The member's name, or the element's place from 0 on.
    package var key: String
    /// Whether the result is a text and no JSON value.
    package var isText: Bool

    /// A step to that member.
    package init(_ key: String, isText: Bool) {
      self.key = key
      self.isText = isText
    }
  }

  /// The column's name.
  package var column: String
  /// The way into its value.
  package var path: [Step]

  /// A column.
  package init(_ column: String, _ path: [Step] = []) {
    self.column = column
    self.path = path
  }

  /// The name that its value has in an answer: that of the last step which is a name.
  package var name: String { path.last { Int($0.key) == nil }?.key ?? column }
}

/// A part of an order.
package struct RelationOrder: Equatable, Sendable {
  /// What rows are compared by.
  package var field: RelationField
  /// The name of the related row that has the field; nil for the row itself.
  package var relation: String?
  /// Whether the greatest comes first.
  package var isDescending: Bool
  /// Whether nulls come first; nil for PostgreSQL's usual order, in which null is the greatest value.
  package var nullsFirst: Bool?

  /// An order by that field.
  package init(
    _ field: RelationField, of relation: String? = nil, isDescending: Bool = false, nullsFirst: Bool? = nil
  ) {
    self.field = field
    self.relation = relation
    self.isDescending = isDescending
    self.nullsFirst = nullsFirst
  }
}
