import Testing
import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `a reading of documents` {
  private let start = DocumentCursor(startOf: .documents, .changes)

  private func filled() -> TestDocuments {
    var test = TestDocuments()
    _ = test.push([Sample.weight(70_000, id: "a", at: 1), Sample.weight(70_000, id: "b", at: 1)])
    _ = test.push(Sample.log(at: 1))
    _ = test.push(Sample.weight(71_000, id: "a", base: .version(1), at: 2, .update))
    _ = test.push(Sample.delete(DocumentName("weightLogs", "b"), base: .version(1), at: 2))
    return test
  }

  private let all = ["foodLogs log 1", "dailySummaries 2026-11-21 1", "weightLogs a 2", "weightLogs b 2 deleted"]

  private func refusal(_ response: DocumentResponse) -> DocumentError.Code? {
    if case .refused(let error) = response { error.code } else { nil }
  }

  @Test(arguments: [1, 2, 3, 200])
  func `has each document once, at its latest, in pages of any size`(limit: Int) throws {
    var test = filled()
    let (entries, cursor) = try test.pull(from: start, limit: limit)
    #expect(entries.map(\.words) == all)
    #expect(try test.words(from: cursor) == [])
    _ = test.push(Sample.delete(DocumentName("weightLogs", "a"), base: .version(2), at: 3, erases: true))
    #expect(try test.words(from: cursor) == ["weightLogs a 2 gone"])
  }

  @Test func `is the same whether its documents were read before or not`() throws {
    var test = filled()
    func read() throws -> [WrittenDocument?] {
      try test.pull(from: start).entries.map { entry in
        if case .document(let document) = entry { document.written } else { nil }
      }
    }
    let first = try read()
    #expect(!first.contains(nil))
    #expect(try read() == first)
    test.forgetKept()
    #expect(try read() == first)
    _ = test.push(Sample.weight(72_000, id: "a", base: .version(2), at: 3, .update))
    let changed = try read()
    #expect(changed.filter { !first.contains($0) }.count == 1)
    test.forgetKept()
    #expect(try read() == changed)
  }

  @Test func `returns only the collections that are asked for, and ends at the end of the feed`() throws {
    var test = filled()
    let weights = DocumentCursor(startOf: .documents, .changes, collections: [1])
    let (entries, cursor) = try test.pull(from: weights, limit: 1)
    #expect(entries.map(\.words) == ["weightLogs a 2", "weightLogs b 2 deleted"])
    _ = test.push(Sample.log("other", day: "2026-11-22", at: 5))
    #expect(try test.words(from: cursor) == [])
  }

  @Test func `leaves out what is older than five minutes before a time`() throws {
    var test = TestDocuments()
    _ = test.push(Sample.weight(70_000, id: "a", at: 1))
    let first = test.now
    test.now = test.now.advanced(byMilliseconds: 10 * 60_000)
    _ = test.push(Sample.weight(70_000, id: "b", at: 1))
    func entries(_ since: WallTime) throws -> [String] {
      try test.words(from: DocumentCursor(startOf: .documents, .changes, since: since))
    }
    #expect(try entries(first.advanced(byMilliseconds: 5 * 60_000)) == ["weightLogs a 1", "weightLogs b 1"])
    #expect(try entries(first.advanced(byMilliseconds: 5 * 60_000 + 1)) == ["weightLogs b 1"])
  }

  @Test func `begins anew after tombstones were purged that its cursor did not see`() throws {
    var test = filled()
    let early = try test.pull(from: start).cursor
    _ = test.push(Sample.delete(DocumentName("weightLogs", "a"), base: .version(2), at: 3, erases: true))
    let late = try test.pull(from: early).cursor
    test.now = test.now.advanced(byMilliseconds: 1_000)
    test.administer(.purgeTombstones(ZoneID(zoneName: "DietLog"), before: test.now))
    #expect(refusal(test.ask(.pull(DocumentPull(early)))) == .cursorExpired)
    #expect(try test.words(from: late) == [])
    let tag = test.tag(Sample.log)
    #expect(tag?.dataset == early.incarnation, "a purge does not begin another data set")
  }

  @Test func `is refused after the documents were deleted, until a push without changes`() throws {
    var test = filled()
    let cursor = try test.pull(from: start).cursor
    test.administer(.purgeZone(ZoneID(zoneName: "DietLog")))
    #expect(refusal(test.ask(.pull(DocumentPull(cursor)))) == .purged)
    #expect(refusal(test.ask(.push(DocumentPush(from: "A", changes: [Sample.weight(1, at: 1)])))) == .purged)
    #expect(refusal(test.ask(.push(DocumentPush(from: "A", changes: [])))) == nil)
    #expect(refusal(test.ask(.pull(DocumentPull(cursor)))) == .datasetChanged)
    #expect(try test.words(from: start) == [])
  }

  @Test func `leaves out records that are no documents`() throws {
    var test = filled()
    let record = RecordOperation(
      .create, recordName: "weightLogs.odd", recordType: "weightLogs",
      fields: [NamedFieldChange("weightG", .set(.int64(5), isTyped: true, isEncrypted: false))])
    test.server.receive(
      .modifyRecords(ModifyRecords(zoneID: ZoneID(zoneName: "DietLog"), operations: [record], isAtomic: false)),
      ticket: Ticket(99), in: test.database, from: test.caller, at: test.now, using: &test.generator)
    _ = test.endTurn()
    #expect(try test.words(from: start) == all)
    #expect(test.document(DocumentName("weightLogs", "odd")) == nil)
    #expect(test.push(Sample.weight(1_000, id: "odd", at: 1))?.word == "bad_document documentId")
  }

  // MARK: Snapshots

  private func pages(
    _ test: inout TestDocuments, includesDeleted: Bool, between: (inout TestDocuments) -> Void = { _ in }
  ) -> (documents: [String], cursor: DocumentCursor?) {
    var page = DocumentCursor(startOf: .documents, .snapshot, includesDeleted: includesDeleted)
    var documents: [String] = []
    while true {
      guard case .snapshot(let answer) = test.ask(.snapshot(DocumentSnapshot(page, limit: 1))) else {
        return (documents, nil)
      }
      documents += answer.documents.map { "\($0.name.collection) \($0.name.id) \($0.version)" }
      guard let next = answer.next else { return (documents, answer.cursor) }
      page = next
      between(&test)
    }
  }

  @Test func `reads a snapshot in pages, with deleted documents on wish`() {
    var test = filled()
    #expect(
      pages(&test, includesDeleted: false).documents
        == ["foodLogs log 1", "dailySummaries 2026-11-21 1", "weightLogs a 2"])
    #expect(pages(&test, includesDeleted: true).documents.last == "weightLogs b 2")
  }

  @Test func `misses nothing that changes while the pages of a snapshot are read`() throws {
    var test = filled()
    var count: Int64 = 0
    let (_, cursor) = pages(&test, includesDeleted: true) { test in
      count += 1
      _ = test.push(Sample.weight(70_000, id: "new-\(count)", at: 1))
    }
    let after = try test.words(from: try #require(cursor))
    #expect(after == (1...count).map { "weightLogs new-\($0) 1" })
  }

  @Test func `refuses the cursor of a snapshot during which a deletion was purged`() throws {
    var test = filled()
    var isFirst = true
    let (_, cursor) = pages(&test, includesDeleted: false) { test in
      guard isFirst else { return }
      isFirst = false
      _ = test.push(Sample.delete(Sample.log, base: .version(1), at: 9, erases: true))
      test.now = test.now.advanced(byMilliseconds: 1_000)
      test.administer(.purgeTombstones(ZoneID(zoneName: "DietLog"), before: test.now))
    }
    if let cursor { #expect(refusal(test.ask(.pull(DocumentPull(cursor)))) == .cursorExpired) }
  }

  @Test func `reads everything at once only if that is little`() {
    var test = filled()
    let whole = DocumentRequest.snapshot(
      DocumentSnapshot(DocumentCursor(startOf: .documents, .snapshot), limit: nil))
    guard case .snapshot(let answer) = test.ask(whole) else {
      Issue.record("it was refused")
      return
    }
    #expect(answer.documents.count == 3 && answer.next == nil && answer.cursor != nil)
    _ = test.push((0..<200).map { Sample.weight(70_000, id: "w\($0)", at: 1) })
    #expect(refusal(test.ask(whole)) == .tooLarge)
  }

  // MARK: Status

  private func status(
    _ test: inout TestDocuments, since position: DocumentPosition?
  ) -> (states: [String], position: DocumentPosition) {
    guard case .status(let answer) = test.ask(.status(since: position)) else {
      return (["refused"], DocumentPosition())
    }
    return (
      answer.feeds.map { "\($0.feed.rawValue) \($0.state.rawValue)" } + (answer.hasMore ? ["more"] : []),
      answer.position
    )
  }

  @Test func `says which feeds changed since a position`() {
    var test = TestDocuments()
    #expect(status(&test, since: nil).states.isEmpty)
    _ = test.push(Sample.weight(70_000, at: 1))
    let (states, first) = status(&test, since: nil)
    #expect(states == ["documents changed"])
    #expect(status(&test, since: first).states.isEmpty)
    _ = test.push(Sample.weight(71_000, base: .version(1), at: 2, .update))
    #expect(status(&test, since: first).states == ["documents changed"])
  }

  @Test func `says how documents went, once`() {
    var test = filled()
    let position = status(&test, since: nil).position
    test.administer(.purgeZone(ZoneID(zoneName: "DietLog")))
    let (states, after) = status(&test, since: position)
    #expect(states == ["documents purged"])
    #expect(status(&test, since: after).states.isEmpty)
    _ = test.ask(.push(DocumentPush(from: "A", changes: [])))
    #expect(status(&test, since: after).states.first == "documents changed")
  }

  @Test func `says how documents went also to a client that asked before they came`() {
    var test = TestDocuments()
    let position = status(&test, since: nil).position
    _ = test.push(Sample.weight(70_000, at: 1))
    test.administer(.purgeZone(ZoneID(zoneName: "DietLog")))
    #expect(status(&test, since: position).states == ["documents purged"])
    #expect(status(&test, since: nil).states.isEmpty)
  }

  @Test func `says reset for another data set, and begins anew`() {
    var test = filled()
    let position = status(&test, since: nil).position
    var other = TestDocuments(seed: 2)
    #expect(status(&other, since: position).states == ["documents reset", "more"])
    _ = other.push(Sample.weight(70_000, at: 1))
    let (states, after) = status(&other, since: position)
    #expect(states == ["documents reset", "more"])
    #expect(status(&other, since: after).states == ["documents changed"])
  }

  @Test(arguments: [true, false])
  func `says once that documents were lost, and that they came again`(isKnown: Bool) {
    var test = isKnown ? filled() : TestDocuments()
    let position = status(&test, since: nil).position
    if !isKnown { test = filled() }
    test.administer(.resetEncryptedData(ZoneID(zoneName: "DietLog")))
    let (states, emptied) = status(&test, since: position)
    #expect(states == ["documents reset", "more"])
    let (rest, after) = status(&test, since: emptied)
    #expect(!rest.contains("documents reset") && !rest.contains("more"))
    #expect(status(&test, since: after).states.isEmpty)
    _ = test.ask(.push(DocumentPush(from: "A", changes: [])))
    #expect(status(&test, since: after).states.first == "documents changed")
  }
}
