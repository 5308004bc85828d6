import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitTableServer
import ZoneKitTables

@Suite struct `a server of objects` {
  private static let app: TableApp = {
    var app = TestRows.app
    app.bucket = ObjectBucket("photos", mediaTypes: ["image/png"], sizeLimit: 100)
    return app
  }()

  private var zones = ZoneServer(store: MemoryZoneStore())
  private var generator = SplitMix64(seed: 1)
  private var now = WallTime(milliseconds: 1_777_878_489_000)
  private let server = ObjectServer(app: app)
  private let mara = RowCaller(.account(TestRows.mara))
  private let ben = RowCaller(.account(TestRows.ben))

  private mutating func ask(_ request: ObjectRequest, from caller: RowCaller? = nil) -> ObjectServer.Answer {
    switch server.receive(request, from: caller ?? mara, at: now) {
    case .answer(let response): return ObjectServer.Answer(response: response)
    case .submit(let transaction, let database, let caller):
      zones.transact(transaction, ticket: Ticket(1), in: database, from: caller, at: now, using: &generator)
      for case .transacted(_, let result) in zones.endTurn(using: &generator) { return server.answer(to: result) }
      return ObjectServer.Answer(response: .refused(.notFound))
    }
  }

  private func path(_ name: String, of account: UUID = TestRows.mara) -> String { "\(account.text)/\(name)" }

  private mutating func put(
    _ name: String, _ hash: String, replaces: Bool = true, from caller: RowCaller? = nil
  ) -> ObjectServer.Answer {
    let content = ObjectContent(hash: hash, size: 9, contentType: "image/png", metadata: "{}")
    return ask(.put(bucket: "photos", path: path(name), content, replaces: replaces), from: caller)
  }

  @Test mutating func `keeps an object with its identifier when it is replaced`() throws {
    let first = try #require(put("a", "1").response.object)
    now = now.advanced(byMilliseconds: 5)
    let second = try #require(put("a", "2").response.object)
    #expect(second.id == first.id && second.createdAt == first.createdAt && second.updatedAt > first.updatedAt)
    #expect(ask(.find(bucket: "photos", path: path("a"))).response == .object(second))
    #expect(put("a", "3", replaces: false).response == .refused(.duplicate))
    #expect(ask(.find(bucket: "photos", path: path("a"))).response == .object(second))
  }

  @Test mutating func `names the bytes that no object has any more`() {
    #expect(put("a", "1").unused.isEmpty && put("b", "1").unused.isEmpty)
    #expect(put("a", "2").unused.isEmpty)
    #expect(put("b", "2").unused == ["1"])
    #expect(put("b", "2").unused.isEmpty)
    #expect(put("b", "3", replaces: false).unused == ["3"])
    #expect(put("b", "2", replaces: false).unused.isEmpty)
    #expect(ask(.remove(bucket: "photos", paths: [path("a")])).unused.isEmpty)
    #expect(ask(.remove(bucket: "photos", paths: [path("b"), path("b")])).unused == ["2"])
  }

  @Test mutating func `shows an account nothing of another one`() throws {
    let object = try #require(put("a", "1").response.object)
    #expect(ask(.find(bucket: "photos", path: path("a")), from: ben).response == .refused(.notFound))
    #expect(ask(.remove(bucket: "photos", paths: [path("a")]), from: ben).response == .removed([]))
    #expect(ask(.sign(bucket: "photos", paths: [path("a")]), from: ben).response == .signable([nil]))
    let listing = ObjectListing(folder: TestRows.mara.text)
    #expect(ask(.list(bucket: "photos", listing), from: ben).response == .listed([]))
    #expect(put("a", "2", from: ben).response == .refused(.notAllowed))
    #expect(put("a", "2", from: RowCaller(.anonymous)).response == .refused(.notAllowed))
    #expect(ask(.find(bucket: "photos", path: path("a")), from: RowCaller(.anonymous)).response == .refused(.notFound))
    #expect(ask(.find(bucket: "photos", path: path("a")), from: RowCaller(.service)).response == .object(object))
  }

  @Test mutating func `lists a folder as that account alone sees it`() {
    for name in ["persons/b", "persons/a", "c"] { _ = put(name, name) }
    func names(_ response: ObjectResponse) -> [String]? {
      if case .listed(let entries) = response { entries.map(\.name) } else { nil }
    }
    let account = TestRows.mara.text
    #expect(names(ask(.list(bucket: "photos", ObjectListing(folder: ""))).response) == [account])
    #expect(
      names(ask(.list(bucket: "photos", ObjectListing(folder: account.uppercased()))).response) == ["c", "persons"])
    let persons = ObjectListing(folder: "\(account)/persons", isDescending: true)
    #expect(names(ask(.list(bucket: "photos", persons)).response) == ["b", "a"])
  }

  @Test func `lists names by their bytes`() {
    func object(_ path: String) -> StoredObject {
      let content = ObjectContent(hash: "1", size: 1, contentType: "image/png")
      let time = WallTime(milliseconds: 1)
      return StoredObject(
        id: UUID(high: 1, low: 1), bucket: "photos", path: path, content: content, createdAt: time, updatedAt: time)
    }
    let objects = ["f/caf\u{e9}/a", "f/cafe\u{301}/b", "f/\u{301}x", "f/x/\u{301}y", "f\u{301}/z"].map(object)
    func names(_ folder: String, search: String = "") -> [[Unicode.Scalar]] {
      ObjectListing(folder: folder, search: search).entries(of: objects).map { Array($0.name.unicodeScalars) }
    }
    func scalars(_ names: String...) -> [[Unicode.Scalar]] { names.map { Array($0.unicodeScalars) } }
    #expect(names("f") == scalars("cafe\u{301}", "caf\u{e9}", "x", "\u{301}x"))
    #expect(names("f/caf\u{e9}") == scalars("a") && names("f/cafe\u{301}") == scalars("b"))
    #expect(names("f/x") == scalars("\u{301}y"))
    #expect(names("f", search: "\u{301}") == scalars("cafe\u{301}", "\u{301}x"))
  }

  @Test(arguments: [
    ("photos", "a", 101, "image/png", ObjectError(.tooLarge, "The object exceeded the maximum allowed size")),
    ("photos", "a", 100, "image/gif", .mediaType("image/gif")), ("videos", "a", 1, "image/png", .noBucket),
    ("photos", "a//b", 1, "image/png", .path("\(TestRows.mara.text)/a//b")),
    ("photos", "caf\u{e9}", 1, "image/png", .path("\(TestRows.mara.text)/caf\u{e9}")),
    ("photos", "a%b", 1, "image/png", .path("\(TestRows.mara.text)/a%b")),
  ])
  mutating func `refuses an upload before its bytes are stored`(
    bucket: String, name: String, size: Int, type: String, error: ObjectError
  ) {
    #expect(server.refusal(ofUploadTo: path(name), in: bucket, size: size, contentType: type, from: mara) == error)
    let content = ObjectContent(hash: "1", size: size, contentType: type)
    let request = ObjectRequest.put(bucket: bucket, path: path(name), content, replaces: true)
    #expect(ask(request).response == .refused(error))
    #expect(server.refusal(ofUploadTo: path("a"), in: "photos", size: 100, contentType: "image/png", from: mara) == nil)
  }
}

extension ObjectResponse {
  fileprivate var object: StoredObject? { if case .object(let object) = self { object } else { nil } }
}
