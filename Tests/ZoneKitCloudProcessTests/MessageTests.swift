import Testing
import ZoneKitCloud
import ZoneKitDietLog
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitTableServer
import ZoneKitTables

@testable import ZoneKitCloudProcess

@Suite struct `a message to the cloud's process` {
  private let lookup = CloudMessage.documents(
    .lookup(DocumentLookup([DocumentName("weightLogs", "none")])), of: DietLog.documents)

  private func fault(_ action: FaultAction) -> Fault { Fault(action, times: 1) }

  @Test func `is answered with its commit, and not before`() {
    var test = TestProcess()
    let zone = test.call(.modifyZones([.create(TestProcess.notes)]))
    let list = test.call(.listZones)
    #expect([zone.reply, list.reply] == [nil, nil])
    let effects = test.endTurn()
    #expect(effects.replies.map(\.ticket) == [zone.ticket, list.ticket])
    #expect(effects.commits == 1)
    let further = test.endTurn()
    #expect(further == [], "a turn without messages does nothing")
  }

  @Test func `that a fault refuses is answered on arrival and does not reach the cloud`() {
    var test = TestProcess()
    let error = CloudError(.zoneBusy, "test")
    let fault = test.process.faults.add(fault(.refuse(error)))
    let refused = test.call(.modifyZones([.create(TestProcess.notes)]))
    #expect(refused.reply?.answer == .call(.failure(error)))
    #expect(refused.reply?.response == nil)
    #expect(refused.faults == [fault])
    let further = test.endTurn()
    #expect(further == [])
  }

  @Test func `whose answer a fault takes away is carried out`() {
    var test = TestProcess()
    test.process.faults.add(fault(.loseAnswer))
    test.call(.modifyZones([.create(TestProcess.notes)]))
    let effects = test.endTurn()
    #expect(effects.commits == 1)
    #expect(effects.replies.map(\.answer) == [nil])
    #expect(effects.replies.map { $0.response == nil } == [false], "the driver can record what was answered")
  }

  @Test func `that a fault repeats is answered once, with the second answer`() {
    var test = TestProcess()
    _ = test.ask(.modifyZones([.create(TestProcess.notes)]))
    test.process.faults.add(fault(.repeatRequest))
    let saved = test.call(TestProcess.save("a"))
    let replies = test.endTurn().replies
    #expect(replies.map(\.ticket) == [saved.ticket])
    guard case .call(.records(let results))? = replies.first?.answer, case .failed(_, let error)? = results.first else {
      return #expect(Bool(false), "the second creation of a record fails")
    }
    #expect(error.code == .serverRecordChanged)
  }

  @Test func `costs as much of the turn as all of its applications`() {
    var test = TestProcess()
    _ = test.ask(.modifyZones([.create(TestProcess.notes)]))
    let once = test.call(.lookupRecords(zoneID: TestProcess.notes, recordNames: ["a"])).cost
    _ = test.endTurn()
    test.process.faults.add(fault(.repeatRequest))
    let twice = test.call(.lookupRecords(zoneID: TestProcess.notes, recordNames: ["a"])).cost
    #expect(once.answerBytes > 0 && twice.answerBytes == 2 * once.answerBytes)
  }

  @Test func `for documents is answered with the commit, later if a fault says so`() {
    var test = TestProcess()
    test.process.faults.add(fault(.delayAnswer(milliseconds: 50)))
    let delayed = test.receive(lookup)
    let prompt = test.receive(lookup)
    let replies = test.endTurn().replies
    #expect(replies.map(\.ticket) == [delayed.ticket, prompt.ticket])
    #expect(replies.map(\.delayMilliseconds) == [50, 0])
    for reply in replies {
      guard case .documents(.found)? = reply.answer else { return #expect(Bool(false), "found \(reply)") }
    }
  }

  @Test func `for documents is refused by faults in the terms of documents`() {
    var test = TestProcess()
    test.process.faults.add(fault(.refuse(CloudError(.quotaExceeded, "test"))))
    guard case .documents(.refused)? = test.receive(lookup).reply?.answer else {
      return #expect(Bool(false), "a refused request has an answer at once")
    }
  }

  @Test func `of a device is hit by the faults of the device's other names`() {
    var test = TestProcess()
    test.process.faults.add(
      Fault(.loseRequest, on: FaultScope(deviceID: "phone"), times: 1))
    let other = test.call(.listZones)
    #expect(other.faults == [])
    let sender = CloudSender(Caller(user: "nanny", deviceID: "A"), called: ["phone"])
    let lost = test.process.receive(
      .call(.listZones, in: TestProcess.database), from: sender, at: test.now, using: &test.generator)
    #expect(lost.reply == CloudReply(ticket: lost.ticket))
  }

  @Test func `of an administrator is hit by no fault`() {
    var test = TestProcess()
    test.process.faults.add(fault(.loseRequest))
    let purged = test.receive(.administration(.purgeZone(TestProcess.notes), in: TestProcess.database))
    let further = test.endTurn().replies.map(\.ticket)
    #expect(further == [purged.ticket])
  }

  @Test func `that purges documents is answered with a report`() {
    var test = TestProcess()
    let purge = DocumentPurge(deleted: 0, conflicts: 0, tombstones: 0, isDryRun: false, at: test.now.wall)
    let purged = test.receive(.purge(purge, of: DietLog.documents, account: "nanny"))
    #expect(purged.reply == nil)
    let replies = test.endTurn().replies
    #expect(replies.map(\.ticket) == [purged.ticket])
    #expect(replies.map(\.answer) == [.purged(.success(DocumentPurgeReport()))])
  }

  @Test func `that changes zones of rows is refused over CloudKit, and one that reads them is not`() {
    var test = TestProcess()
    let app = TableApp(
      name: "rows", container: "c", environment: .development, zone: "Rows", schema: TableSchema([]))
    test.process.tables = CloudTables(of: app, store: MemoryAccountStore(), limits: AccountLimits())
    guard case .failure(let error)? = test.ask(.modifyZones([.create(TestProcess.notes)])) else {
      return #expect(Bool(false), "the arbiter of rows would not know of the zone")
    }
    #expect(error.code == .permissionFailure)
    guard case .zones? = test.ask(.listZones) else { return #expect(Bool(false), "reading does no harm") }
  }

  @Test func `is forgotten by a process that dies`() {
    var test = TestProcess()
    _ = test.ask(.modifyZones([.create(TestProcess.notes)]))
    test.call(TestProcess.save("a"))
    var store = test.process.zones.store
    store.crash()
    var next = TestProcess(over: store)
    let further = next.endTurn()
    #expect(further == [])
    guard case .records(let results)? = next.ask(TestProcess.save("a")), case .record? = results.first else {
      return #expect(Bool(false), "the record was not committed")
    }
  }
}
