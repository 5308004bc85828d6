import Testing
import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `a purge of documents` {
  private static let day: Int64 = 86_400_000
  private var documents = TestDocuments()

  /// A purge of what is older than those days.
  private mutating func purge(
    deleted: Int64 = 30, conflicts: Int64 = 90, tombstones: Int64 = 90, isDryRun: Bool = false
  ) -> DocumentPurgeReport {
    documents.purge(
      DocumentPurge(
        deleted: deleted * Self.day, conflicts: conflicts * Self.day, tombstones: tombstones * Self.day,
        isDryRun: isDryRun, at: documents.now))
  }

  /// Writes a weight, and deletes it that many days later.
  private mutating func makeDeletedWeight(_ id: String = "weight") throws {
    _ = documents.push(Sample.weight(70_000, id: id, at: 0))
    let name = DocumentName("weightLogs", id)
    let stored = documents.tag(name)
    let tag = try #require(stored)
    _ = documents.push(Sample.delete(name, base: .tag(tag), at: 1))
  }

  private mutating func pass(days: Int64) {
    documents.now = documents.now.advanced(byMilliseconds: days * Self.day)
  }

  private var start: DocumentCursor { DocumentCursor(startOf: .documents, .changes) }

  private func report(documents: Int = 0, conflicts: Int = 0, tombstones: Int = 0) -> DocumentPurgeReport {
    var report = DocumentPurgeReport()
    (report.documents, report.conflicts, report.tombstones) = (documents, conflicts, tombstones)
    return report
  }

  @Test mutating func `leaves nothing of a document that was deleted long ago but a tombstone of its version`() throws {
    try makeDeletedWeight()
    _ = documents.push(Sample.weight(71_000, id: "other", at: 2))
    pass(days: 31)
    #expect(purge() == report(documents: 1))
    #expect(documents.document(Sample.weight) == nil)
    #expect(documents.fields(DocumentName("weightLogs", "other")) != nil)
    #expect(try documents.words(from: start) == ["weightLogs other 1", "weightLogs weight 2 gone"])
    #expect(purge() == report())
  }

  @Test mutating func `leaves what was deleted a short time ago, and what is alive`() throws {
    _ = documents.push(Sample.weight(71_000, id: "other", at: 2))
    pass(days: 29)
    try makeDeletedWeight()
    pass(days: 29)
    #expect(purge() == report())
    #expect(documents.fields(Sample.weight)?.isDeleted == true)
    #expect(documents.fields(DocumentName("weightLogs", "other")) != nil)
  }

  @Test mutating func `counts the time since the server took the deletion in, not its stamp`() throws {
    _ = documents.push(Sample.weight(70_000, at: 0))
    let stored = documents.tag(Sample.weight)
    let tag = try #require(stored)
    pass(days: 365)
    _ = documents.push(Sample.delete(Sample.weight, base: .tag(tag), at: 1))
    #expect(purge() == report())
  }

  @Test mutating func `changes nothing in a dry run`() throws {
    try makeDeletedWeight()
    pass(days: 31)
    let before = try documents.pull(from: start)
    #expect(purge(isDryRun: true) == report(documents: 1))
    #expect(try documents.pull(from: start).entries == before.entries)
    #expect(try documents.pull(from: before.cursor).entries.isEmpty)
  }

  @Test mutating func `expires the cursors of clients that did not see the forgotten tombstones`() throws {
    try makeDeletedWeight()
    let cursor = try documents.pull(from: start).cursor
    pass(days: 31)
    _ = purge()
    pass(days: 90)
    #expect(purge() == report())
    #expect(try documents.pull(from: cursor).entries.count == 1)
    pass(days: 1)
    #expect(purge(isDryRun: true) == report(tombstones: 1))
    #expect(purge() == report(tombstones: 1))
    #expect(documents.ask(.pull(DocumentPull(cursor, limit: 200))) == .refused(.expiredCursor))
    #expect(try documents.pull(from: start).entries.isEmpty)
    #expect(documents.push(Sample.weight(72_000, at: 3))?.word == "applied 1")
  }

  @Test mutating func `keeps the data set, so that other clients go on`() throws {
    try makeDeletedWeight()
    _ = documents.push(Sample.weight(71_000, id: "other", at: 2))
    let other = DocumentName("weightLogs", "other")
    let stored = documents.tag(other)
    let tag = try #require(stored)
    pass(days: 31)
    _ = purge()
    let cursor = try documents.pull(from: start).cursor
    pass(days: 91)
    _ = purge()
    #expect(documents.tag(other) == tag)
    #expect(try documents.pull(from: cursor).entries.isEmpty)
  }

  @Test mutating func `takes old conflicts away, in their feed`() throws {
    _ = documents.push(Sample.weight(70_000, at: 5))
    _ = documents.push(Sample.weight(71_000, at: 4), .server, from: "B")
    let journal = DocumentCursor(startOf: .conflicts, .changes)
    #expect(try documents.pull(from: journal).entries.count == 1)
    pass(days: 89)
    #expect(purge() == report())
    pass(days: 2)
    #expect(purge() == report(conflicts: 1))
    #expect(try documents.words(from: journal).map { $0.hasSuffix(" gone") } == [true])
    #expect(documents.fields(Sample.weight)?["weightG"] == .int64(70_000))
  }

  @Test mutating func `of an account without documents does nothing`() {
    #expect(purge() == report())
    documents.caller = Caller(user: "other")
    #expect(purge() == report())
  }
}
