import Glibc
import Testing
import ZoneKitServer

@Suite struct `a server on a port of this machine` {
  @Test func `refuses a row that a policy forbids, and shows each account its own rows`() async throws {
    let server = try await LocalServer.start(tables: notes)
    let transport = PlainHTTP.transport(to: server.port)
    var (mara, ben) = (NotesClient(transport, key: server.anonKey), NotesClient(transport, key: server.anonKey))
    try await mara.signUp("mara@example.test", password: "secret1")
    try await ben.signUp("ben@example.test", password: "secret2")
    try await mara.add(NotesClient.Note(text: "Call Ben"))
    #expect(try await ben.notes().isEmpty)
    #expect(try await NotesClient(transport, key: server.serviceKey).notes().map(\.text) == ["Call Ben"])
    let nobody = NotesClient(transport, key: server.anonKey)
    await #expect(throws: NotesClient.Refused.self) { try await nobody.add(NotesClient.Note(text: "x")) }
    try await server.stop()
  }

  @Test func `listens no more when it has stopped, leaves no file, and may be stopped twice`() async throws {
    let server = try await LocalServer.start(documents: books)
    let client = BooksClient(PlainHTTP.transport(to: server.port), user: "mara", device: "laptop")
    #expect(try await client.books().isEmpty)
    #expect(server.url == "http://127.0.0.1:\(server.port)")
    #expect(access(server.folder, F_OK) == 0)
    try await server.stop()
    #expect(access(server.folder, F_OK) != 0)
    try await server.stop()
    await #expect(throws: PlainHTTP.NoAnswer.self) { try await client.books() }
  }

  @Test func `has its own rows beside another one`() async throws {
    let (one, other) = (try await LocalServer.start(tables: notes), try await LocalServer.start(tables: notes))
    for server in [one, other] {
      var client = NotesClient(PlainHTTP.transport(to: server.port), key: server.anonKey)
      try await client.signUp("mara@example.test", password: "secret1")
      try await client.add(NotesClient.Note(text: "Call Ben"))
    }
    try await one.stop()
    try await other.stop()
  }

  @Test func `does not start with a wrong declaration, and names its problems`() async throws {
    let tables = await #expect(throws: ServerFailure.self) {
      try await LocalServer.start(tables: "create table notes (id strang);\ncreate table books (id strang);")
    }
    let hasBoth =
      tables?.description.contains("schema.sql:1:") == true && tables?.description.contains("schema.sql:2:") == true
    #expect(hasBoth, "\(tables?.description ?? "")")
    let documents = await #expect(throws: ServerFailure.self) { try await LocalServer.start(documents: "{}") }
    #expect(documents?.description.contains("documents.json:1:") == true, "\(documents?.description ?? "")")
    let missing = await #expect(throws: ServerFailure.self) {
      try await LocalServer.start(tables: .file("no-such-folder/schema.sql"))
    }
    #expect(missing?.description.contains("no-such-folder/schema.sql") == true, "\(missing?.description ?? "")")
  }
}
