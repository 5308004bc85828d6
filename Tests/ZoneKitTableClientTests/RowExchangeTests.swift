import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitTableClient

private typealias T = TestService

@Suite struct `an exchange with a table server` {
  private var service = T()

  private func save(
    _ table: Name, _ number: UInt64, _ fields: [Name: FieldValue], tag: ChangeTag? = nil, revision: Int64 = 1
  ) -> RecordOperation {
    var operation = RecordOperation(
      tag == nil ? .create : .replace, recordName: T.name(table, number), recordType: table, changeTag: tag,
      fields: fields.map { NamedFieldChange($0.key, .set($0.value, isTyped: true, isEncrypted: false)) })
    operation.revision = revision
    return operation
  }

  private mutating func send(_ operations: [RecordOperation], of device: String = "D") -> [RecordResult] {
    guard case .records(let results) = service.answer(batch(operations), of: device) else { return [] }
    return results
  }

  private func batch(_ operations: [RecordOperation]) -> CloudRequest {
    .modifyRecords(ModifyRecords(zoneID: T.zoneID, operations: operations, isAtomic: false))
  }

  private func time(_ milliseconds: Int64) -> FieldValue { .timestamp(WallTime(milliseconds: milliseconds)) }

  @Test mutating func `sends all columns of the rows of a table in one request`() throws {
    let results = send([
      save("persons", 1, ["name": .string("Ann"), .editedAt: time(5)], revision: 4),
      save("persons", 2, ["name": .string("Ben")], revision: 7),
    ])
    #expect(service.requests.count == 1)
    guard case .write("persons", let write)? = service.requests.first else { return #expect(Bool(false)) }
    #expect(write.resolution == .merge)
    let columns = Set(T.persons.columns.map(\.name))
    #expect(write.rows.allSatisfy { Set($0.values.keys) == columns })
    #expect(write.rows[0][.ownerID] == .uuid(T.account) && write.rows[0][.updatedAt] == .null)
    #expect(write.rows[0][.id] == .uuid(T.id(1)) && write.rows[0][.deletedAt] == .null)
    #expect(write.rows.map { $0[.changedBy] } == [.text("D:4"), .text("D:7")])
    guard case .record(let ann)? = results.first else { return #expect(Bool(false)) }
    #expect(ann.recordName == T.name("persons", 1) && ann.modified.author.deviceID == "D")
    #expect(try ann.fields.decoded()[.editedAt] == time(5))
  }

  @Test mutating func `names the version that the device has seen, and tells which one the service kept`() throws {
    guard case .record(let first)? = send([save("persons", 1, ["name": .string("a"), .editedAt: time(5)])]).first,
      case .record(let second)? = send([
        save("persons", 1, ["name": .string("b"), .editedAt: time(1)], tag: first.changeTag, revision: 2)
      ]).first
    else { return #expect(Bool(false)) }
    #expect(second.changeTag.isLater(than: first.changeTag))
    let late = save("persons", 1, ["name": .string("c"), .editedAt: time(2)], tag: first.changeTag)
    guard case .kept(let kept)? = send([late], of: "E").first else { return #expect(Bool(false)) }
    #expect(kept == second)
  }

  @Test mutating func `gives the loser of a conflict as an entry of the journal, from both sides`() throws {
    _ = send([save("persons", 1, ["name": .string("a"), .editedAt: time(9)])])
    _ = send([save("persons", 1, ["name": .string("b"), .editedAt: time(5)])], of: "E")
    let page = try service.page(after: nil, of: T.journalID).get()
    guard case .saved(let record)? = page.page.changes.first else { return #expect(Bool(false)) }
    func name(_ content: RecordContent?) throws -> FieldValue? { try content?.fields.decoded()["name"] }
    let loser = try #require(ConflictRecord.entry(from: record, deviceID: "E"))
    #expect(loser.winner == .server && loser.rule == "editedAt" && loser.decidedBy == "cloud")
    #expect(try name(loser.local) == .string("b") && name(loser.server) == .string("a"))
    let winner = try #require(ConflictRecord.entry(from: record, deviceID: "D"))
    #expect(winner.winner == .local && winner.serverDeviceID == "E" && winner.id == loser.id)
    #expect(try name(winner.local) == .string("a") && name(winner.server) == .string("b"))
    #expect(
      winner.id == ConflictRecord.id(of: winner.recordID, winner.local, winner.server, leavingOut: .editedAt))
    #expect(try service.page(after: page.token, of: T.journalID).get().page.count == 0)
  }

  @Test mutating func `has rows of the same content as those that it sent`() throws {
    guard case .record(let answered)? = send([save("persons", 1, ["name": .string("a")])]).first else { return }
    let page = try service.page(after: nil).get()
    guard case .saved(let read)? = page.page.changes.first else { return #expect(Bool(false)) }
    #expect(read == answered)
  }

  @Test mutating func `refuses one row by its result, and several as a whole`() {
    let broken = save(
      "splits", 1, ["expense_id": .reference(Reference(recordName: T.name("expenses", 9), action: .validate))])
    guard case .failed(let name, let error)? = send([broken]).first else { return #expect(Bool(false)) }
    #expect(name == T.name("splits", 1) && error.code == .referenceViolation)
    #expect(error.reason.contains("is not present in table \"expenses\""))
    let nameless = [1, 2].map { save("persons", UInt64($0), [:]) }
    guard case .failure(let whole) = service.answer(batch(nameless)) else { return #expect(Bool(false)) }
    #expect(whole.code == .invalidArguments)
  }

  @Test mutating func `holds back only the table of which rows are refused`() {
    let results = send([
      save("persons", 1, ["name": .string("a")]), save("splits", 2, [:]), save("splits", 3, [:]),
    ])
    guard results.count == 3, case .record = results[0] else { return #expect(Bool(false)) }
    #expect(results[1...].allSatisfy { $0.error?.code == .batchRequestFailed })
  }

  @Test mutating func `refuses what is no row, and the removal of one`() {
    let results = send([
      RecordOperation(.create, recordName: "persons", recordType: "persons"),
      RecordOperation(.create, recordName: Name("friends/\(T.id(1).text)"), recordType: "friends"),
      RecordOperation(.delete, recordName: T.name("persons", 1), recordType: "persons"),
    ])
    #expect(results.map { $0.error?.code } == [.invalidArguments, .invalidArguments, .serverRejectedRequest])
    #expect(service.requests.isEmpty)
  }

  @Test mutating func `takes a row of a service without verdicts for kept if it differs from what was sent`() {
    for (name, isKept) in [("a", false), ("z", true)] {
      var exchange = RowExchange(
        batch([save("persons", 1, ["name": .string("a")])]), app: T.app, account: T.account, deviceID: "D")
      guard case .ask(.write(_, let write)) = exchange.step else { return #expect(Bool(false)) }
      var row = Row(T.persons.columns.map { write.rows[0][$0.name] ?? .null })
      row["name", T.persons] = .text(name)
      row[.updatedAt, T.persons] = .timestamp(WallTime(milliseconds: 3))
      exchange.received(.done(RowResult(.rows([row]))))
      guard case .answer(.records(let results)) = exchange.step else { return #expect(Bool(false)) }
      if case .kept? = results.first { #expect(isKept) } else { #expect(!isKept) }
    }
  }

  @Test mutating func `looks rows up by their keys, also pairs`() {
    for number in 1...3 { service.person(UInt64(number), "P\(number)") }
    service.write(
      "friends",
      [RowContent(["first_id": .uuid(T.id(1)), "second_id": .uuid(T.id(2))])])
    let pair = RowKey([T.id(1), T.id(2)]).recordName(in: "friends")
    let other = RowKey([T.id(2), T.id(1)]).recordName(in: "friends")
    let names = [T.name("persons", 3), pair, T.name("persons", 9), other, T.name("persons", 1), "nonsense"]
    guard case .records(let results) = service.answer(.lookupRecords(zoneID: T.zoneID, recordNames: names)) else {
      return #expect(Bool(false))
    }
    let found = results.map { result -> Name? in if case .record(let record) = result { record.recordName } else { nil }
    }
    #expect(found == [names[0], pair, nil, nil, names[4], nil])
    #expect(results.compactMap { $0.error?.code } == [.unknownItem, .unknownItem, .unknownItem])
  }

  @Test func `answers requests for zones itself, and refuses those that a table server does not have`() {
    func step(_ request: CloudRequest) -> RowExchange.Step {
      RowExchange(request, app: T.app, account: T.account, deviceID: "D").step
    }
    let zone = Zone(zoneID: T.zoneID, token: nil, isAtomic: true)
    #expect(step(.modifyZones([.create(T.zoneID)])) == .answer(.zones([.zone(zone)])))
    #expect(step(.lookupZones([T.zoneID])) == .answer(.zones([.zone(zone)])))
    guard case .answer(.failure(let error)) = step(.listSubscriptions) else { return #expect(Bool(false)) }
    #expect(error.code == .invalidArguments)
  }

  private static let refusals: [(Int, String, CloudErrorCode)] = [
    (401, "PGRST303", .notAuthenticated), (403, "42501", .permissionFailure), (409, "23503", .referenceViolation),
    (409, "23505", .constraintViolation), (400, "22P02", .invalidArguments), (404, "PGRST205", .invalidArguments),
    (413, "413", .limitExceeded), (429, "", .requestRateLimited), (408, "", .serviceUnavailable),
    (500, "", .serviceUnavailable), (502, "", .serviceUnavailable), (503, "53100", .serviceUnavailable),
    (504, "", .serviceUnavailable), (520, "", .serviceUnavailable),
  ]

  @Test(arguments: refusals.indices) func `reads each refusal as an error of the cloud`(index: Int) {
    let (status, code, expected) = Self.refusals[index]
    let error = CloudError(ServiceRefusal(status, code: code, "no", retryAfter: 2), about: "persons")
    #expect((error.code, error.reason, error.retryAfterMilliseconds) == (expected, "persons: no", 2_000))
  }

  @Test func `reads a lost answer and a lost link as such`() {
    let requests: [CloudRequest] = [
      .lookupRecords(zoneID: T.zoneID, recordNames: [T.name("persons", 1)]),
      .fetchZoneChanges([ZoneChangesQuery(zoneID: T.zoneID, token: nil)]),
      batch([save("persons", 1, ["name": .string("a")])]),
    ]
    for request in requests {
      for (outcome, code) in [
        (RowOutcome.unanswered(.notSent("x")), CloudErrorCode.networkUnavailable),
        (.unanswered(.answerLost("x")), .serverResponseLost),
      ] {
        var exchange = RowExchange(request, app: T.app, account: T.account, deviceID: "D")
        exchange.received(outcome)
        #expect(exchange.step == .answer(.failure(CloudError(code, "x"))))
      }
    }
  }
}
