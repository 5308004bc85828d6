import Testing
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords

@testable import ZoneKitCloud

@Suite struct `a push in which the client decides` {
  @Test func `makes documents, and counts their versions`() {
    var test = TestDocuments()
    #expect(test.push(Sample.weight(70_000, at: 1))?.word == "applied 1")
    let tag = test.tag(Sample.weight)
    #expect(test.push(Sample.weight(71_000, base: .tag(tag!), at: 2, .update))?.word == "applied 2")
    #expect(test.push(Sample.weight(72_000, base: .version(2), at: 3, .update))?.word == "applied 3")
    #expect(test.fields(Sample.weight)?["weightG"] == .int64(72_000))
  }

  @Test func `takes the same content for applied, with any base`() {
    var test = TestDocuments()
    _ = test.push(Sample.weight(70_000, at: 1))
    for base in [DocumentChange.Base.none, .version(0), .version(9), .tag(test.tag(Sample.weight)!)] {
      #expect(test.push(Sample.weight(70_000, base: base, at: 1, .update))?.word == "unchanged 1")
    }
  }

  @Test func `reports who wins if the base is not current, and stores nothing`() {
    var test = TestDocuments()
    _ = test.push(Sample.weight(70_000, at: 5))
    #expect(test.push(Sample.weight(71_000, base: .version(7), at: 4, .update))?.word == "server_wins 1")
    #expect(test.push(Sample.weight(71_000, at: 6))?.word == "client_wins 1")
    #expect(test.fields(Sample.weight)?["weightG"] == .int64(70_000))
    _ = test.push(Sample.log("log", [Sample.item("a", "Oats", at: 1)], at: 1))
    #expect(test.push(Sample.log("log", [Sample.item("b", "Milk", at: 2)], at: 2))?.word == "merge 1")
  }

  @Test func `of logs names all that it needs, so that it is worked out once`() {
    var test = TestDocuments()
    _ = test.push(Sample.log("old", [Sample.item("a", "Oats", at: 1)], at: 1))
    let push = DocumentPush(
      from: "A", decider: .client,
      changes: [
        Sample.log("log", [Sample.item("b", "Milk", at: 2)], at: 2), Sample.weight(70_000, at: 2),
        Sample.log("old", [Sample.item("c", "Rice", at: 3)], at: 3),
      ])
    guard
      case .submit(let transaction, let database, let sender) = test.documents.receive(
        .push(push), from: test.caller, at: test.now)
    else { return #expect(Bool(false), "a push is submitted") }
    var submission = Submission(
      .transaction(transaction), ticket: Ticket(9), in: database, from: sender, at: test.now,
      limits: test.server.limits)
    guard case .needs(let needs) = test.server.offer(&submission, using: &test.generator) else {
      return #expect(Bool(false), "nothing was read yet")
    }
    test.server.prefetch(needs)
    #expect(test.server.offer(&submission, using: &test.generator) == .taken)
  }

  @Test func `reports a document that the server does not have`() {
    var test = TestDocuments()
    #expect(test.push(Sample.weight(70_000, at: 1, .update))?.word == "client_wins 0")
    #expect(test.push(Sample.weight(70_000, base: .version(3), at: 1))?.word == "client_wins 0")
    #expect(test.push(Sample.weight(70_000, base: .version(0), at: 1))?.word == "applied 1")
  }

  @Test func `deletes with and without the content, and counts on`() {
    var test = TestDocuments()
    _ = test.push(Sample.weight(70_000, at: 1))
    #expect(test.push(Sample.delete(Sample.weight, base: .version(1), at: 2))?.word == "applied 2")
    #expect(test.fields(Sample.weight)?.isDeleted == true)
    #expect(test.fields(Sample.weight)?["weightG"] == .int64(70_000))
    #expect(test.push(Sample.weight(71_000, base: .version(2), at: 3, .update))?.word == "applied 3")
    #expect(test.fields(Sample.weight)?.isDeleted == false)
    #expect(
      test.push(Sample.delete(DocumentName("weightLogs", "none"), base: .version(4), at: 2))?.word == "unchanged 0")
  }

  @Test func `erases only on the current base`() {
    var test = TestDocuments()
    _ = test.push(Sample.weight(70_000, at: 1))
    #expect(test.push(Sample.delete(Sample.weight, base: .version(9), at: 2, erases: true))?.word == "client_wins 1")
    #expect(test.push(Sample.delete(Sample.weight, base: .version(1), at: 2, erases: true))?.word == "applied 1")
    #expect(test.document(Sample.weight) == nil)
    #expect(test.push(Sample.weight(71_000, at: 3))?.word == "applied 2", "a tombstone keeps the version")
  }

