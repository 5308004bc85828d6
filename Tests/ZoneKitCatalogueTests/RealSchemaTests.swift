import Testing
import ZoneKitCatalogue
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `catalogues of schemas as people write them` {
  @Test(arguments: [Samples.teams, Samples.shop, Samples.chat])
  func `are made without a problem`(text: String) throws {
    #expect(try Catalogues.problems(text) == [])
  }

  @Test(arguments: [Samples.teams, Samples.shop, Samples.chat])
  func `are the same for the normal form`(text: String) throws {
    let normal = try Samples.reading(text).statements.map { $0.statement.sql + ";\n" }.joined()
    #expect(try Catalogues.catalogue(normal) == Catalogues.catalogue(text))
  }
}
