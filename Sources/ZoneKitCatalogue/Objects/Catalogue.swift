import ZoneKitRelations
import ZoneKitSchema

/// What the statements of a schema make: tables with their rules, types, and the tables that send changes.
package struct Catalogue: Equatable, Sendable {
  /// The tables by name, with those that are there before the first statement.
  package var tables: [ObjectName: CatalogueTable] = BuiltInTables.all
  /// The enums by name.
  package var enums: [ObjectName: DatumType.EnumType] = [:]
  /// The functions by name.
  package var functions: [ObjectName: CatalogueFunction] = [:]
  /// The tables that send changes; nil before there is the publication.
  package var published: Published?
  /// Changes of rows, as they are written. No rows are there when they come.
  package var rewrites: [RewriteStatement] = []
  /// Rows that tables have at first, in their order.
  package var seeds: [Seed] = []

  /// A catalogue without objects of a user's own.
  package init() {}

  /// The tables that send changes.
  package enum Published: Equatable, Sendable {
    /// These.
    case tables(Set<ObjectName>)
    /// All, also those that come later.
    case allTables
  }

  /// Rows that a table has at first, and where they are written.
  package struct Seed: Equatable, Sendable {
    /// The table.
    package var table: ObjectName
    /// The rows.
    package var rows: InsertRows
  }

  /// Whether changes of a table are sent.
  package func sendsChanges(of table: ObjectName) -> Bool {
    switch published {
    case nil: false
    case .tables(let tables): tables.contains(table)
    case .allTables: true
    }
  }

  /// The table that a name stands for; nil if there is none.
  package func table(_ name: SQLName) -> CatalogueTable? { tables[Self.full(name)] }

  /// The enum that a name stands for; nil if there is none.
  package func enumeration(_ name: SQLName) -> DatumType.EnumType? { enums[Self.full(name)] }

  /// The name with its schema.
  package static func full(_ name: SQLName) -> ObjectName {
    ObjectName(name.schema ?? ObjectName.usualSchema, name.name)
  }
}
