import Testing
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitRecords

@testable import ZoneKitWire

@Suite struct `a request for documents` {
  static let app = DietLog.documents

  /// A request as a client writes it.
  static func http(
    _ method: String, _ target: String, _ body: String = "", _ fields: [(String, String)] = [],
    user: String? = "user:nanny"
  ) throws -> HTTPRequest {
    var all = fields.map { HTTPField($0.0, $0.1) }
    if let user { all.append(HTTPField("Authorization", "Bearer \(user)")) }
    var reader = HTTPRequestReader()
    let head = (["\(method) \(target) HTTP/1.1", "Host: h"] + all.map { "\($0.name): \($0.value)" })
      .joined(separator: "\r\n")
    let bytes = Array("\(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    return try #require(reader.receive(bytes).first?.request)
  }

  static func call(_ http: HTTPRequest, _ mode: Authentication.Mode = .open) throws(DocumentRefusal) -> DocumentCall {
    try DocumentCall(http, app: app, access: DocumentAccess(mode: mode))
  }

  private func asked(_ method: String, _ target: String, _ body: String = "") throws -> DocumentRequest {
    try Self.call(Self.http(method, target, body)).request
  }

  private func refusal(of http: HTTPRequest, _ mode: Authentication.Mode = .open) -> DocumentRefusal? {
    do throws(DocumentRefusal) {
      _ = try Self.call(http, mode)
      return nil
    } catch {
      return error
    }
  }

  private func problem(_ method: String, _ target: String, _ body: String = "") throws -> String? {
    refusal(of: try Self.http(method, target, body)).map { "\($0.error.code.rawValue) \($0.error.path ?? "")" }
  }

  // MARK: Who asks

  @Test func `names its account percent-encoded, and its device in the query`() throws {
    let call = try Self.call(Self.http("GET", "/sync/status?device=A-1", user: "user:Zo%C3%AB%20M%3A1"))
    #expect(call.caller == Caller(user: "Zoë M:1", deviceID: "A-1"))
    let small = try Self.call(Self.http("GET", "/sync/status", "", [("authorization", "bearer user:a")], user: nil))
    #expect(small.caller == Caller(user: "a"))
  }

  @Test func `of a push is that of the device in its body`() throws {
    let call = try Self.call(Self.http("POST", "/sync/push?device=other", #"{"deviceId":"A","changes":[]}"#))
    #expect(call.caller.deviceID == "A")
  }

  @Test(arguments: [nil, "nanny", "user:", "user:%FF", "user:%2", "user:\(String(repeating: "a", count: 256))"])
  func `without a usable account is refused`(user: String?) throws {
    let refusal = refusal(of: try Self.http("GET", "/sync/status", user: user))
    #expect(refusal?.error.code == (user == nil ? .unauthenticated : .badToken))
  }

  @Test func `needs the key of an app where the server is strict`() throws {
    let digits = String(repeating: "0aF9", count: 16)
    for (key, isRefused) in [(digits, false), ("0\(digits)", true), (String(repeating: "g", count: 64), true)] {
      let http = try Self.http("GET", "/sync/status", "", [("Api-Key", key)])
      #expect((refusal(of: http, .strict)?.error.code == .badToken) == isRefused)
    }
    #expect(refusal(of: try Self.http("GET", "/sync/status"), .strict)?.error.code == .badToken)
  }

  // MARK: Paths and bodies

  @Test func `with a wrong path or method is refused before its account is looked at`() throws {
    #expect(refusal(of: try Self.http("GET", "/sync/pull/", user: nil))?.error.code == .notFound)
    for method in ["HEAD", "TRACE", "PUT", "POST"] {
      let refusal = refusal(of: try Self.http(method, "/sync/pull", user: nil))
      #expect(refusal?.error.code == .methodNotAllowed)
      #expect(refusal?.allowedMethods == ["GET", "OPTIONS"])
    }
    #expect(refusal(of: try Self.http("GET", "/sync/push"))?.allowedMethods == ["POST", "OPTIONS"])
  }

  @Test(
    arguments: [
      ("Content-Type", "text/plain", true), ("Content-Type", "Application/JSON ; charset=utf-8", false),
      ("Content-Encoding", "gzip", true), ("Content-Encoding", "Identity", false),
    ])
  func `has a body in plain JSON`(name: String, value: String, isRefused: Bool) throws {
    let http = try Self.http("POST", "/sync/full", "{}", [(name, value)])
    #expect((refusal(of: http)?.error.code == .unsupportedMediaType) == isRefused)
  }

  @Test func `of another version of the schema gets the supported ones`() throws {
    #expect(try problem("GET", "/sync/status?schema=2") == "schema_mismatch schema")
    #expect(try problem("GET", "/sync/status?schema=1.0") == nil)
    #expect(try problem("GET", "/sync/status?schema=new") == "malformed schema")
    #expect(try problem("GET", "/sync/status?device=a.b") == "malformed device")
  }

  // MARK: Pull and status

  @Test func `for changes has a feed, collections, a time and a limit`() throws {
    let target = "/sync/pull?collections=weightLogs,foodLogs&since=1970-01-01T00:00:01Z&limit=2.0&other=x"
    let start = DocumentCursor(
      startOf: .documents, .changes, collections: [0, 1], since: WallTime(milliseconds: 1_000))
    #expect(try asked("GET", target) == .pull(DocumentPull(start, limit: 2)))
    let conflicts = DocumentCursor(startOf: .conflicts, .changes)
    #expect(try asked("GET", "/sync/pull?feed=conflicts") == .pull(DocumentPull(conflicts)))
  }

  @Test func `for changes behind a cursor ignores everything but the limit`() throws {
    var cursor = DocumentCursor(startOf: .conflicts, .changes)
    cursor.position = 7
    let target = "/sync/pull?cursor=\(cursor.text)&limit=3&feed=none&collections=&since=x"
    #expect(try asked("GET", target) == .pull(DocumentPull(cursor, limit: 3)))
  }

  @Test(
    arguments: [
      ("feed=all", "malformed feed"), ("limit=0", "malformed limit"), ("limit=201", "malformed limit"),
      ("limit=1.5", "malformed limit"), ("limit=%201", "malformed limit"), ("since=2026-11-21", "malformed since"),
      ("since=2200-13-01T00:00:00Z", "malformed since"), ("collections=", "malformed collections"),
      ("collections=foodLogs,conflicts", "malformed collections"), ("cursor=", "cursor_expired cursor"),
      ("collections=foodLogs,foodLogs", "malformed collections"), ("cursor=abc", "cursor_expired cursor"),
      ("limit=%FF", "malformed "),
    ])
  func `for changes with a wrong member is refused`(query: String, problem: String) throws {
    #expect(try self.problem("GET", "/sync/pull?\(query)") == problem)
  }

  @Test func `with a cursor of another kind is malformed, and with an unreadable one expired`() throws {
    let position = DocumentPosition([.documents: .init(dataset: 1, sequence: 2)])
    let page = DocumentCursor(startOf: .documents, .snapshot)
    let cursor = DocumentCursor(startOf: .documents, .changes)
    #expect(try asked("GET", "/sync/status?since=\(position.text)") == .status(since: position))
    #expect(try asked("GET", "/sync/status") == .status(since: nil))
    #expect(try problem("GET", "/sync/status?since=\(cursor.text)") == "malformed since")
    #expect(try problem("GET", "/sync/status?since=x") == "cursor_expired since")
    #expect(try problem("GET", "/sync/pull?cursor=\(page.text)") == "malformed cursor")
    #expect(try problem("POST", "/sync/full", #"{"page":"\#(cursor.text)"}"#) == "malformed page")
  }

  // MARK: Full

  @Test func `for all documents may have no body`() throws {
    let start = DocumentCursor(startOf: .documents, .snapshot)
    for body in ["", "{}", #"{"deleted":false,"other":1}"#] {
      #expect(try asked("POST", "/sync/full", body) == .snapshot(DocumentSnapshot(start, limit: nil)))
    }
  }

  @Test func `for documents names them before a page, and a page carries all but the limit`() throws {
    var page = DocumentCursor(startOf: .documents, .snapshot, includesDeleted: true)
    page.end = 9
    let place = #""page":"\#(page.text)","feed":"conflicts""#
    #expect(try asked("POST", "/sync/full", "{\(place)}") == .snapshot(DocumentSnapshot(page, limit: 200)))
    #expect(
      try asked("POST", "/sync/full", #"{\#(place),"limit":5}"#) == .snapshot(DocumentSnapshot(page, limit: 5)))
    let named = #"{\#(place),"documents":[{"collection":"foodLogs","documentId":"a"}]}"#
    #expect(try asked("POST", "/sync/full", named) == .lookup(DocumentLookup([DocumentName("foodLogs", "a")])))
    let start = DocumentCursor(startOf: .documents, .snapshot, collections: [2], includesDeleted: true)
    let chosen = #"{"collections":["userGoals"],"deleted":true,"limit":1}"#
    #expect(try asked("POST", "/sync/full", chosen) == .snapshot(DocumentSnapshot(start, limit: 1)))
  }

  @Test(
    arguments: [
      ("[]", "malformed "), ("{", "malformed "), (#"{"feed":"x"}"#, "malformed feed"),
      (#"{"limit":null}"#, "malformed limit"), (#"{"limit":201}"#, "malformed limit"),
      (#"{"deleted":1}"#, "malformed deleted"), (#"{"collections":[]}"#, "malformed collections"),
      (#"{"collections":["x"]}"#, "malformed collections"), (#"{"documents":{}}"#, "malformed documents"),
      (#"{"documents":[{"collection":"a","documentId":"."}]}"#, "malformed documents[0].documentId"),
      (#"{"documents":[1]}"#, "malformed documents[0]"),
      (String(repeating: "[", count: 65) + String(repeating: "]", count: 65), "malformed "),
    ])
  func `for all documents with a wrong body is refused`(body: String, problem: String) throws {
    #expect(try self.problem("POST", "/sync/full", body) == problem)
  }

  // MARK: Push

  private static let change =
    #"{"collection":"foodLogs","operation":"update","documentId":"a","timestamp":"1970-01-01T00:00:01.5+00:00""#

  private func push(_ change: String, _ more: String = "") -> String {
    #"{"deviceId":"A","changes":[\#(change)]\#(more)}"#
  }

  @Test func `with changes has their bases, data and names`() throws {
    let tag = DocumentTag(dataset: 0x9f3c, sequence: 912)
    let body = push(
      "\(Self.change),\"version\":3.0,\"tag\":\"\(tag.text)\",\"changeId\":\"A:1\",\"data\":{\"b\":1,\"a\":2}},"
        + "\(Self.change),\"version\":0,\"data\":null,\"erase\":true,\"unknown\":[]},\(Self.change)}",
      #","onConflict":"report","lastPulledAt":"1970-01-01T00:00:00Z""#)
    let time = WallTime(milliseconds: 1_500)
    let name = DocumentName("foodLogs", "a")
    let expected = [
      DocumentChange(
        .update, name, base: .tag(tag), version: 3, at: time, data: DocumentData(["a": 2, "b": 1]), changeID: "A:1"),
      DocumentChange(.update, name, base: .version(0), version: 0, at: time, erases: true),
      DocumentChange(.update, name, at: time),
    ]
    let push = DocumentPush(
      from: "A", decider: .client, lastPulledAt: WallTime(milliseconds: 0), changes: expected)
    #expect(try asked("POST", "/sync/push", body) == .push(push))
  }

  @Test func `without changes is a push of nothing`() throws {
    let body = #"{"deviceId":"A","changes":[],"lastPulledAt":null}"#
    #expect(try asked("POST", "/sync/push", body) == .push(DocumentPush(from: "A", changes: [])))
  }

  @Test(
    arguments: [
      ("", "", "malformed changes[0].collection"), (#","collection":"a.b""#, "", "malformed changes[0].collection"),
      (#","operation":"upsert""#, "", "malformed changes[0].operation"),
      (#","documentId":"""#, "", "malformed changes[0].documentId"),
      (#","timestamp":"2026-11-21""#, "", "malformed changes[0].timestamp"),
      (#","version":-1"#, "", "malformed changes[0].version"),
      (#","version":9007199254740992"#, "", "malformed changes[0].version"),
      (#","tag":null"#, "", "malformed changes[0].tag"), (#","tag":"1-1""#, "", "malformed changes[0].tag"),
      (#","data":[]"#, "", "malformed changes[0].data"), (#","erase":0"#, "", "malformed changes[0].erase"),
      (
        #","changeId":"\#(String(repeating: "é", count: 81))""#, "", "malformed changes[0].changeId"
      ), (#","version":1"#, #","onConflict":"client""#, "malformed onConflict"),
      (#","version":1"#, #","lastPulledAt":7"#, "malformed lastPulledAt"),
    ])
  func `with a member of a wrong kind is refused as a whole`(member: String, more: String, problem: String) throws {
    let change = member.isEmpty ? "{}" : "\(Self.change)\(member)}"
    #expect(try self.problem("POST", "/sync/push", push(change, more)) == problem)
  }

  @Test func `needs a device and a list of at most 200 changes`() throws {
    #expect(try problem("POST", "/sync/push", #"{"changes":[]}"#) == "malformed deviceId")
    #expect(try problem("POST", "/sync/push", #"{"deviceId":"A"}"#) == "malformed changes")
    #expect(try problem("POST", "/sync/push", #"{"deviceId":"A","changes":[1]}"#) == "malformed changes[0]")
    func changes(_ count: Int) -> String { Array(repeating: "\(Self.change)}", count: count).joined(separator: ",") }
    #expect(try problem("POST", "/sync/push", push(changes(200))) == nil)
    #expect(try problem("POST", "/sync/push", push(changes(201))) == "too_large changes")
  }

  @Test(arguments: 0..<10)
  func `with any bytes is read or refused`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let body = Array(
      push("\(Self.change),\"data\":{\"items\":[{}]},\"tag\":\"00000000000000ff-12\"}", #","lastPulledAt":null"#).utf8)
    for _ in 0..<300 {
      var bytes = body
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      var http = try Self.http("POST", "/sync/\(Bool.random(using: &random) ? "push" : "full")")
      http.body = bytes
      if let refusal = refusal(of: http) { #expect([.malformed, .cursorExpired].contains(refusal.error.code)) }
    }
  }
}
