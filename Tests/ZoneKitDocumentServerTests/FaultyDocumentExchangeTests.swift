import Testing
import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `a request for documents that a fault hits` {
  private let full = CloudError(.quotaExceeded, "the cloud is full")
  private let start = DocumentCursor(startOf: .documents, .changes)

  /// Answers a request through a plan with one fault; nil if there is no answer.
  private func ask(
    _ request: DocumentRequest, _ test: inout TestDocuments, _ fault: Fault
  ) -> DocumentResponse? {
    var plan = FaultPlan()
    plan.add(fault)
    let verdict = plan.verdict(
      on: request.cloudRequest(of: test.app), from: test.caller, in: test.database, using: &test.generator)
    guard case .faulty(let exchange) = verdict else { return test.ask(request) }
    let faulty = FaultyDocumentExchange(request, exchange, of: test.app)
    var response: DocumentResponse?
    if let request = faulty.request {
      for _ in 1...faulty.applications {
        response = test.ask(request, visibleDelay: faulty.visibleDelayMilliseconds)
      }
    }
    return faulty.answer(to: response, at: test.now)
  }

  private func push(_ ids: [String]) -> DocumentRequest {
    .push(DocumentPush(from: "A", changes: ids.map { Sample.weight(70_000, id: $0, at: 1) }))
  }

  private func words(_ response: DocumentResponse?) -> [String] {
    guard case .pushed(let answer)? = response else { return [] }
    return answer.results.map { "\($0.name.id) \($0.outcome.word)" }
  }

  private func code(_ response: DocumentResponse?) -> DocumentError.Code? {
    if case .refused(let error)? = response { error.code } else { nil }
  }

  @Test func `leaves refused changes out, and answers in the order of what was asked`() {
    var test = TestDocuments()
    let fault = Fault(.refuseItems(full), on: FaultScope(.saveRecords, recordNames: ["weightLogs.b"]))
    #expect(words(ask(push(["a", "b", "c"]), &test, fault)) == ["a applied 1", "b quota_exceeded ", "c applied 1"])
    #expect(words(ask(push(["b"]), &test, fault)) == ["b quota_exceeded "])
    #expect(test.document(DocumentName("weightLogs", "b")) == nil)
  }

  @Test func `is carried out as often as it arrives, and answered only if the answer does`() {
    var test = TestDocuments()
    #expect(words(ask(push(["a"]), &test, Fault(.repeatRequest))) == ["a unchanged 1"])
    #expect(ask(push(["b"]), &test, Fault(.loseAnswer)) == nil)
    #expect(test.document(DocumentName("weightLogs", "b")) != nil)
    #expect(ask(push(["c"]), &test, Fault(.loseRequest)) == nil)
    #expect(test.document(DocumentName("weightLogs", "c")) == nil)
  }

  @Test func `is hit by faults of what it does`() {
    var test = TestDocuments()
    _ = test.ask(push(["a"]))
    let name = DocumentName("weightLogs", "a")
    let requests: [(RequestKind, DocumentRequest)] = [
      (.saveRecords, push(["b"])), (.modifyZones, push([])), (.fetchZoneChanges, .pull(DocumentPull(start))),
      (
        .fetchZoneChanges,
        .snapshot(DocumentSnapshot(DocumentCursor(startOf: .documents, .snapshot), limit: nil))
      ), (.lookupRecords, .lookup(DocumentLookup([name]))), (.fetchDatabaseChanges, .status(since: nil)),
      (
        .deleteRecords,
        .push(DocumentPush(from: "A", changes: [Sample.delete(name, base: .version(1), at: 2, erases: true)]))
      ),
    ]
    for (kind, request) in requests {
      #expect(code(ask(request, &test, Fault(.refuse(full), on: FaultScope(kind)))) == .quotaExceeded, "\(kind)")
    }
    for (kind, request) in requests[1...5] {
      #expect(code(ask(request, &test, Fault(.refuseItems(full), on: FaultScope(kind)))) == .quotaExceeded, "\(kind)")
    }
  }

  @Test func `gets a page without documents, or with some of them twice`() {
    var test = TestDocuments()
    _ = test.ask(push(["a", "b"]))
    let scope = FaultScope(recordNames: ["weightLogs.a"])
    func ids(_ action: FaultAction) -> [String] {
      guard case .pulled(let page)? = ask(.pull(DocumentPull(start)), &test, Fault(action, on: scope)) else {
        return []
      }
      return page.entries.map(\.words)
    }
    #expect(ids(.omitRecords) == ["weightLogs b 1"])
    #expect(ids(.doubleRecords) == ["weightLogs a 1", "weightLogs a 1", "weightLogs b 1"])
  }

  private func status(_ response: DocumentResponse?) throws -> StatusAnswer {
    var status: StatusAnswer?
    if case .status(let answer)? = response { status = answer }
    return try #require(status)
  }

  @Test func `reads a feed as it was if it is stale, and misses nothing later`() throws {
    var test = TestDocuments()
    _ = test.ask(push(["a"]))
    let before = try status(test.ask(.status(since: nil)))
    test.now = test.now.advanced(byMilliseconds: 1_000)
    _ = test.ask(push(["b", "c"]))
    test.now = test.now.advanced(byMilliseconds: 400)
    let stale = Fault(.staleFeed(milliseconds: 500))
    let later = ["weightLogs b 1", "weightLogs c 1"]
    guard case .pulled(let page)? = ask(.pull(DocumentPull(start)), &test, stale) else {
      Issue.record("no page")
      return
    }
    #expect(page.entries.map(\.words) == ["weightLogs a 1"])
    #expect(!page.hasMore)
    #expect(try test.words(from: page.cursor) == later)
    let whole = DocumentSnapshot(DocumentCursor(startOf: .documents, .snapshot), limit: 2)
    guard case .snapshot(let snapshot)? = ask(.snapshot(whole), &test, stale) else {
      Issue.record("no snapshot")
      return
    }
    #expect(snapshot.documents.map(\.name.id) == ["a"])
    #expect(snapshot.next == nil)
    #expect(try test.words(from: try #require(snapshot.cursor)) == later)
    let behind = try status(ask(.status(since: before.position), &test, stale))
    #expect(behind.feeds == [])
    #expect(behind.position == before.position)
    test.now = test.now.advanced(byMilliseconds: 100)
    #expect(try status(ask(.status(since: behind.position), &test, stale)).feeds.map(\.feed) == [.documents])
  }

  @Test func `gets its own place again if it is stuck`() {
    var test = TestDocuments()
    _ = test.ask(push(["a"]))
    guard case .pulled(let page)? = ask(.pull(DocumentPull(start)), &test, Fault(.stuckToken)) else {
      Issue.record("no page")
      return
    }
    #expect(page.cursor == start)
    #expect(page.hasMore)
    guard case .status(let status)? = ask(.status(since: nil), &test, Fault(.stuckToken)) else {
      Issue.record("no status")
      return
    }
    #expect(status.position == DocumentPosition())
    guard case .status(let listed)? = ask(.status(since: nil), &test, Fault(.listZone("ConflictJournal"))) else {
      Issue.record("no status")
      return
    }
    #expect(listed.feeds.map(\.feed) == [.documents, .conflicts])
  }
}

