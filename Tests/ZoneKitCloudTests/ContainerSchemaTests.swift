import Testing
import ZoneKitMemoryStores
import ZoneKitRecords

@testable import ZoneKitCloud

extension CloudResponse {
  /// The error of the whole request; nil if it was answered.
  fileprivate var error: CloudError? { if case .failure(let error) = self { error } else { nil } }
}

@Suite struct `the schema of a container` {
  private static let lists = ZoneID(zoneName: "Lists")

  /// A cloud with the zones `Notes` and `Lists`.
  private func cloud() -> TestCloud {
    var cloud = TestCloud.withNotes()
    _ = cloud.ask(.modifyZones([.create(Self.lists)]))
    return cloud
  }

  private func batch(
    _ name: Name, in zone: ZoneID, type: Name = "Note", _ fields: NamedFieldChange...
  ) -> CloudRequest {
    .modifyRecords(
      ModifyRecords(zoneID: zone, operations: [.create(name, type: type, fields)], isAtomic: false))
  }

  private func query(_ type: Name, in zone: ZoneID, _ filters: CloudQuery.Filter..., cloud: inout TestCloud)
    -> Result<Int, CloudError>
  {
    let answer = cloud.ask(.queryRecords([QueryRecords(CloudQuery(type, where: filters), in: zone)]))
    guard case .queries(let results) = answer else { return .failure(CloudError(.internalError, "\(answer)")) }
    switch results[0] {
    case .records(let records): return .success(records.runs.reduce(0) { $0 + $1.page.count })
    case .failed(let error): return .failure(error)
    }
  }

  private func result(_ response: CloudResponse) -> RecordResult? {
    if case .records(let results) = response { results[0] } else { nil }
  }

  private func directory(of cloud: TestCloud) throws -> [Name: [Name: FieldType]] {
    let zone = SchemaDirectory(of: cloud.database).zone
    guard try cloud.server.store.zone(zone) != nil else { return [:] }
    var types: [Name: [Name: FieldType]] = [:]
    let page = try cloud.server.store.feed(.whole, in: zone).page
    for row in page.rows where !row.isDeleted {
      let name = Name(page.text(row.name))
      let fields = try cloud.server.store.record(name, in: zone)?.fields.decoded() ?? Fields()
      types[name] = Dictionary(
        uniqueKeysWithValues: fields.sorted.compactMap { field in
          field.value.text.flatMap { FieldType(rawValue: $0) }.map { (field.name, $0) }
        })
    }
    return types
  }

  private let wrongType = CloudError(
    .invalidArguments, "Invalid value, expected type STRING for field title of Note, got INT64")

  @Test func `a field has one type in all zones`() {
    var cloud = cloud()
    #expect(result(cloud.ask(batch("a", in: cloud.notes, .typed("title", .string("x")))))?.record != nil)
    #expect(result(cloud.ask(batch("b", in: Self.lists, .typed("title", .int64(1)))))?.error == wrongType)
    #expect(result(cloud.ask(batch("c", in: Self.lists, .typed("title", .string("y")))))?.record != nil)
  }

  @Test func `a field has one type for all users and databases`() {
    var cloud = cloud()
    _ = cloud.ask(batch("a", in: cloud.notes, .typed("title", .string("x"))))
    cloud.caller = Caller(user: "ben", deviceID: "d2")
    cloud.database = DatabaseID(container: "iCloud.a", environment: .development, user: "ben", scope: .private)
    #expect(result(cloud.ask(batch("b", in: .defaultZone, .typed("title", .int64(1)))))?.error == wrongType)
    cloud.database = cloud.database.public
    #expect(result(cloud.ask(batch("c", in: .defaultZone, .typed("title", .int64(1)))))?.error == wrongType)
    cloud.database = DatabaseID(container: "iCloud.a", environment: .production, user: "ben", scope: .public)
    #expect(result(cloud.ask(batch("d", in: .defaultZone, .typed("title", .int64(1)))))?.record != nil)
  }

  @Test func `of two zones that give a field two types in one turn, the first wins`() {
    var cloud = cloud()
    cloud.receive(batch("a", in: cloud.notes, .typed("title", .string("x"))))
    cloud.receive(batch("b", in: Self.lists, .typed("title", .int64(1))))
    let answers = cloud.endTurn().answers
    #expect(result(answers[0])?.record != nil)
    #expect(result(answers[1])?.error == wrongType)
  }

  @Test func `a value without a type becomes that of the container`() throws {
    var cloud = cloud()
    _ = cloud.ask(batch("a", in: cloud.notes, .typed("size", .double(1))))
    let saved = result(cloud.ask(batch("b", in: Self.lists, .guessed("size", .int64(2)))))?.record
    #expect(try saved?.fields.decoded()["size"] == .double(2))
  }

  @Test func `a list whose elements were not known gets the type that another zone gave it`() {
    var cloud = cloud()
    _ = cloud.ask(batch("a", in: cloud.notes, .typed("tags", .unknownList)))
    _ = cloud.ask(batch("b", in: Self.lists, .typed("tags", .stringList(["x"]))))
    let error = result(cloud.ask(batch("c", in: cloud.notes, .typed("tags", .int64List([1])))))?.error
    #expect(error?.reason == "Invalid value, expected type STRING_LIST for field tags of Note, got INT64_LIST")
  }

