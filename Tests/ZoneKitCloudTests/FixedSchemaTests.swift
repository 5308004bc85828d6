import Testing
import ZoneKitCloud
import ZoneKitMemoryStores
import ZoneKitRecords

@Suite struct `a cloud with a fixed schema` {
  private static let text = """
    DEFINE SCHEMA
      CREATE ROLE boss;
      RECORD TYPE Note (
        "___recordID" REFERENCE QUERYABLE, title STRING QUERYABLE SORTABLE, text STRING SEARCHABLE, size DOUBLE SORTABLE,
        count INT64, GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world");
      RECORD TYPE Diary (title STRING QUERYABLE, GRANT READ, WRITE, CREATE TO "_creator");
      RECORD TYPE Plan (title STRING QUERYABLE, GRANT READ, WRITE, CREATE TO boss);
    """

  /// The private database of nanny with the zone `Notes`, or the public one.
  private func cloud(isPublic: Bool = false) throws -> TestCloud {
    var cloud = TestCloud.withNotes()
    cloud.server.policy.schema = try ContainerSchema(reading: Array(Self.text.utf8))
    if isPublic { cloud.database = cloud.database.public }
    return cloud
  }

  private func save(_ operation: RecordOperation, _ cloud: inout TestCloud) -> CloudError? {
    let answer = cloud.ask(
      .modifyRecords(ModifyRecords(zoneID: .defaultZone, operations: [operation], isAtomic: false)))
    guard case .records(let results) = answer else { return CloudError(.internalError, "\(answer)") }
    return results[0].error
  }

  private func query(_ query: CloudQuery, _ cloud: inout TestCloud) -> Result<[Name], CloudError> {
    guard case .queries(let results) = cloud.ask(.queryRecords([QueryRecords(query)])) else {
      return .failure(CloudError(.internalError, "no answer to a query"))
    }
    switch results[0] {
    case .records(let records):
      return .success(records.runs.flatMap { run in run.page.rows.map { Name(run.page.text($0.name)) } })
    case .failed(let error): return .failure(error)
    }
  }

  private func sign(_ user: Name, into cloud: inout TestCloud) { cloud.caller = Caller(user: user, deviceID: "d") }

  private let denied = { (what: String) in CloudError(.permissionFailure, "\(what) operation not permitted") }

  @Test func `has the types and fields of the file and no others`() throws {
    var cloud = try cloud()
    #expect(cloud.perform(.create("a", [.guessed("size", .int64(2))])).error == nil)
    #expect(try cloud.fields(of: "a")?["size"] == .double(2))
    let wrong = cloud.perform(.create("b", [.typed("size", .string("x"))])).error
    #expect(wrong?.reason == "Invalid value, expected type DOUBLE for field size of Note, got STRING")
    let unknown = cloud.perform(.create("c", [.typed("none", .string("x"))])).error
    #expect(unknown == CloudError(.invalidArguments, "Field none not found in Note"))
    let type = cloud.perform(.create("d", type: "None")).error
    #expect(type == CloudError(.unknownItem, "did not find record type: None"))
    #expect(query(CloudQuery("None"), &cloud) == .failure(CloudError(.unknownItem, "did not find record type: None")))
    #expect(try cloud.server.store.zone(ZoneKey(database: cloud.database.public, zoneName: "_schema")) == nil)
  }

  @Test func `takes its own types for those that a zone had before`() throws {
    var cloud = try cloud()
    let schema = cloud.server.policy.schema
    cloud.server.policy.schema = nil
    _ = cloud.perform(.create("a", [.typed("count", .string("x"))]))
    cloud.server.policy.schema = schema
    #expect(cloud.perform(.create("b", [.typed("count", .int64(1))])).error == nil)
    #expect(cloud.perform(.create("c", [.typed("count", .string("x"))])).error?.code == .invalidArguments)
  }

