import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitWire

@Suite struct `a request for rows` {
  private static let schema = TableSchema([
    .owned(
      "things",
      [Column("name", .text), Column("count", .int4), Column("is_new", .bool), Column("parent_id", .uuid)]),
    .pairs("pairs", Column("a_id", .uuid), Column("b_id", .uuid)),
  ])

  private func call(_ method: String, _ target: String, _ body: String = "", _ fields: String = "") throws -> RowCall {
    let request = try #require(`a request to accounts`.request(method, "/rest/v1/" + target, body, fields))
    return try RowCall(request, schema: Self.schema)
  }

  private func query(_ text: String) throws -> RowQuery {
    guard case .read(_, let query, _) = try call("GET", "things?" + text).request else { return RowQuery() }
    return query
  }

  private func code(_ method: String, _ target: String, _ body: String = "", _ fields: String = "") -> String? {
    do {
      _ = try call(method, target, body, fields)
      return nil
    } catch let error as RowError {
      return error.kind.code
    } catch {
      return "\(error)"
    }
  }

  @Test(
    arguments: [
      ("name=eq.a", .compare("name", .equal, .text("a"))), ("name=eq.", .compare("name", .equal, .text(""))),
      ("name=eq.null", .compare("name", .equal, .text("null"))),
      ("name=eq.a+b%2Bc", .compare("name", .equal, .text("a b+c"))),
      ("name=eq.%22a,b)%22", .compare("name", .equal, .text("\"a,b)\""))),
      ("count=not.gte.-3", .not(.compare("count", .greaterOrEqual, .int4(-3)))),
      ("name=in.(a,%22b,%5C%22)%22,c%22d)", .isIn("name", [.text("a"), .text("b,\")"), .text("c\"d")])),
      ("count=in.()", .isIn("count", [])), ("name=is.NULL", .test("name", .null)),
      ("is_new=not.is.Unknown", .not(.test("is_new", .unknown))),
      ("name=like.*b_", .like("name", LikePattern("%b_", ignoresCase: false))),
      (
        "or=(name.eq.a,not.and(count.lt.2,name.in.(x,y)),is_new.is.true)",
        .any([
          .compare("name", .equal, .text("a")),
          .not(.all([.compare("count", .less, .int4(2)), .isIn("name", [.text("x"), .text("y")])])),
          .test("is_new", .true),
        ])
      ), ("not.or=(name.eq.%22a,b%22)", .not(.any([.compare("name", .equal, .text("a,b"))]))),
      ("%22name%22=eq.a", .compare("name", .equal, .text("a"))),
    ] as [(String, RowFilter)])
  func `has the conditions of its query`(text: String, filter: RowFilter) throws {
    guard !text.hasPrefix("%22") else { return #expect(code("GET", "things?" + text) == "42703") }
    #expect(try query(text).filters == [filter])
  }

  @Test func `has order, range and columns`() throws {
    let read = try query("select=*&order=name.desc,count.asc.nullsfirst,id&limit=5&offset=2")
    #expect(
      read.order == [
        RowQuery.Order("name", isDescending: true), RowQuery.Order("count", nullsFirst: true), RowQuery.Order(.id),
      ])
    #expect(read.limit == 5 && read.offset == 2)
    #expect(read.selection == .all)
    guard case .columns(let columns) = try query("select=*,id").selection else {
      throw RowError(.unreadableQuery, "all")
    }
    #expect(columns.map(\.name) == Self.schema.tables[0].columns.map(\.name) + [.id])
    #expect(
      try query("select=%22name%22,+n:count::text").selection
        == .columns([RowSelection.Column("name"), RowSelection.Column("count", alias: "n", isText: true)]))
  }

  @Test(arguments: [
    "name=x", "name=near.1", "name=eq", "name=in.(a", "name=in.a", "count=is.3", "or=(name.eq.a", "or=name.eq.a",
    "or=()", "limit=-1", "limit=x", "offset=1.5", "order=name.up", "select=name,", "select=a(*)", "select=name->x",
    "select=count::int", "columns=", "name=is.nullx",
  ])
  func `is refused with the place if its query cannot be read`(text: String) {
    #expect(code("GET", "things?" + text) == "PGRST100")
  }

  @Test func `is refused beyond the limits of conditions, lists and nesting`() throws {
    let limits: [(String, Int, (Int) -> String)] = [
      ("conditions", 200, { Array(repeating: "count=gt.1", count: $0).joined(separator: "&") }),
      ("values", 1_000, { "count=in.(\(Array(repeating: "1", count: $0).joined(separator: ",")))" }),
      (
        "nesting", 8,
        { "and=\(String(repeating: "(and", count: $0 - 1))(count.gt.1\(String(repeating: ")", count: $0))" }
      ),
    ]
    for (name, limit, text) in limits {
      #expect(code("GET", "things?" + text(limit)) == nil, "\(name) at the limit")
      #expect(code("GET", "things?" + text(limit + 1)) == "PGRST100", "\(name) beyond the limit")
    }
  }

  @Test func `has the rows of its body`() throws {
    let body = #"[{"name":"a","count":null},{"count":2,"name":null}]"#
    let merged = try call("POST", "things", body, "Prefer: resolution=merge-duplicates\r\n").request
    let rows = [RowContent(["name": .text("a"), "count": .null]), RowContent(["name": .null, "count": .int4(2)])]
    #expect(merged == .write("things", RowWrite(rows, resolution: .merge)))
    let uneven = #"[{"name":"a","x":1},{}]"#
    let named = try call("POST", "things?columns=%22name%22,count", uneven).request
    #expect(
      named == .write("things", RowWrite([RowContent(["name": .text("a")]), RowContent([:])], resolution: .refuse)))
    #expect(code("POST", "things", #"[{"name":"a"},{}]"#) == "PGRST102")
    #expect(code("POST", "things", "") == "PGRST102" && code("POST", "things", "[1]") == "PGRST102")
    #expect(code("POST", "things", #"{"x":1}"#) == "PGRST204")
    #expect(code("POST", "pairs?on_conflict=b_id,a_id", "[]") == nil)
    #expect(code("POST", "pairs?on_conflict=a_id", "[]") == "42P10")
  }

  @Test func `takes the first preference of a name, and refuses unknown ones only if that is asked`() throws {
    let fields = "Prefer: return=representation, count=exact\r\nPrefer: return=minimal,x=y\r\n"
    let preferences = try call("GET", "things", "", fields).preferences
    #expect(preferences.returning == .representation && preferences.countsRows)
    #expect(preferences.applied == ["return=representation", "count=exact"])
    #expect(code("GET", "things", "", "Prefer: handling=strict, x=y\r\n") == "PGRST122")
    #expect(try call("GET", "things", "", "Prefer: max-affected=3\r\n").demands.rowLimit == nil)
    #expect(try call("GET", "things", "", "Prefer: handling=strict,max-affected=3\r\n").demands.rowLimit == 3)
  }

  @Test func `never traps on any input`() throws {
    var generator = SplitMix64(seed: 5)
    let words = [
      "name", "count", "=", "eq.", "in.", "(", ")", ",", "not.", "and", "or", "&", "\"", "\\", ".", "is.", "null",
      "%22",
      "%5C", "order=", "select=", "limit=", "1", "-", ":", "::text", "*", "%C3%A4", "+", "like.", "%25", "columns=",
      "id",
    ]
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...12, using: &generator)
      let text = (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &generator)] }.joined()
      _ = code(Bool.random(using: &generator) ? "GET" : "DELETE", "things?" + text)
    }
    let pieces = [
      "{", "}", "[", "]", "\"name\"", ":", ",", "null", "1e9", "true", "\"a\"", "\"count\"", "{}", "99999999999",
    ]
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...10, using: &generator)
      let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
      _ = code(Bool.random(using: &generator) ? "POST" : "PATCH", "things?id=eq.x", text)
      _ = code("POST", "things", text)
    }
  }

  @Test func `has an error with four members, texts or null`() throws {
    let reply = HTTPReply(RowError.beyondEnd(offset: 9, count: 4))
    let document = try JSON(parsing: reply.body)
    #expect(document.object?.map(\.key) == ["code", "message", "details", "hint"])
    #expect(document["code"] == "PGRST103" && document["hint"] == .null && reply.status == 416)
    #expect(reply.fields.contains(HTTPField("Content-Range", "*/4")))
    #expect(reply.fields.contains(HTTPField("Proxy-Status", "PostgREST; error=PGRST103")))
    #expect(HTTPReply(RowError(.storeFailed, "x")).fields.contains(HTTPField("Retry-After", "2")))
  }
}