  @Test func `refuses the tag of another data set, and not what the tag cannot matter for`() {
    var test = TestDocuments()
    _ = test.push(Sample.weight(70_000, at: 1))
    let other = DocumentTag(dataset: 7, sequence: 1)
    #expect(test.push(Sample.weight(71_000, base: .tag(other), at: 2, .update))?.word == "dataset_changed tag")
    let nothing = DocumentName("weightLogs", "none")
    #expect(test.push(Sample.delete(nothing, base: .tag(other), at: 2))?.word == "unchanged 0")
  }

  @Test func `gives each change a result of its own`() {
    var test = TestDocuments()
    let outcomes = test.push([
      Sample.weight(70_000, at: 1), Sample.weight(71_000, at: 2),
      DocumentChange(.create, DocumentName("cars", "a"), at: Sample.time(1), data: Sample.data("{}")),
      DocumentChange(
        .create, DocumentName("dailySummaries", "2026-11-21"), at: Sample.time(1), data: Sample.data("{}")),
      Sample.log("log", [Sample.item("a", "Oats", at: 1).replacing("\"g\"", with: "\"grams\"")], at: 1),
      DocumentChange(.create, DocumentName("userGoals", "mine"), at: Sample.time(1), data: Sample.data("{}")),
      Sample.weight(70_000, id: "b", at: 1),
    ])
    #expect(
      outcomes.map(\.word) == [
        "applied 1", "duplicate_in_request documentId", "unknown_collection collection",
        "read_only_collection collection", "bad_document data.items[0].unit", "bad_document documentId", "applied 1",
      ])
  }

  @Test func `is refused as a whole if it changes both feeds`() {
    var test = TestDocuments()
    let entry = DocumentChange(.create, DocumentName(.conflicts, "x"), at: Sample.time(1), data: Sample.data("{}"))
    guard
      case .refused(let error) = test.ask(
        .push(DocumentPush(from: "A", changes: [Sample.weight(70_000, at: 1), entry])))
    else {
      Issue.record("it was not refused")
      return
    }
    #expect(error.code == .malformed)
    #expect(test.document(Sample.weight) == nil)
  }
}

@Suite struct `a push in which the server decides` {
  @Test func `stores the later version, and both in the journal`() throws {
    var test = TestDocuments()
    _ = test.push(Sample.weight(70_000, at: 5), .server)
    #expect(test.push(Sample.weight(71_000, at: 4), .server, from: "B")?.word == "server_wins 1")
    #expect(test.push(Sample.weight(72_000, at: 6), .server, from: "B")?.word == "applied 2")
    #expect(try test.words(from: DocumentCursor(startOf: .conflicts, .changes)).count == 2)
  }

  @Test func `leaves items of two clients to the client that came later`() {
    var test = TestDocuments()
    _ = test.push(Sample.log("log", [Sample.item("a", "Oats", at: 1)], at: 1), .server)
    #expect(test.push(Sample.log("log", [Sample.item("b", "Milk", at: 2)], at: 2), .server)?.word == "merge 1")
    let both = [Sample.item("a", "Oats", at: 1), Sample.item("b", "Milk", at: 2)]
    #expect(test.push(Sample.log("log", both, at: 3), .server)?.word == "applied 2")
  }

  @Test func `lifts the time stamps of a change on the current version above what it replaces`() {
    var test = TestDocuments()
    _ = test.push(
      Sample.log("log", [Sample.item("a", "Oats", at: 9), Sample.item("b", "Milk", at: 9)], at: 9), .server)
    let change = Sample.log("log", [Sample.item("a", "Bran", at: 1)], base: .version(1), at: 2, .update)
    #expect(test.push(change, .server)?.word == "applied 2")
    let fields = test.fields(Sample.log)!
    let items = fields.items(in: "items")!
    #expect(fields.editedAt == Sample.time(9).advanced(byMilliseconds: 1))
    #expect(items.map(\.isRemoved) == [false, true], "an item that is not named is removed")
    #expect(items.allSatisfy { $0.updatedAt == Sample.time(9).milliseconds + 1 })
  }

  @Test(arguments: [DocumentChange.Base.none, .version(0), .version(1)])
  func `decides about a document that is made twice by the order, whatever number it names`(
    base: DocumentChange.Base
  ) throws {
    var test = TestDocuments()
    _ = test.push(Sample.weight(70_000, at: 5), .server)
    #expect(test.push(Sample.weight(70_000, base: base, at: 5), .server, from: "B")?.word == "unchanged 1")
    #expect(test.push(Sample.weight(71_000, base: base, at: 4), .server, from: "B")?.word == "server_wins 1")
    #expect(test.fields(Sample.weight)?["weightG"] == .int64(70_000))
    #expect(test.push(Sample.weight(72_000, base: base, at: 6), .server, from: "B")?.word == "applied 2")
    #expect(try test.words(from: DocumentCursor(startOf: .conflicts, .changes)).count == 2)
  }