@Suite struct `the fact of a request for documents` {
  @Test func `names its decisions, and says them in a line`() {
    var test = TestDocuments()
    var change = Sample.weight(70_000, id: "a", at: 1)
    change.changeID = "A:1"
    let request = DocumentRequest.push(
      DocumentPush(from: "A", decider: .client, changes: [change, Sample.delete(DocumentName("unicorns", "u"), at: 1)]))
    let fact = Fact(
      DocumentFact(
        request, from: Caller(user: "nanny", deviceID: "A"), answeredWith: test.ask(request), requestID: "R"))
    #expect(
      JSON.object(fact.members) == [
        "requestId": "R", "user": "nanny", "device": "A", "call": "push", "count": 2,
        "changes": [
          [
            "collection": "weightLogs", "documentId": "a", "verdict": "applied", "version": 1, "changeId": "A:1",
          ], ["collection": "unicorns", "documentId": "u", "verdict": "unknown_collection"],
        ],
      ])
    #expect(fact.text == "push of nanny from A: 2, weightLogs.a: applied, unicorns.u: unknown_collection")
  }

  @Test func `of a refusal names the error, and of a long push only the first decisions`() {
    var test = TestDocuments()
    let refused = DocumentFact(
      .status(since: nil), from: test.caller, answeredWith: .refused(DocumentError(.busy, "later")), requestID: "R")
    #expect(Fact(refused).text == "status of nanny from no device: refused with busy")
    let changes = (0..<21).map { Sample.weight(70_000, id: "\($0)", at: 1) }
    let request = DocumentRequest.push(DocumentPush(from: "A", changes: changes))
    let long = DocumentFact(request, from: test.caller, answeredWith: test.ask(request), requestID: "R")
    #expect(long.count == 21)
    #expect(long.decisions.count == 20)
  }
}
