import Foundation
import Testing
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords

/// The example among the files of documents.
private func readingList() throws -> DocumentApp {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
    path: "../../Diagnostics/Documents")
  let bytes = [UInt8](try Data(contentsOf: folder.appending(path: "reading-list.json").standardizedFileURL))
  return try DocumentSchemaReader.app(bytes, file: "reading-list.json")
}

@Suite struct `documents of one's own` {
  private let app: DocumentApp
  private var test: TestDocuments

  init() throws {
    app = try readingList()
    test = TestDocuments(app: app)
  }

  private let book = DocumentName("books", "dune")
  private let reading = DocumentName("readings", "r1")

  private func change(
    _ name: DocumentName, _ text: String, base: DocumentChange.Base = .none, at second: Int64
  ) -> DocumentChange {
    DocumentChange(
      base == .none ? .create : .update, name, base: base, at: Sample.time(second), data: Sample.data(text))
  }

  /// A document as clients get it, without what the server knows of it.
  private mutating func members(_ name: DocumentName) throws -> String {
    let collection = try #require(app.schema.collection(name.collection))
    let found = test.document(name)
    let document = try #require(found)
    var bytes: [UInt8] = []
    #expect(DocumentWriter(collection, of: app.schema).append(document, to: &bytes))
    // A reader of the bytes gets the same document, in both ways of reading.
    var quick = ServedDocumentReader(collection, of: app.schema)
    let json = try JSON(parsing: bytes)
    if name.collection != "days" {
      #expect(quick.document(bytes.span, 0..<bytes.count, of: "nanny")?.content == document.content)
    }
    #expect(EncodedFields(try DocumentReader(collection, of: app.schema).fields(ofServed: json)) == document.content)
    let own: Set = ["_id", "userId", "version", "tag", "updatedAt", "deletedAt", "deviceId", "committedAt"]
    return JSON.object((json.object ?? []).filter { !own.contains($0.key) }).text()
  }

  @Test mutating func `have numbers, Booleans and times, also in items`() throws {
    let note = #"{"_id":"n","text":"","page":7,"isQuote":true,"createdAt":"2026-01-01T00:00:00Z"}"#
    #expect(
      test.push(
        change(
          book, #"{"name":"Dune","addedAt":"2026-01-01T00:00:00Z","rating":4.50,"isOwned":true,"notes":[\#(note)]}"#,
          at: 1)
      )?.word == "applied 1")
    #expect(
      try members(book)
        == #"{"name":"Dune","author":null,"state":"wanted","rating":4.5,"isOwned":true,"addedAt":"2026-01-01T00:00:00.000Z","#
        + #""notes":[{"_id":"n","text":"","page":7,"isQuote":true,"createdAt":"2026-01-01T00:00:00.000Z","#
        + #""updatedAt":"2023-11-14T22:13:21.000Z","deletedAt":null}],"totals":{}}"#)
    let session =
      #"{"_id":"s","startedAt":"2026-01-02T08:00:00+01:00","pages":30,"minutes":40,"speed":-0.0,"createdAt":"2026-01-01T00:00:00Z"}"#
    #expect(
      test.push(change(reading, #"{"bookId":"dune","day":"2026-01-02","sessions":[\#(session)]}"#, at: 1))?.word
        == "applied 1")
    #expect(
      try members(reading)
        == #"{"bookId":"dune","day":"2026-01-02","sessions":[{"_id":"s","startedAt":"2026-01-02T07:00:00.000Z","pages":30,"#
        + #""minutes":40,"speed":0.0,"isAloud":false,"createdAt":"2026-01-01T00:00:00.000Z","#
        + #""updatedAt":"2023-11-14T22:13:21.000Z","deletedAt":null}],"totals":{"pages":30,"minutes":40}}"#)
    #expect(
      try members(DocumentName("days", "2026-01-02"))
        == #"{"totals":{"pages":30,"minutes":40},"readings":1,"sessions":1}"#)
  }

  @Test(arguments: [
    (#""rating":5.1"#, "bad_document data.rating"), (#""rating":"5""#, "bad_document data.rating"),
    (#""rating":true"#, "bad_document data.rating"), (#""isOwned":1"#, "bad_document data.isOwned"),
    (#""isOwned":"true""#, "bad_document data.isOwned"), (#""author":7"#, "bad_document data.author"),
  ])
  mutating func `of another form are refused`(_ member: String, _ outcome: String) {
    let text = #"{"name":"Dune","addedAt":"2026-01-01T00:00:00Z","notes":[],\#(member)}"#
    #expect(test.push(change(book, text, at: 1))?.word == outcome)
  }

  @Test mutating func `merge item by item`() throws {
    func text(_ items: String...) -> String {
      #"{"bookId":"dune","day":"2026-01-02","sessions":[\#(items.joined(separator: ","))]}"#
    }
    func session(_ id: String, _ pages: Int, at second: Int64) -> String {
      #"{"_id":"\#(id)","pages":\#(pages),"createdAt":"\#(Sample.time(0).iso8601)","updatedAt":"\#(Sample.time(second).iso8601)"}"#
    }
    #expect(test.push(change(reading, text(session("a", 1, at: 0)), at: 1))?.word == "applied 1")
    let base = DocumentChange.Base.version(1)
    let first = change(reading, text(session("a", 1, at: 0), session("b", 10, at: 2)), base: base, at: 2)
    #expect(test.push(first, .server, from: "A")?.word == "applied 2")
    let second = change(reading, text(session("a", 5, at: 3), session("c", 100, at: 3)), base: base, at: 3)
    #expect(test.push(second, .server, from: "B")?.word == "merge 2")
    let merged = change(
      reading, text(session("a", 5, at: 3), session("b", 10, at: 2), session("c", 100, at: 3)), base: .version(2), at: 4
    )
    #expect(test.push(merged, .server, from: "B")?.word == "applied 3")
    #expect(
      try members(DocumentName("days", "2026-01-02"))
        == #"{"totals":{"pages":115,"minutes":0},"readings":1,"sessions":3}"#)
  }

  @Test mutating func `are found by cursors of many collections`() throws {
    let names = (0..<64).map { "c\($0)" }
    let collections = names.map { DocumentCollection(Name($0), [DocumentMember("a", .boolean)]) }
    var app = app
    app.schema = DocumentSchema(collections, summary: nil)
    test = TestDocuments(app: app)
    for name in names {
      #expect(test.push(change(DocumentName(Name(name), "d"), #"{"a":true}"#, at: 1))?.word == "applied 1")
    }
    for chosen in [[0, 7], [8], [1, 63], Set(0..<64)] as [Set<Int>] {
      let start = DocumentCursor(startOf: .documents, .changes, collections: chosen)
      let cursor = try DocumentCursor(start.text, .changes)
      #expect(cursor == start)
      #expect(try test.words(from: cursor) == chosen.sorted().map { "c\($0) d 1" })
    }
  }
}
