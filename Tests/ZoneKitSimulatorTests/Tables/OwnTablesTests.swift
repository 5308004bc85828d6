import Testing
import ZoneKitCatalogue
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitSchemaFixtures
import ZoneKitTableServer
import ZoneKitTables

@testable import ZoneKitSimulator

@Suite struct `tables of a schema in virtual time` {
  private static let schema = """
    create table meals (
      id int primary key, title text not null,
      eater uuid default auth.uid() references auth.users on delete cascade);
    insert into meals values (1, 'Dinner', null);
    """

  private static func world(_ text: String = schema) throws -> World {
    var builder = CatalogueBuilder()
    let reading = try Samples.reading(text)
    let problems = reading.problems + builder.add(reading.statements, of: SchemaText(name: "schema.sql", text))
    #expect(problems.isEmpty)
    var world = World()
    try world.cloud.serve(PreparedSchema(builder.catalogue), at: world.wall)
    return world
  }

  private static func insert(_ id: String, _ title: JSON) -> CloudMessage {
    let row = [JSON.Member("id", .string(id)), JSON.Member("title", title)]
    return .relations(RelationRequest(.insert(RelationBody([row], columns: ["id", "title"]), nil), "meals"))
  }

  private static func titles(in world: inout World) -> [Datum]? {
    let field = RelationItem.value(RelationField("title"), name: "title", cast: nil)
    let message = CloudMessage.relations(RelationRequest(.read, "meals", RelationReading([field])))
    let rows = try? world.serve(message, from: CloudSender(RowCaller(.service)))?.relation?.get().rows
    return rows?.compactMap { if case .value(let title)? = $0.first { title } else { nil } }
  }

  @Test func `have the first rows of the schema and those that are written`() throws {
    var world = try Self.world()
    let answer = world.serve(Self.insert("2", "Lunch"), from: CloudSender(RowCaller(.service)))
    #expect(try answer?.relation?.get().inserted == 1)
    #expect(Self.titles(in: &world) == [.text("Dinner"), .text("Lunch")])
  }

  @Test func `lose the rows that are not committed when the cloud dies, and no others`() throws {
    var world = try Self.world()
    _ = world.serve(Self.insert("2", "Lunch"), from: CloudSender(RowCaller(.service)))
    var generator = SplitMix64(seed: 1)
    _ = world.cloud.process.submit(
      Self.insert("3", "Supper"), from: CloudSender(RowCaller(.service)),
      at: Moment(wall: world.wall, monotonic: world.now),
      using: &generator)
    world.killCloud()
    world.startCloud()
    #expect(Self.titles(in: &world) == [.text("Dinner"), .text("Lunch")])
  }

  @Test func `refer to the accounts of the cloud, also to those that are made later`() throws {
    var world = try Self.world()
    for (number, name) in [(2, "mara"), (3, "ben")] {
      let account = world.cloud.account(named: Name(name), at: world.wall)
      let sender = CloudSender(RowCaller(.account(account)))
      let answer = world.serve(Self.insert("\(number)", "Lunch"), from: sender)
      #expect(try answer?.relation?.get().inserted == 1)
    }
    let stranger = CloudSender(RowCaller(.account(UUID(high: 1, low: 1))))
    let refused = world.serve(Self.insert("4", "Lunch"), from: stranger)
    #expect(throws: RowError.self) { try refused?.relation?.get() }
  }

  @Test func `are not served if their first rows cannot be made`() throws {
    #expect(throws: SchemaRefusal.self) {
      try Self.world(Self.schema + "insert into meals values (1, 'Lunch', null);")
    }
  }
}
