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

/// Books with their pages.
let books: Declaration = """
  {"title": "bookshelf", "type": "object",
   "properties": {"books": {"type": "array", "items": {
     "type": "object", "required": ["title", "pages"],
     "properties": {"title": {"type": "string"}, "pages": {"type": "integer"}}}}}}
  """

@Test func `notes and books are served on a port of this machine`() async throws {
  let server = try await LocalServer.start(tables: notes, documents: books)
  let transport = PlainHTTP.transport(to: server.port)

  var mara = NotesClient(transport, key: server.anonKey)
  try await mara.signUp("mara@example.test", password: "secret1")
  try await mara.add(NotesClient.Note(text: "Call Ben"))
  #expect(try await mara.notes("is_done=is.false").map(\.text) == ["Call Ben"])

  let laptop = BooksClient(transport, user: "mara", device: "laptop")
  #expect(try await laptop.push(BooksClient.Book(title: "Dune", pages: 412), as: "dune") == true)
  #expect(try await laptop.books() == [BooksClient.Book(title: "Dune", pages: 412)])
  try await server.stop()
}
