import Testing
import ZoneKitServer

/// Notes that their owners alone see.
let notes: Declaration = """
  create table notes (
    id uuid primary key default gen_random_uuid(),
    owner uuid not null default auth.uid() references auth.users on delete cascade,
    text text not null unique,
    is_done boolean not null default false);
  alter table notes enable row level security;
  create policy own on notes for all to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
  """

@Test func `a note is seen by its owner alone, until her session ends`() async throws {
  let cloud = try VirtualCloud(tables: notes)
  var (mara, ben) = (NotesClient(cloud.transport, key: cloud.anonKey), NotesClient(cloud.transport, key: cloud.anonKey))
  try await mara.signUp("mara@example.test", password: "secret1")
  try await ben.signUp("ben@example.test", password: "secret2")
  try await mara.add(NotesClient.Note(text: "Call Ben"))
  #expect(try await mara.notes("is_done=is.false").map(\.text) == ["Call Ben"])
  #expect(try await ben.notes().isEmpty)

  cloud.advance(by: .seconds(2 * 3_600))
  await #expect(throws: NotesClient.Refused(status: 401, message: "JWT expired")) { try await mara.notes() }
}

/// Books with their pages.
let books: Declaration = """
  {"title": "bookshelf", "type": "object",
   "properties": {"books": {"type": "array", "items": {
     "type": "object", "required": ["title", "pages"],
     "properties": {"title": {"type": "string"}, "pages": {"type": "integer"}}}}}}
  """

@Test func `a book whose answer is lost is sent again, and is there once`() async throws {
  let cloud = try VirtualCloud(documents: books)
  let laptop = BooksClient(cloud.transport, user: "mara", device: "laptop")
  cloud.loseAnswer(.pushDocuments)
  let dune = BooksClient.Book(title: "Dune", pages: 412)
  #expect(try await laptop.push(dune, as: "dune") == false)
  #expect(try await laptop.books() == [dune])
}

@Test func `notes and books are served on a port of this machine too`() async throws {
  let server = try await LocalServer.start(tables: notes, documents: books)
  let transport = PlainHTTP.transport(to: server.port)
  var mara = NotesClient(transport, key: server.anonKey)
  try await mara.signUp("mara@example.test", password: "secret1")
  try await mara.add(NotesClient.Note(text: "Call Ben"))
  #expect(try await mara.notes("is_done=is.false").map(\.text) == ["Call Ben"])

  let laptop = BooksClient(transport, user: "mara", device: "laptop")
  #expect(try await laptop.push(BooksClient.Book(title: "Dune", pages: 412), as: "dune") == true)
  try await server.stop()
}
