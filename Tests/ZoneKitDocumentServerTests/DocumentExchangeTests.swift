import Testing
import ZoneKitCloud
import ZoneKitDietLog
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `a coordinator's request over documents` {
  private let exchange = DocumentExchange(DietLog.documents, user: "nanny", deviceID: "A")
  private let zoneID = ZoneID(zoneName: "DietLog")

  private func ask(_ request: CloudRequest, _ test: inout TestDocuments) -> CloudResponse? {
    switch exchange.step(for: request) {
    case .ask(let asked): exchange.response(test.ask(asked), to: request)
    case .answer(let response): response
    case .other: nil
    }
  }

  private func weight(_ grams: Int64, at second: Int64, isDeleted: Bool = false) -> Fields {
    var fields = Fields()
    fields["loggedDate"] = .string("2026-11-21")
    fields["loggedAt"] = .timestamp(Sample.time(0))
    fields["weightG"] = .int64(grams)
    fields["updatedAt"] = .timestamp(Sample.time(second))
    if isDeleted { fields["deleted"] = .int64(1) }
    return fields
  }

  private func save(_ fields: Fields, _ id: String = "w", over tag: ChangeTag? = nil) -> RecordOperation {
    RecordOperation(
      tag == nil ? .create : .replace, recordName: Name("weightLogs.\(id)"), recordType: "weightLogs", changeTag: tag,
      fields: fields.sorted.map { NamedFieldChange($0.name, .set($0.value, isTyped: true, isEncrypted: false)) })
  }

  private func send(_ operations: [RecordOperation], _ test: inout TestDocuments) -> [RecordResult] {
    let batch = ModifyRecords(zoneID: zoneID, operations: operations, isAtomic: false)
    guard case .records(let results)? = ask(.modifyRecords(batch), &test) else { return [] }
    return results
  }

  private func word(_ result: RecordResult?) -> String {
    switch result {
    case .record?: "saved"
    case .deleted?: "deleted"
    case .failed(_, let error)?: error.code.rawValue
    case .kept?, nil: "nothing"
    }
  }

  private func record(_ result: RecordResult?) -> Record? {
    if case .record(let record)? = result { record } else { nil }
  }

  @Test func `saves, replaces and deletes as a cloud of zones does`() {
    var test = TestDocuments()
    let first = record(send([save(weight(70_000, at: 1))], &test).first)
    #expect(first?.recordName == "weightLogs.w" && first?.fields == EncodedFields(weight(70_000, at: 1)))
    #expect(word(send([save(weight(71_000, at: 2))], &test).first) == "serverRecordChanged")
    let second = record(send([save(weight(71_000, at: 2), over: first?.changeTag)], &test).first)
    #expect(second != nil && second?.changeTag != first?.changeTag)
    #expect(word(send([save(weight(72_000, at: 3), over: first?.changeTag)], &test).first) == "serverRecordChanged")
    #expect(word(send([save(weight(1, at: 3), "none", over: first?.changeTag)], &test).first) == "invalidArguments")
    #expect(word(send([save(weight(72_000, at: 3), "none", over: first?.changeTag)], &test).first) == "unknownItem")
    let erase = RecordOperation(.delete, recordName: "weightLogs.w", changeTag: second?.changeTag)
    #expect(word(send([erase], &test).first) == "deleted")
    #expect(test.document(Sample.weight) == nil)
  }

  @Test func `keeps the results in the order of the operations if one is no document`() {
    var test = TestDocuments()
    let results = send([save(weight(1, at: 1), "a"), save(weight(70_000, at: 1), "b")], &test)
    #expect(results.map(word) == ["invalidArguments", "saved"])
    #expect(send([save(weight(1, at: 1), "a")], &test).map(word) == ["invalidArguments"])
  }

  @Test(arguments: [1, 2, 200])
  func `fetches all documents in pages, and then their changes`(limit: Int) {
    var test = TestDocuments()
    for id in ["a", "b", "c"] { _ = send([save(weight(70_000, at: 1), id)], &test) }
    _ = send([save(weight(70_000, at: 2, isDeleted: true), "d")], &test)
    var token: ChangeToken?
    func fetch() -> [String] {
      var names: [String] = []
      while true {
        let query = ZoneChangesQuery(zoneID: zoneID, token: token, limit: limit)
        guard case .zoneChanges(let results)? = ask(.fetchZoneChanges([query]), &test),
          case .changes(let changes)? = results.first
        else { return names + ["refused"] }
        names += changes.page.changes.map { change in
          switch change {
          case .saved(let record): record.recordName.text
          case .deleted(let name, _): "-\(name)"
          }
        }
        token = changes.token
        if !changes.moreComing { return names }
      }
    }
    #expect(fetch() == ["weightLogs.a", "weightLogs.b", "weightLogs.c", "weightLogs.d"])
    #expect(fetch() == [])
    let tag = test.tag(DocumentName("weightLogs", "b")).map { ChangeTag($0.text) }
    _ = send(
      [save(weight(71_000, at: 3), "a", over: test.tag(DocumentName("weightLogs", "a")).map { ChangeTag($0.text) })],
      &test)
    _ = send([RecordOperation(.delete, recordName: "weightLogs.b", changeTag: tag)], &test)
    #expect(fetch() == ["weightLogs.a", "-weightLogs.b"])
  }

  @Test func `reads what changed while it read the documents in pages`() {
    var test = TestDocuments()
    for id in ["a", "b", "c"] { _ = send([save(weight(70_000, at: 1), id)], &test) }
    var (token, names): (ChangeToken?, [String]) = (nil, [])
    while true {
      let query = ZoneChangesQuery(zoneID: zoneID, token: token, limit: 2)
      guard case .zoneChanges(let results)? = ask(.fetchZoneChanges([query]), &test),
        case .changes(let changes)? = results.first
      else {
        Issue.record("a page was refused")
        return
      }
      names += changes.page.changes.compactMap {
        if case .saved(let record) = $0 { record.recordName.text } else { nil }
      }
      if token == nil { _ = send([save(weight(70_000, at: 1), "d")], &test) }
      token = changes.token
      if !changes.moreComing { break }
    }
    #expect(names == ["weightLogs.a", "weightLogs.b", "weightLogs.c", "weightLogs.d"])
  }

  @Test func `learns of a data set that was lost, and offers everything again`() {
    var test = TestDocuments()
    let saved = record(send([save(weight(70_000, at: 1))], &test).first)
    guard case .databaseChanges(let first)? = ask(.fetchDatabaseChanges(since: nil, limit: 200), &test) else { return }
    #expect(first.zones.count == 1 && !first.moreComing)
    var other = TestDocuments(seed: 9)
    guard
      case .databaseChanges(let second)? = ask(.fetchDatabaseChanges(since: first.token, limit: 200), &other)
    else {
      Issue.record("the status was refused")
      return
    }
    #expect(second.zones == [.changed(zoneID, token: ChangeToken(""))])
    #expect(second.moreComing)
    let start = DocumentCursor(startOf: .documents, .changes)
    guard case .pulled(let page) = test.ask(.pull(DocumentPull(start))) else { return }
    let query = ZoneChangesQuery(zoneID: zoneID, token: ChangeToken(page.cursor.text))
    guard case .zoneChanges(let results)? = ask(.fetchZoneChanges([query]), &other),
      case .failed(_, let error)? = results.first
    else {
      Issue.record("the cursor of another data set was accepted")
      return
    }
    #expect(error.code == .changeTokenExpired && error.isAfterLoss)
    #expect(word(send([save(weight(71_000, at: 2), over: saved?.changeTag)], &other).first) == "zoneNotFound")
  }

  @Test func `is about tokens or subscriptions only in the other protocol`() {
    #expect(exchange.step(for: .listSubscriptions) == .other)
    #expect(exchange.step(for: .createPushToken(environment: .development)) == .other)
  }

  /// The same operations on a cloud of zones and on one of documents, whose results are compared.
  @Test(arguments: 1...20)
  func `has the same results as a cloud of zones, but for equal content`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var test = TestDocuments(seed: seed)
    var zones = TestDocuments(seed: seed)
    _ = ask(.modifyZones([.create(zoneID)]), &test)
    native(.modifyZones([.create(zoneID)]), &zones)
    var tags: [(documents: ChangeTag, zones: ChangeTag)] = []
    for step in 0..<40 {
      let id = ["a", "b"].randomElement(using: &generator)!
      let known = tags.randomElement(using: &generator)
      let isDeletion = Int.random(in: 0..<6, using: &generator) == 0
      func operation(_ tag: ChangeTag?) -> RecordOperation {
        guard isDeletion, tag != nil else { return save(weight(70_000 + Int64(step), at: Int64(step)), id, over: tag) }
        return RecordOperation(.delete, recordName: Name("weightLogs.\(id)"), changeTag: tag)
      }
      let overDocuments = send([operation(known?.documents)], &test).first
      let batch = ModifyRecords(zoneID: zoneID, operations: [operation(known?.zones)], isAtomic: false)
      guard case .records(let results)? = native(.modifyRecords(batch), &zones) else { return }
      // The deletion of a record that does not exist is done, in one protocol in the words of the other.
      if isDeletion, known != nil, word(overDocuments) != word(results.first) {
        #expect(["deleted", "unknownItem", "serverRecordChanged"].contains(word(overDocuments)))
        #expect(["deleted", "unknownItem", "serverRecordChanged"].contains(word(results.first)))
        return
      }
      #expect(word(overDocuments) == word(results.first), "step \(step) of \(id)")
      if let first = record(overDocuments), let second = record(results.first) {
        tags.append((first.changeTag, second.changeTag))
      }
    }
  }

  @discardableResult
  private func native(_ request: CloudRequest, _ test: inout TestDocuments) -> CloudResponse? {
    test.server.receive(
      request, ticket: Ticket(1_000), in: test.database, from: test.caller, at: test.now, using: &test.generator)
    for case .answer(_, let response) in test.server.endTurn(using: &test.generator) { return response }
    return nil
  }
}
