import Testing
import ZoneKitRecords
import ZoneKitSQL
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `the normal form` {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `of a statement says the same as the statement`(seed: UInt64) throws {
    var generator = SchemaGenerator(seed: seed)
    for _ in 0..<100 {
      let statement = generator.statement()
      guard let reading = try? Samples.reading(statement.sql) else {
        Issue.record("no SQL: \(statement.sql)")
        continue
      }
      #expect(reading.problems == [], "\(statement.sql)")
      #expect(reading.statements.map(\.statement) == [statement], "\(statement.sql)")
      #expect(reading.statements.map(\.statement.sql) == [statement.sql])
    }
  }
}
