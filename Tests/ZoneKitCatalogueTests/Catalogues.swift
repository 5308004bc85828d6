import ZoneKitCatalogue
import ZoneKitSchema
import ZoneKitSchemaFixtures

/// Texts made into catalogues.
enum Catalogues {
  /// The problems of a text, as they are printed: those of reading it, otherwise those of its statements.
  static func problems(_ text: String) throws -> [String] {
    let reading = try Samples.reading(text)
    guard reading.problems.isEmpty else { return reading.problems.map(\.description) }
    var builder = CatalogueBuilder()
    return builder.add(reading.statements, of: SchemaText(name: "schema.sql", text)).map(\.description)
  }

  /// What a text makes. Its problems are left out.
  static func catalogue(_ text: String) throws -> Catalogue {
    var builder = CatalogueBuilder()
    _ = builder.add(try Samples.reading(text).statements, of: SchemaText(name: "schema.sql", text))
    return builder.catalogue
  }

  /// A table of the schema public that a text makes.
  static func table(_ name: String, of text: String) throws -> CatalogueTable? {
    try catalogue(text).tables[ObjectName("public", name)]
  }
}
