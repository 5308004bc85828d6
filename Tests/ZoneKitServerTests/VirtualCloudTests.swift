import Testing
import ZoneKitServer

@Suite struct `a cloud in virtual time` {
  private static let rows =
    "create table notes (id int primary key, text text); insert into notes values (1, 'Call Ben');"
  private static let path = "/rest/v1/notes?select=id,text"

  private func fields(_ cloud: VirtualCloud) -> [String: String] { ["apikey": cloud.serviceKey] }

  private func insert(_ id: Int, into cloud: VirtualCloud) throws -> Int {
    var headers = fields(cloud)
    headers["content-type"] = "application/json"
    return try cloud.send("POST", "/rest/v1/notes", headers: headers, body: Array("{\"id\":\(id)}".utf8)).status
  }

  private func count(_ cloud: VirtualCloud) throws -> Int {
    try cloud.send("GET", Self.path, headers: fields(cloud)).text.count { $0 == "{" }
  }

  @Test func `has the first rows of its schema, and answers as over a connection`() throws {
    let cloud = try VirtualCloud(tables: .text(Self.rows))
    let answer = try cloud.send("GET", Self.path, headers: fields(cloud))
    #expect(answer.text == #"[{"id":1,"text":"Call Ben"}]"#)
    #expect(answer.status == 200 && answer.headers["Content-Range"] == "0-0/*")
    #expect(answer.headers["Content-Type"] == "application/json; charset=utf-8")
    let head = try cloud.send("HEAD", Self.path, headers: fields(cloud))
    #expect(head.status == 200 && head.body.isEmpty && head.headers["Content-Range"] == "0-0/*")
  }

  @Test func `carries a request out whose answer is lost, and not one that is lost itself`() throws {
    let cloud = try VirtualCloud(tables: .text(Self.rows))
    cloud.loseRequest(.insertRows)
    #expect(throws: VirtualCloud.NoAnswer.self) { try insert(2, into: cloud) }
    #expect(try count(cloud) == 1)
    cloud.loseAnswer(.insertRows)
    #expect(throws: VirtualCloud.NoAnswer.self) { try insert(2, into: cloud) }
    #expect(try count(cloud) == 2)
    #expect(try insert(2, into: cloud) == 409)
  }

  @Test func `moves its clock by the delay of an answer`() throws {
    let cloud = try VirtualCloud(tables: .text(Self.rows))
    cloud.delayAnswer(.readRows, by: .seconds(5))
    #expect(try count(cloud) == 1)
    #expect(cloud.elapsed == .seconds(5))
    #expect(try count(cloud) == 1)
    #expect(cloud.elapsed == .seconds(5))
  }

  @Test func `refuses requests with the status of an error, until faults end`() throws {
    let cloud = try VirtualCloud(tables: .text(Self.rows), documents: books)
    cloud.answer(.readRows, with: .requestRateLimited, retryAfter: .seconds(7), next: nil)
    let refused = try cloud.send("GET", Self.path, headers: fields(cloud))
    #expect(refused.status == 429 && refused.headers["Retry-After"] == "7")
    #expect(try insert(2, into: cloud) == 201)
    cloud.answer(.fetchDocuments, with: .serviceUnavailable)
    let full = ["Authorization": "Bearer user:mara", "Content-Type": "application/json"]
    #expect(try cloud.send("POST", "/sync/full", headers: full, body: Array("{}".utf8)).status == 503)
    cloud.endFaults()
    #expect(try count(cloud) == 2)
  }

  @Test func `makes every insert twice if its requests are repeated`() throws {
    let cloud = try VirtualCloud(tables: .text(Self.rows))
    cloud.repeatRequest(.insertRows)
    #expect(try insert(2, into: cloud) == 409)
    #expect(try count(cloud) == 2)
  }

  @Test func `gives the same tokens again for the same seed, and others for another one`() throws {
    func session(_ seed: UInt64) throws -> String {
      let cloud = try VirtualCloud(tables: notes, seed: seed)
      let body = Array(#"{"email":"mara@example.test","password":"secret1"}"#.utf8)
      let headers = ["apikey": cloud.anonKey, "Content-Type": "application/json"]
      return try cloud.send("POST", "/auth/v1/signup", headers: headers, body: body).text
    }
    #expect(try session(1) == session(1))
    #expect(try session(1) != session(2))
  }

  @Test func `refuses what is no request, and what it does not serve`() throws {
    let cloud = try VirtualCloud()
    #expect(try cloud.send("GET", "rest").status == 400)
    #expect(try cloud.send("GET", "/nothing").status == 404)
    #expect(try cloud.send("GET", "/sync/status").status == 404)
    #expect(try cloud.send("GET", "/rest/v1/notes").status == 401)
  }
}
