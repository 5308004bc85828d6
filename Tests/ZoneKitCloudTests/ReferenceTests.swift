import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `references` {
  @Test func `DELETE_SELF takes the record along, and those that hang on it, into the feed`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([
      .create("root"), .create("child", .deleteSelf, to: "root"), .create("grandchild", .deleteSelf, to: "child"),
      .create("loose", .none, to: "root"),
    ])
    let token = try cloud.changes().token
    #expect(cloud.modify([.delete("root")]) == [.deleted("root", ChangeTag(sequence: 5))])
    let changes = try cloud.changes(since: token).page.changes
    #expect(
      changes == [
        .deleted(recordName: "root", changeTag: ChangeTag(sequence: 5)),
        .deleted(recordName: "child", changeTag: ChangeTag(sequence: 6)),
        .deleted(recordName: "grandchild", changeTag: ChangeTag(sequence: 7)),
      ])
    #expect(cloud.record("loose") != nil)
    #expect(cloud.header?.recordCount == 1)
    #expect(cloud.header?.tombstoneCount == 3)
  }

  @Test func `DELETE_SELF in a ring takes every record once`() {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([
      .create("a", .deleteSelf, to: "b", "a"), .create("b", .deleteSelf, to: "c"), .create("c", .deleteSelf, to: "a"),
    ])
    _ = cloud.perform(.delete("b"))
    #expect(cloud.header?.sequence == 6)
    #expect(cloud.header?.recordCount == 0)
  }

  @Test func `a reference that was saved away or changed no longer takes the record along`() {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([
      .create("root"), .create("a", .deleteSelf, to: "root"), .create("b", .deleteSelf, to: "root"),
    ])
    _ = cloud.modify([
      RecordOperation(.forceReplace, recordName: "a"),
      RecordOperation(.forceUpdate, recordName: "b", fields: [NamedFieldChange("targets", .clear)]),
      .delete("root"),
    ])
    #expect(cloud.record("a") != nil && cloud.record("b") != nil)
  }

  @Test func `a record saved and taken along in one batch is deleted in the end`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.perform(.create("root"))
    let results = cloud.modify([.create("a", .deleteSelf, to: "root"), .delete("root")], isAtomic: true)
    #expect(results[0].record?.recordName == "a" && results[1] == .deleted("root", ChangeTag(sequence: 3)))
    #expect(try cloud.changes().page.changes.map(\.recordName) == ["root", "a"])
    #expect(cloud.record("a") == nil)
  }

  @Test func `a batch may delete parent and child in either order`() {
    for order: [Name] in [["root", "a"], ["a", "root"]] {
      var cloud = TestCloud.withNotes()
      _ = cloud.modify([.create("root"), .create("a", .deleteSelf, to: "root")])
      #expect(
        cloud.modify(order.map { .delete($0) }, isAtomic: true)
          == zip(order, [Int64(3), 4]).map { .deleted($0, ChangeTag(sequence: $1)) })
      #expect(cloud.header?.sequence == 4)
    }
  }

  @Test func `VALIDATE needs its target`() throws {
    var cloud = TestCloud.withNotes()
    let error = cloud.perform(.create("a", .validate, to: "x")).error
    #expect(error?.code == .referenceViolation)
    #expect(error?.reason == "field targets of record a refers to x, which does not exist")
    #expect(cloud.header?.sequence == 0)
    _ = cloud.perform(.create("x"))
    #expect(cloud.perform(.create("a", .validate, to: "x")).error == nil)
  }

  @Test func `VALIDATE holds its target`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([.create("x"), .create("a", .validate, to: "x")])
    for kind in [RecordOperation.Kind.delete, .forceDelete] {
      let error = cloud.perform(RecordOperation(kind, recordName: "x")).error
      #expect(error?.code == .referenceViolation)
      #expect(error?.reason == "record x cannot be deleted: field targets of record a refers to it")
    }
    #expect(cloud.record("x") != nil)
    _ = cloud.perform(.delete("a"))
    #expect(cloud.perform(.delete("x")).error == nil)
  }

  @Test func `VALIDATE is looked at when the batch is done, so order does not matter`() {
    for isAtomic in [true, false] {
      var cloud = TestCloud.withNotes()
      let made = cloud.modify([.create("a", .validate, to: "x"), .create("x")], isAtomic: isAtomic)
      #expect(made.compactMap(\.record).count == 2)
      let deleted: [RecordResult] = [
        .deleted("x", ChangeTag(sequence: 3)), .deleted("a", ChangeTag(sequence: 4)),
      ]
      #expect(cloud.modify([.delete("x"), .delete("a")], isAtomic: isAtomic) == deleted)
    }
  }

  @Test func `what depends on a refused operation of the batch is refused too, and nothing else`() {
    var cloud = TestCloud.withNotes()
    _ = cloud.perform(.create("taken"))
    let results = cloud.modify([
      .create("c", .validate, to: "b"), .create("b", .validate, to: "x"), .create("d"), .create("taken"),
      .create("e", .validate, to: "taken"),
    ])
    let codes: [CloudErrorCode?] = [.referenceViolation, .referenceViolation, nil, .serverRecordChanged, nil]
    #expect(results.map { $0.error?.code } == codes)
    #expect(cloud.header?.sequence == 3)
    #expect(results[2].record?.changeTag == ChangeTag(sequence: 2))
  }

  @Test func `VALIDATE against a record that would be taken along refuses the deletion`() {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([
      .create("root"), .create("child", .deleteSelf, to: "root"), .create("guard", .validate, to: "child"),
    ])
    #expect(cloud.perform(.delete("root")).error?.code == .referenceViolation)
    #expect(cloud.header?.recordCount == 3)
  }

  @Test func `VALIDATE demands nothing of a record that is gone in the end, and holds nothing that came back`() {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([
      .create("root"), .create("child", .deleteSelf, to: "root"), .create("guard", .validate, to: "child"),
    ])
    let references = [
      Reference(recordName: "root", action: .deleteSelf), Reference(recordName: "none", action: .validate),
    ]
    let passing = RecordOperation.create("passing", [.typed("targets", .referenceList(references))])
    let results = cloud.modify([passing, .delete("root"), .create("child")])
    #expect(results.allSatisfy { $0.error == nil })
    #expect(cloud.record("passing") == nil && cloud.record("root") == nil)
    #expect(cloud.record("child") != nil && cloud.record("guard") != nil)
  }

  @Test func `across zones nothing binds`() {
    var cloud = TestCloud.withNotes()
    func operation(_ action: Reference.Action, _ zone: ZoneID) -> RecordOperation {
      let reference = Reference(recordName: "x", zoneID: zone, action: action)
      return RecordOperation(
        .forceReplace, recordName: "a", recordType: "Note", fields: [.typed("r", .reference(reference))])
    }
    #expect(cloud.perform(operation(.none, ZoneID(zoneName: "Other"))).error == nil)
    #expect(cloud.perform(operation(.deleteSelf, ZoneID(zoneName: "Other"))).error?.code == .invalidArguments)
    #expect(
      cloud.perform(operation(.validate, ZoneID(zoneName: "Notes", owner: .user("_x")))).error?.code
        == .invalidArguments)
    #expect(cloud.perform(operation(.deleteSelf, cloud.notes)).error == nil)
    let named = ZoneID(zoneName: "Notes", owner: .user(cloud.caller.userRecordName))
    #expect(cloud.perform(operation(.deleteSelf, named)).error == nil)
  }

  @Test func `a record is the DELETE_SELF target of as many others as the limit says and not of one more`() {
    var cloud = TestCloud.withNotes()
    cloud.server = ZoneServer(store: cloud.server.store, limits: Limits(dependents: 750))
    let all = (0..<750).map { RecordOperation.create(Name("n\($0)"), .deleteSelf, to: "root") }
    for start in stride(from: 0, to: 750, by: 200) {
      let part = Array(all[start..<min(start + 200, 750)])
      #expect(cloud.modify(part).allSatisfy { $0.error == nil })
    }
    let results = cloud.modify([
      .create("x", .deleteSelf, to: "root"), RecordOperation(.forceUpdate, recordName: "n0"), .delete("n1"),
      .create("y", .deleteSelf, to: "root"), .create("z", .deleteSelf, to: "root"),
    ])
    #expect(results.map { $0.error?.code } == [.limitExceeded, nil, nil, nil, .limitExceeded])
  }
}
