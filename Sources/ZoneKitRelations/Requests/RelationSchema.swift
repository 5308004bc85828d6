/// The tables of a schema as a device knows them that keeps their rows.
package struct RelationSchema: Hashable, Sendable {
  /// A table.
  package struct Table: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// Its columns, in their order.
    package var columns: [Column]
    /// The places of the columns of its primary key, in the key's order; at least one.
    package var key: [Int]
    /// Whether its changes make events.
    package var isPublished: Bool

    /// A table of that name.
    package init(_ name: String, _ columns: [Column], key: [Int], isPublished: Bool) {
      self.name = name
      self.columns = columns
      self.key = key
      self.isPublished = isPublished
    }

    /// The columns of the primary key.
    package var keyColumns: [Column] { key.map { columns[$0] } }

    /// The column of that name; nil if there is none.
    package func column(_ name: String) -> Column? { columns.first { $0.name.utf8.elementsEqual(name.utf8) } }
  }

  /// A column of a table.
  package struct Column: Hashable, Sendable {
    /// Who gives a new row its value.
    package enum Source: Hashable, Sendable {
      /// The writer, who may leave it out.
      case optional
      /// The writer, who must state it.
      case required
      /// The server alone.
      case server
    }

    /// Its name.
    package var name: String
    /// The type of its values.
    package var type: DatumType
    /// Who gives a new row its value.
    package var source: Source
    /// The tables whose rows its value names.
    package var targets: [String]

    /// A column of that type.
    package init(_ name: String, _ type: DatumType, source: Source = .optional, targets: [String] = []) {
      self.name = name
      self.type = type
      self.source = source
      self.targets = targets
    }
  }

  /// The tables with a primary key, each after those that its rows refer to as far as that is possible.
  package var tables: [Table]
  /// The names of the tables without a primary key. Nothing tells two of their rows apart, so no device keeps them.
  package var withoutKey: [String]

  /// A schema of those tables.
  package init(_ tables: [Table], withoutKey: [String] = []) {
    self.tables = tables
    self.withoutKey = withoutKey
  }

  /// The table of that name; nil if there is none with a primary key.
  package func table(_ name: String) -> Table? { tables.first { $0.name.utf8.elementsEqual(name.utf8) } }
}
