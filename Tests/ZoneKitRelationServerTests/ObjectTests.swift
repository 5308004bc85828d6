import Testing
import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitTables

@Suite struct `objects of a schema's buckets` {
  private static let mara = "00000000-0000-0000-0000-000000000001"
  private static let eve = "00000000-0000-0000-0000-000000000002"
  private static let schema = """
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
      values ('pictures', 'pictures', true, 10, array['image/*']), ('letters', 'letters', false, null, null);
    create policy s on storage.objects for select
      using (bucket_id = 'pictures' or (storage.foldername(name))[1] = auth.uid()::text);
    create policy i on storage.objects for insert with check ((storage.foldername(name))[1] = auth.uid()::text);
    create policy u on storage.objects for update using (owner = auth.uid());
    create policy d on storage.objects for delete using (owner = auth.uid());
    """

  /// The objects, in memory.
  private struct Objects {
    private var server: RelationServer<MemoryRelationStore>
    private var ids: UInt64 = 0
    private(set) var unused: [String] = []

    init() throws {
      let catalogue = try Catalogue(text: schema)
      let prepared = try PreparedSchema(catalogue)
      var store = MemoryRelationStore()
      store.define(prepared.layouts)
      let context = EvaluationContext(now: 0, role: "service_role", randomUUID: { UUID(high: 0, low: 0) })
      var statements = RowStatements(prepared, on: store, context)
      for seed in catalogue.seeds {
        guard let table = prepared.tables[seed.table] else { continue }
        _ = try statements.insert(seed.rows, into: table)
      }
      store = statements.store
      server = RelationServer(prepared, on: store)
    }

    private func context(_ user: String?) -> EvaluationContext {
      let claims = user.map { JSONBValue.object([JSONBValue.Member("sub", .string($0))]) }
      return EvaluationContext(
        now: 1_000_000, role: user == nil ? "anon" : "authenticated", claims: claims,
        randomUUID: { [ids] in UUID(high: 1, low: ids) })
    }

    mutating func ask(_ request: ObjectRequest, as user: String?) -> ObjectResponse {
      ids += 1
      let outcome = server.carryOut(request, context(user))
      unused = outcome.unused
      return outcome.response
    }

    mutating func put(
      _ path: String, _ hash: String, in bucket: String = "pictures", replaces: Bool = false, as user: String?
    ) -> String {
      let content = ObjectContent(hash: hash, size: 3, contentType: "image/png")
      switch ask(.put(bucket: bucket, path: path, content, replaces: replaces), as: user) {
      case .object(let object): return "\(object.path) \(object.content.hash)"
      case .refused(let error): return error.message
      default: return "another answer"
      }
    }

    mutating func find(
      _ path: String, in bucket: String, by access: ObjectRequest.Access = .caller, as user: String?
    ) -> String {
      switch ask(.find(bucket: bucket, path: path, by: access), as: user) {
      case .object(let object): object.content.hash
      case .refused(let error): error.message
      default: "another answer"
      }
    }

    func refusal(_ content: ObjectContent, in bucket: String) -> String? {
      server.refusal(ofUploadTo: "a", in: bucket, content, context(nil))?.message
    }
  }

  @Test func `are put, replaced and removed as policies say`() throws {
    var objects = try Objects()
    #expect(objects.put("\(Self.mara)/a", "h1", as: Self.mara) == "\(Self.mara)/a h1")
    #expect(objects.put("\(Self.eve)/a", "h2", as: Self.mara) == "new row violates row-level security policy")
    #expect(objects.unused == ["h2"])
    #expect(objects.put("\(Self.mara)/a", "h3", as: Self.mara) == "The resource already exists")
    #expect(
      objects.put("\(Self.mara)/a", "h3", replaces: true, as: Self.eve) == "new row violates row-level security policy")
    #expect(objects.put("\(Self.mara)/a", "h3", replaces: true, as: Self.mara) == "\(Self.mara)/a h3")
    #expect(objects.unused == ["h1"])
    #expect(objects.ask(.remove(bucket: "pictures", paths: ["\(Self.mara)/a"]), as: Self.eve) == .removed([]))
    guard
      case .removed(let removed) = objects.ask(
        .remove(bucket: "pictures", paths: ["\(Self.mara)/a", "x"]), as: Self.mara)
    else {
      Issue.record("nothing was removed")
      return
    }
    #expect(removed.map(\.path) == ["\(Self.mara)/a"])
    #expect(objects.unused == ["h3"])
  }

  @Test func `keep bytes that another object has too`() throws {
    var objects = try Objects()
    _ = objects.put("\(Self.mara)/a", "same", as: Self.mara)
    _ = objects.put("\(Self.mara)/b", "same", as: Self.mara)
    _ = objects.ask(.remove(bucket: "pictures", paths: ["\(Self.mara)/a"]), as: Self.mara)
    #expect(objects.unused == [])
    _ = objects.ask(.remove(bucket: "pictures", paths: ["\(Self.mara)/b"]), as: Self.mara)
    #expect(objects.unused == ["same"])
  }

  @Test func `are read by those whom policies show them, by everyone in public buckets, and by links`() throws {
    var objects = try Objects()
    let path = "\(Self.mara)/2026/a"
    _ = objects.put(path, "h", in: "letters", as: Self.mara)
    _ = objects.put(path, "p", in: "pictures", as: Self.mara)
    #expect(objects.find(path, in: "letters", as: Self.mara) == "h")
    #expect(objects.find(path, in: "letters", as: Self.eve) == "Object not found")
    #expect(objects.find(path, in: "letters", by: .everyone, as: nil) == "Bucket not found")
    #expect(objects.find(path, in: "letters", by: .link, as: nil) == "h")
    #expect(objects.find(path, in: "pictures", by: .everyone, as: nil) == "p")
    #expect(objects.find(path, in: "none", as: Self.mara) == "Bucket not found")
    func names(_ folder: String, as user: String) -> [String] {
      guard case .listed(let entries) = objects.ask(.list(bucket: "letters", ObjectListing(folder: folder)), as: user)
      else { return ["no list"] }
      return entries.map(\.name)
    }
    #expect(names(Self.mara, as: Self.mara) == ["2026"])
    #expect(names("\(Self.mara)/2026", as: Self.mara) == ["a"])
    #expect(names("\(Self.mara)/2026", as: Self.eve) == [])
    #expect(names("\(Self.mara)/20", as: Self.mara) == [])
  }

  @Test func `have the size and the kind that their bucket allows`() throws {
    let objects = try Objects()
    let large = ObjectContent(hash: "h", size: 11, contentType: "image/png")
    let text = ObjectContent(hash: "h", size: 1, contentType: "text/plain")
    #expect(objects.refusal(large, in: "pictures") == "The object exceeded the maximum allowed size")
    #expect(objects.refusal(text, in: "pictures") == "mime type text/plain is not supported")
    #expect(objects.refusal(text, in: "letters") == nil)
    #expect(objects.refusal(large, in: "letters") == nil)
  }
}