  @Test func `keeps both versions if a number was reached by counting`() throws {
    var test = TestDocuments()
    func entries() throws -> Int { try test.words(from: DocumentCursor(startOf: .conflicts, .changes)).count }
    let (oats, milk, salt) = (
      Sample.item("a", "Oats", at: 1), Sample.item("b", "Milk", at: 2), Sample.item("c", "Salt", at: 3)
    )
    _ = test.push(Sample.log("log", [oats], at: 1), .server)
    _ = test.push(Sample.log("log", [oats, salt], base: .version(1), at: 3, .update), .server)
    #expect(
      test.push(Sample.log("log", [oats, milk], base: .version(2), at: 9, .update), .server, from: "B")?.word
        == "applied 3")
    #expect(try entries() == 1)
    // Who wrote a version or names its tag has seen it.
    _ = test.push(Sample.log("log", [oats], base: .version(3), at: 10, .update), .server, from: "B")
    let tag = test.tag(Sample.log)
    _ = test.push(Sample.log("log", [], base: .tag(try #require(tag)), at: 11, .update), .server, from: "A")
    // An edit of what is there needs no entry.
    _ = test.push(Sample.log("log", [], notes: "n", base: .version(5), at: 12, .update), .server, from: "B")
    #expect(try entries() == 1)
  }

  @Test func `tells by the time of the last pull whether a client has seen a version`() throws {
    var test = TestDocuments()
    _ = test.push(Sample.weight(70_000, at: 1), .server)
    let committed = test.now
    func push(_ grams: Int, _ version: Int64, at second: Int64, pulled: WallTime, from device: String) {
      test.now = test.now.advanced(byMilliseconds: 10)
      let change = Sample.weight(grams, base: .version(version), at: second, .update)
      _ = test.ask(.push(DocumentPush(from: device, lastPulledAt: pulled, changes: [change])))
    }
    push(71_000, 1, at: 2, pulled: committed, from: "B")
    #expect(try test.words(from: DocumentCursor(startOf: .conflicts, .changes)).isEmpty)
    push(72_000, 2, at: 3, pulled: committed, from: "C")
    #expect(try test.words(from: DocumentCursor(startOf: .conflicts, .changes)).count == 1)
  }

  @Test func `rests on the version whose tag is in the data`() throws {
    var test = TestDocuments()
    _ = test.push(Sample.weight(70_000, at: 1), .server)
    let read = test.tag(Sample.weight)
    let old = try #require(read)
    _ = test.push(Sample.weight(71_000, base: .version(1), at: 9, .update), .server)
    var change = Sample.weight(60_000, base: .version(2), at: 5, .update)
    change.data = change.data.map {
      DocumentData(.object(($0.json.object ?? []) + [JSON.Member("tag", .string(old.text))]))
    }
    #expect(test.push(change, .server, from: "B")?.word == "server_wins 2")
  }

  @Test func `keeps what it erases if the sender may not have seen it`() throws {
    var test = TestDocuments()
    _ = test.push(Sample.weight(70_000, at: 1), .server)
    #expect(
      test.push(Sample.delete(Sample.weight, base: .version(1), at: 2, erases: true), .server, from: "B")?.word
        == "applied 1")
    #expect(try test.words(from: DocumentCursor(startOf: .conflicts, .changes)).count == 1)
  }

  @Test func `keeps a document whose stamps are at the end of all times`() {
    var test = TestDocuments()
    var change = Sample.log("log", [Sample.item("a", "Oats", at: 1)], at: 1)
    change.timestamp = WallTime.documentTimes.upperBound
    _ = test.push(change, .server)
    #expect(
      test.push(Sample.log("log", [], notes: "n", base: .version(1), at: 2, .update), .server)?.word == "applied 2")
    #expect(test.fields(Sample.log)?["notes"] == .string("n"))
  }

  @Test func `makes what the server does not have, with any base`() {
    var test = TestDocuments()
    #expect(test.push(Sample.weight(70_000, base: .version(4), at: 1, .update), .server)?.word == "applied 1")
  }

  @Test func `makes an entry of the journal once`() {
    var test = TestDocuments()
    func entry(_ rule: String) -> DocumentChange {
      DocumentChange(
        .create, DocumentName(.conflicts, "entry"), at: Sample.time(1),
        data: Sample.data(
          #"{"zone":"DietLog","record":"weightLogs.weight","winner":"local","rule":"\#(rule)","#
            + #""decidedAt":"2026-11-21T06:00:00.000Z"}"#))
    }
    #expect(test.push(entry("updatedAt"), .server)?.word == "applied 1")
    #expect(test.push(entry("alive"), .server)?.word == "unchanged 1")
    #expect(test.fields(DocumentName(.conflicts, "entry"))?["rule"] == .string("updatedAt"))
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
  }
}