  @Test func `needs the indexes of what a query compares and orders by`() throws {
    var cloud = try cloud()
    let string = FieldValue.string("x")
    func refused(_ query: CloudQuery) -> String? {
      guard case .failure(let error) = self.query(query, &cloud) else { return nil }
      return error.reason
    }
    func filtered(_ comparator: CloudQuery.Comparator, _ field: Name, _ value: FieldValue) -> CloudQuery {
      CloudQuery("Note", where: [CloudQuery.Filter(comparator, .field(field), value)])
    }
    #expect(refused(CloudQuery("Note")) == nil)
    #expect(refused(CloudQuery("Diary")) == "Field 'recordName' is not marked queryable")
    #expect(refused(filtered(.equals, "title", string)) == nil)
    #expect(refused(filtered(.equals, "text", string)) == "Field 'text' is not marked queryable")
    #expect(refused(filtered(.containsAllTokens, "text", string)) == nil)
    #expect(refused(filtered(.containsAllTokens, "title", string)) == "Field 'title' is not marked searchable")
    #expect(refused(filtered(.greaterThan, "size", .double(1))) == nil)
    #expect(refused(filtered(.equals, "size", .double(1))) == "Field 'size' is not marked queryable")
    #expect(refused(filtered(.equals, "none", string)) == "Unknown field 'none'")
    #expect(refused(CloudQuery("Note", sortedBy: [CloudQuery.Sort(.field("size"))])) == nil)
    #expect(
      refused(CloudQuery("Note", sortedBy: [CloudQuery.Sort(.field("text"))])) == "Field 'text' is not marked sortable")
    let newest = CloudQuery("Note", sortedBy: [CloudQuery.Sort(.system(.modifiedTimestamp))])
    #expect(refused(newest) == "Field 'modifiedTimestamp' is not marked sortable")
  }

  @Test func `permits the roles of a public database what it grants them`() throws {
    var cloud = try cloud(isPublic: true)
    sign("ann", into: &cloud)
    #expect(save(.create("a", type: "Note"), &cloud) == nil)
    sign(DatabaseID.publicUser, into: &cloud)
    #expect(save(.create("b", type: "Note"), &cloud) == denied("CREATE"))
    #expect(query(CloudQuery("Note"), &cloud) == .success(["a"]))
    sign("ben", into: &cloud)
    #expect(save(RecordOperation(.forceUpdate, recordName: "a"), &cloud) == denied("WRITE"))
    #expect(save(.delete("a"), &cloud) == denied("WRITE"))
    sign("ann", into: &cloud)
    #expect(save(RecordOperation(.forceUpdate, recordName: "a"), &cloud) == nil)
    #expect(save(.delete("a"), &cloud) == nil)
  }

  @Test func `shows a user of a public database nothing that nobody grants`() throws {
    var cloud = try cloud(isPublic: true)
    let titled = CloudQuery("Diary", where: [CloudQuery.Filter(.equals, .field("title"), .string("x"))])
    for user in ["ann", "ben"] as [Name] {
      sign(user, into: &cloud)
      #expect(save(.create(user, type: "Diary", [.typed("title", .string("x"))]), &cloud) == nil)
      #expect(save(.create("p", type: "Plan"), &cloud) == denied("CREATE"))
    }
    #expect(query(titled, &cloud) == .success(["ben"]))
    guard case .records(let found) = cloud.ask(.lookupRecords(zoneID: .defaultZone, recordNames: ["ann", "ben"])) else {
      Issue.record("no answer to a lookup")
      return
    }
    #expect(found[0].error == denied("READ") && found[1].record?.recordName == "ben")
    sign(DatabaseID.publicUser, into: &cloud)
    #expect(query(titled, &cloud) == .failure(denied("READ")))
  }

  @Test func `permits everything in a private database`() throws {
    var cloud = try cloud()
    #expect(cloud.perform(.create("p", type: "Plan")).error == nil)
    #expect(cloud.record("p") != nil)
    #expect(cloud.perform(.delete("p")).error == nil)
  }

  @Test func `takes query subscriptions of its own types and queryable fields`() throws {
    var cloud = try cloud()
    func code(_ type: Name, _ field: Name?) -> CloudErrorCode? {
      let filters = field.map { [CloudQuery.Filter(.equals, .field($0), .string("x"))] } ?? []
      let watched = QuerySubscription(CloudQuery(type, where: filters), in: .defaultZone, firesOn: [.create])
      let subscription = Subscription(subscriptionID: "s", kind: .query(watched), notificationInfo: nil)
      guard case .subscriptions(let results) = cloud.ask(.modifySubscriptions([.create(subscription)])),
        case .failed(_, let error) = results[0]
      else { return nil }
      return error.code
    }
    #expect(code("Diary", nil) == nil && code("Note", "title") == nil)
    #expect(code("Note", "text") == .invalidArguments && code("None", nil) == .unknownItem)
  }
}