  @Test func `a query for a type that another zone has finds nothing, and one for no zone's type fails`() {
    var cloud = cloud()
    _ = cloud.ask(batch("a", in: cloud.notes))
    _ = cloud.ask(batch("b", in: cloud.notes, type: "Bare"))
    #expect(query("Note", in: Self.lists, cloud: &cloud) == .success(0))
    #expect(query("Bare", in: Self.lists, cloud: &cloud) == .success(0))
    let unknown = CloudError(.unknownItem, "did not find record type: None")
    #expect(query("None", in: Self.lists, cloud: &cloud) == .failure(unknown))
  }

  @Test func `a query knows the types of fields that only another zone has`() {
    var cloud = cloud()
    _ = cloud.ask(batch("a", in: cloud.notes, .typed("title", .string("x"))))
    let filter = CloudQuery.Filter(.equals, .field("title"), .int64(1), isTyped: true)
    guard case .failure(let error) = query("Note", in: Self.lists, filter, cloud: &cloud) else {
      Issue.record("the query with a number for a text was answered")
      return
    }
    #expect(error.code == .invalidArguments)
  }

  @Test func `what fails leaves the schema as it was`() throws {
    var cloud = cloud()
    let failing: CloudRequest = .modifyRecords(
      ModifyRecords(
        zoneID: cloud.notes,
        operations: [.create("a", [.typed("title", .string("x"))]), .delete("none")], isAtomic: true))
    _ = cloud.ask(failing)
    #expect(try directory(of: cloud).isEmpty)
    _ = cloud.ask(batch("b", in: cloud.notes, .typed("title", .int64(1))))
    #expect(try directory(of: cloud) == ["Note": ["title": .int64]])
  }

  @Test func `a save of known fields reads and writes its zone alone`() {
    var cloud = cloud()
    let zone = SchemaDirectory(of: cloud.database).zone
    _ = cloud.ask(batch("a", in: cloud.notes, .typed("title", .string("x"))))
    cloud.server.store.damage[zone] = StoreError(.corrupt, "damaged", place: "schema")
    #expect(result(cloud.ask(batch("b", in: cloud.notes, .typed("title", .string("x")))))?.record != nil)
    #expect(cloud.ask(batch("c", in: cloud.notes, .typed("text", .string("x")))).error?.code == .zoneBusy)
  }

  @Test func `a zone is not changed if the schema that it needs cannot be committed`() throws {
    var cloud = cloud()
    let zone = SchemaDirectory(of: cloud.database).zone
    cloud.server.store.failNextCommit(of: .zone(zone), with: StoreError(.full, "no space left", place: "schema"))
    #expect(cloud.ask(batch("a", in: cloud.notes, .typed("title", .string("x")))).error?.code == .serviceUnavailable)
    #expect(cloud.record("a") == nil)
    #expect(result(cloud.ask(batch("b", in: cloud.notes, .typed("title", .int64(1)))))?.record != nil)
  }

  @Test func `a schema that another server changed meanwhile is read again`() throws {
    var cloud = cloud()
    let zone = SchemaDirectory(of: cloud.database).zone
    cloud.server.store.makeNextCommitStale(of: .zone(zone))
    #expect(result(cloud.ask(batch("a", in: cloud.notes, .typed("title", .string("x")))))?.record != nil)
    #expect(try directory(of: cloud) == ["Note": ["title": .string]])
  }

  @Test func `a deleted zone leaves its types to the container`() {
    var cloud = cloud()
    _ = cloud.ask(batch("a", in: cloud.notes, .typed("title", .string("x"))))
    _ = cloud.ask(.modifyZones([.delete(cloud.notes)]))
    _ = cloud.ask(.modifyZones([.create(cloud.notes)]))
    #expect(result(cloud.ask(batch("b", in: cloud.notes, .typed("title", .int64(1)))))?.error == wrongType)
  }

  @Test func `the types of older zones become those of the container once`() throws {
    var cloud = cloud()
    let adoption = { (fields: [FieldDefinition]) in
      SchemaAdoption(fields, near: cloud.database, at: cloud.now)
    }
    let title = FieldDefinition(recordType: "Note", field: "title", type: .string)
    let other = FieldDefinition(recordType: "Note", field: "title", type: .int64)
    for definitions in [[title, other], [FieldDefinition(recordType: "Late", field: "a", type: .bytes)]] {
      cloud.server.transact(
        adoption(definitions), ticket: Ticket(0), in: cloud.database.public,
        from: Caller(user: DatabaseID.publicUser), at: cloud.now, using: &cloud.generator)
      _ = cloud.endTurn()
    }
    #expect(try directory(of: cloud) == ["Note": ["title": .string]])
  }

  @Test func `no request reaches the zone of the schema`() {
    var cloud = cloud()
    _ = cloud.ask(batch("a", in: cloud.notes, .typed("title", .string("x"))))
    cloud.database = cloud.database.public
    let hidden = ZoneID(zoneName: SchemaDirectory.zoneName)
    #expect(cloud.ask(.lookupRecords(zoneID: hidden, recordNames: ["Note"])).error?.code == .zoneNotFound)
    #expect(cloud.ask(.listZones) == .zones([.zone(Zone(zoneID: .defaultZone, token: nil, isAtomic: false))]))
    #expect(cloud.server.status(of: cloud.database).zones.isEmpty)
  }
}
