import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `a batch` {
  @Test func `answers in the order of its operations, each on its own when it is not atomic`() {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([.create("b"), .create("d")])
    let results = cloud.modify([.create("a"), .create("b"), .delete("x"), .delete("d"), .create("c")])
    #expect(results.map { $0.error?.code } == [nil, .serverRecordChanged, .unknownItem, nil, nil])
  }

  @Test func `with the same record twice is refused as a whole`() {
    var cloud = TestCloud.withNotes()
    let batch = ModifyRecords(
      zoneID: cloud.notes, operations: [.create("a"), .create("b"), .delete("a")], isAtomic: false)
    let response = cloud.ask(.modifyRecords(batch))
    guard case .failure(let error) = response else {
      Issue.record("\(response)")
      return
    }
    #expect(error.code == .invalidArguments)
    #expect(cloud.header?.recordCount == 0)
  }

  @Test func `carries 200 operations and not one more`() {
    var cloud = TestCloud.withNotes()
    let operations = (0..<200).map { RecordOperation.create(Name("n\($0)")) }
    #expect(cloud.modify(operations).compactMap(\.record).count == 200)
    let batch = ModifyRecords(zoneID: cloud.notes, operations: operations + [.create("x")], isAtomic: false)
    guard case .failure(let error) = cloud.ask(.modifyRecords(batch)) else {
      Issue.record("201 operations were taken in")
      return
    }
    #expect(error == CloudError(.invalidArguments, "201 operations in one request, at most 200 are allowed"))
    let names = (0..<201).map { Name("n\($0)") }
    guard case .failure = cloud.ask(.lookupRecords(zoneID: cloud.notes, recordNames: names)) else {
      Issue.record("201 names were looked up")
      return
    }
  }

  @Test func `that is atomic and has a failed operation changes nothing and notifies nobody`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.perform(.create("b"))
    let before = cloud.server.status(of: cloud.database)
    let operations: [RecordOperation] = [.create("a", [.typed("new", .int64(1))]), .create("b"), .create(nil)]
    cloud.receive(.modifyRecords(ModifyRecords(zoneID: cloud.notes, operations: operations, isAtomic: true)))
    let effects = cloud.endTurn()
    guard case .atomicFailure(let results) = effects.answers[0] else {
      Issue.record("\(effects)")
      return
    }
    #expect(results.map { $0.error?.code } == [.batchRequestFailed, .serverRecordChanged, .batchRequestFailed])
    #expect(effects.count == 1)
    #expect(cloud.server.status(of: cloud.database) == before)
    #expect(cloud.record("a") == nil)
    #expect(cloud.perform(.create("c", [.typed("new", .string("no schema was left behind"))])).error == nil)
  }

  @Test func `that is atomic and has no culprit changes everything`() {
    var cloud = TestCloud.withNotes()
    #expect(cloud.modify([.create("a"), .create("b")], isAtomic: true).compactMap(\.record).count == 2)
    #expect(cloud.header?.sequence == 2)
  }

  @Test func `in the default zone is never atomic`() {
    var cloud = TestCloud.withNotes()
    let operations: [RecordOperation] = [.create("a"), .delete("x")]
    let response = cloud.ask(
      .modifyRecords(ModifyRecords(zoneID: .defaultZone, operations: operations, isAtomic: true)))
    guard case .records(let results) = response else {
      Issue.record("\(response)")
      return
    }
    #expect(results[0].record != nil)
    #expect(results[1].error?.code == .unknownItem)
  }

  @Test func `gives each saved or deleted record the next sequence of the zone, and the tag made from it`() {
    var cloud = TestCloud.withNotes()
    let results = cloud.modify([.create("a"), .create("b"), .delete("x"), .create("c")])
    #expect(results.compactMap(\.record?.changeTag) == [1, 2, 3].map { ChangeTag(sequence: $0) })
    _ = cloud.perform(.delete("b"))
    #expect(cloud.header?.sequence == 4)
    #expect(cloud.header?.recordCount == 2)
    #expect(cloud.header?.tombstoneCount == 1)
    #expect(cloud.header?.lastCommitAt == cloud.now)
  }

  @Test func `in a zone that is not there fails as a whole`() {
    var cloud = TestCloud()
    for zone in [cloud.notes, ZoneID(zoneName: "")] {
      let responses = [
        cloud.ask(.modifyRecords(ModifyRecords(zoneID: zone, operations: [.create("a")], isAtomic: true))),
        cloud.ask(.lookupRecords(zoneID: zone, recordNames: ["a"])),
      ]
      for response in responses {
        guard case .failure(let error) = response else {
          Issue.record("\(response)")
          return
        }
        #expect(error.code == .zoneNotFound)
      }
    }
  }

  @Test func `sees what earlier requests of the same turn did`() throws {
    var cloud = TestCloud()
    cloud.receive(.modifyZones([.create(cloud.notes)]))
    let batch = ModifyRecords(zoneID: cloud.notes, operations: [.create("a")], isAtomic: true)
    cloud.receive(.modifyRecords(batch))
    cloud.receive(.modifyRecords(batch))
    cloud.receive(.lookupRecords(zoneID: cloud.notes, recordNames: ["a", "b"]))
    let answers = cloud.endTurn().answers
    guard case .records(let first) = answers[1], case .atomicFailure(let second) = answers[2],
      case .records(let third) = answers[3]
    else {
      Issue.record("\(answers)")
      return
    }
    #expect(first[0].record != nil)
    #expect(second[0].error?.code == .serverRecordChanged)
    #expect(third[0] == first[0])
    #expect(third[1].error?.code == .unknownItem)
  }
}
