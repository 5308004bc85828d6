import Testing
import ZoneKitCloud
@testable import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `a reading of documents by time` {
  /// The IDs that a client without a cursor gets, and the number of its requests.
  private func read(
    _ test: inout TestDocuments, since start: WallTime = .earliestWritable, limit: Int = 200
  ) -> (ids: Set<String>, requests: Int) {
    var (ids, since, requests): (Set<String>, WallTime, Int) = ([], start, 0)
    while requests < 100 {
      requests += 1
      let cursor = DocumentCursor(startOf: .documents, .changes, since: since)
      guard case .pulled(let page) = test.ask(.pull(DocumentPull(cursor, limit: limit))) else { break }
      for case .document(let document) in page.entries { ids.insert(document.name.id) }
      since = page.at
      if !page.hasMore { break }
    }
    return (ids, requests)
  }

  private func fill(_ test: inout TestDocuments, _ pushes: [Int], apart milliseconds: Int64) {
    var number = 0
    for count in pushes {
      _ = test.push((0..<count).map { Sample.weight(70_000, id: "w\(number + $0)", at: 1) })
      number += count
      test.now = test.now.advanced(byMilliseconds: milliseconds - 10)
    }
  }

  @Test(arguments: [10, 0, 200_000, 600_000])
  func `gets all of many documents, however close their commits are`(apart: Int64) {
    var test = TestDocuments()
    fill(&test, [200, 200, 50], apart: apart)
    let (ids, requests) = read(&test)
    #expect(ids.count == 450)
    #expect(requests <= 4)
  }

  @Test(arguments: [1, 3, 7])
  func `gets all of them in pages that are smaller than a commit`(limit: Int) {
    var test = TestDocuments()
    fill(&test, Array(repeating: 5, count: 12), apart: 10)
    #expect(read(&test, limit: limit).ids.count == 60)
  }

  @Test func `needs as many requests as pages`() {
    var counts: [Int] = []
    for number in [5, 20] {
      var test = TestDocuments()
      fill(&test, Array(repeating: 100, count: number), apart: 10)
      counts.append(read(&test).requests)
    }
    #expect(counts[0] <= 5 && counts[1] <= 20)
  }

  @Test func `begins with what is new, not with the oldest rows`() {
    var test = TestDocuments()
    fill(&test, [200, 200, 3], apart: 600_000)
    let (ids, requests) = read(&test, since: test.now.advanced(byMilliseconds: -600_000))
    #expect(ids == ["w400", "w401", "w402"])
    #expect(requests == 1)
  }

  @Test func `goes beyond the time it has, though more rows than a page are of that time`() {
    var test = TestDocuments()
    _ = test.receive(
      .push(DocumentPush(from: "A", changes: (0..<200).map { Sample.weight(1_000, id: "a\($0)", at: 1) })))
    _ = test.receive(
      .push(DocumentPush(from: "A", changes: (0..<200).map { Sample.weight(1_000, id: "b\($0)", at: 1) })))
    _ = test.endTurn()
    fill(&test, [5], apart: 10)
    #expect(read(&test, limit: 50).ids.count == 405)
  }
}

@Suite struct `a reading of documents by name` {
  private let large = (0..<100).map { Sample.item("i\(100 + $0)", String(repeating: "N", count: 190), at: 1) }

  private func found(_ lookup: DocumentLookup, _ test: inout TestDocuments) throws -> LookupAnswer {
    let response = test.ask(.lookup(lookup))
    guard case .found(let answer) = response else { throw Unexpected(response: response) }
    return answer
  }

  @Test func `has an answer of a bounded size, and goes on behind it`() throws {
    var test = TestDocuments()
    for start in stride(from: 0, to: 150, by: 50) {
      _ = test.push((start..<start + 50).map { Sample.log("l\($0)", large, at: 1) })
    }
    let names = (0..<150).map { DocumentName("foodLogs", "l\($0)") } + [DocumentName("foodLogs", "none")]
    var (lookup, ids, answers) = (DocumentLookup(names), [String](), 0)
    while true {
      let answer = try found(lookup, &test)
      answers += 1
      ids += answer.documents.map(\.name.id)
      #expect(answer.documents.reduce(0) { $0 + $1.content.utf8.count } <= AnswerSize.limit / 4 + 65_536)
      guard let next = answer.next else {
        #expect(answer.missing == names.suffix(1))
        break
      }
      #expect(next > lookup.start)
      #expect(answer.missing.isEmpty)
      lookup.start = next
    }
    #expect(ids == names.dropLast().map(\.id))
    #expect(answers > 1)
  }

  @Test func `finds those of both feeds`() throws {
    var test = TestDocuments()
    _ = test.push(Sample.weight(70_000, at: 5), .server)
    _ = test.push(Sample.weight(71_000, at: 4), .server, from: "B")
    let entries = try test.pull(from: DocumentCursor(startOf: .conflicts, .changes)).entries
    guard case .document(let entry)? = entries.first else { return #expect(Bool(false), "there is an entry") }
    let names = [entry.name, Sample.weight, DocumentName(.conflicts, "none"), Sample.log]
    let answer = try found(DocumentLookup(names), &test)
    #expect(answer.documents.map(\.name) == [entry.name, Sample.weight])
    #expect(answer.missing == [DocumentName(.conflicts, "none"), Sample.log])
    #expect(answer.next == nil)
  }

  @Test func `finds nothing before there is anything`() throws {
    var test = TestDocuments()
    let answer = try found(DocumentLookup([Sample.weight, DocumentName(.conflicts, "none")]), &test)
    #expect(answer.documents.isEmpty && answer.missing.count == 2 && answer.next == nil)
  }

  @Test func `on a device is asked in smaller parts if the answer has only some`() {
    let exchange = DocumentExchange(TestDocuments().app, user: "nanny", deviceID: "A")
    let request = CloudRequest.lookupRecords(
      zoneID: ZoneID(zoneName: "DietLog"), recordNames: ["weightLogs.a", "weightLogs.b"])
    let part = LookupAnswer([], missing: [DocumentName("weightLogs", "a")], at: Sample.time(1), next: 1)
    guard case .failure(let error) = exchange.response(.found(part), to: request) else {
      return #expect(Bool(false), "a part is no answer")
    }
    #expect(error.code == .limitExceeded)
  }
}

@Suite struct `the size of an answer` {
  @Test func `counts documents as they are written`() throws {
    var test = TestDocuments()
    let items = (0..<50).map { Sample.item("i\(10 + $0)", "Oats", at: 1) }
    _ = test.push(Sample.log("log", items, at: 1))
    let found = test.document(Sample.log)
    let document = try #require(found)
    let written = try #require(document.written).members.count
    let result = ChangeResult(of: Sample.log(at: 1), .conflict(.server, document, isChanged: false))
    for response in [
      DocumentResponse.pushed(PushAnswer([result], at: test.now)),
      .found(LookupAnswer([document], missing: [], at: test.now)),
    ] {
      #expect(response.size >= written)
    }
  }
}
