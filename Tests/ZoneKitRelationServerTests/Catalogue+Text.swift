import ZoneKitCatalogue
import ZoneKitSchema
import ZoneKitSchemaFixtures

extension Catalogue {
  /// What the statements of a text make. Throws its first problem.
  init(text: String, answers: [String: CatalogueBuilder.FixedAnswer] = [:]) throws {
    var builder = CatalogueBuilder(answers: answers)
    let reading = try Samples.reading(text)
    let problems = reading.problems + builder.add(reading.statements, of: SchemaText(name: "schema.sql", text))
    if let first = problems.first { throw first }
    self = builder.catalogue
  }

  /// The messages of the problems of a text.
  static func problems(of text: String) throws -> [String] {
    var builder = CatalogueBuilder()
    let reading = try Samples.reading(text)
    return (reading.problems + builder.add(reading.statements, of: SchemaText(name: "schema.sql", text)))
      .map(\.description)
  }
}
