import ZoneKitCatalogue
import ZoneKitRecords
import ZoneKitRelations

/// The tables of a schema as the description of the service lists them, as PostgREST does.
package struct RelationDescription {
  private let catalogue: Catalogue

  /// The description of those tables.
  package init(of catalogue: Catalogue) { self.catalogue = catalogue }

  /// The tables, in the order of their names.
  package var tables: [DescribedTable] {
    catalogue.tables.values.filter { $0.name.schema == ObjectName.usualSchema }.sorted { $0.name < $1.name }
      .map { DescribedTable($0.name.name, $0.columns.map(\.name), definition(of: $0)) }
  }

  private func definition(of table: CatalogueTable) -> JSON {
    let required = table.columns.filter { !$0.isNullable }.map { JSON.string($0.name) }
    return JSON(known: [
      "description": table.comment.map { .string($0) }, "required": required.isEmpty ? nil : .array(required),
      "type": "object",
      "properties": .object(table.columns.map { JSON.Member($0.name, property($0, of: table)) }),
    ])
  }

  private func property(_ column: CatalogueColumn, of table: CatalogueTable) -> JSON {
    let notes = [column.comment, note(on: column, of: table)].compactMap(\.self)
    var items: JSON?
    if case .array(let element) = column.type { items = ["type": element.jsonType.map { .string($0) } ?? .null] }
    var words: JSON?
    if case .enumeration(let type) = column.type { words = .array(type.labels.map { .string($0) }) }
    return JSON(known: [
      "description": notes.isEmpty ? nil : .string(notes.joined(separator: "\n\n")),
      "default": column.defaultValue.map { .string($0.sql) },
      "type": column.type.jsonType.map { .string($0) }, "items": items, "enum": words,
      "format": .string(column.type.name),
    ])
  }

  /// What PostgREST says about keys. Its clients look for the marks in angle brackets.
  private func note(on column: CatalogueColumn, of table: CatalogueTable) -> String? {
    var marks: [String] = []
    if table.primaryKey?.columns.contains(column.name) == true { marks.append("This is a Primary Key.<pk/>") }
    if let key = table.foreignKeys.first(where: { $0.columns == [column.name] }), let target = key.targetColumns.first {
      let (name, parent) = ("\(key.target.name).\(target)", key.target.name)
      marks.append("This is a Foreign Key to `\(name)`.<fk table='\(parent)' column='\(target)'/>")
    }
    return marks.isEmpty ? nil : "Note:\n" + marks.joined(separator: "\n")
  }
}

extension DatumType {
  /// The type of the values in JSON; nil for any.
  fileprivate var jsonType: String? {
    switch self {
    case .boolean: "boolean"
    case .smallint, .integer, .bigint: "integer"
    case .numeric, .real, .doublePrecision: "number"
    case .array: "array"
    case .json, .jsonb: nil
    case .text, .varchar, .char, .uuid, .date, .time, .timestamp, .timestamptz, .bytea, .enumeration: "string"
    }
  }
}
