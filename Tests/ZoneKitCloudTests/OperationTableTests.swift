import ZoneKitRecords
import Testing
import ZoneKitCloud

/// The table of operations and tags (CloudKit Web Services, c.1), cell by cell.
@Suite struct `the table of operations and tags` {
  /// What the record is like when the operation comes.
  enum Situation: CaseIterable {
    case absent, tombstone, tagEqual, tagDifferent, tagMissing
  }

  /// What comes of the operation.
  enum Ending: Equatable {
    case saved(kept: Bool)
    case deleted
    case failed(CloudErrorCode, String)

    static let missing = Ending.failed(.unknownItem, "did not find record n")
    static let stale = Ending.failed(.serverRecordChanged, "client oplock error updating record")
    static let exists = Ending.failed(.serverRecordChanged, "record to insert already exists")
  }

  @Test(arguments: RecordOperation.Kind.allCases, Situation.allCases)
  func `has the documented result for each`(kind: RecordOperation.Kind, situation: Situation) throws {
    var cloud = TestCloud.withNotes()
    if situation != .absent { _ = cloud.perform(.create("n", [.typed("old", .int64(1))])) }
    let oldTag = cloud.tag(of: "n")
    if situation == .tombstone { _ = cloud.perform(.delete("n")) }
    let sequence = try #require(cloud.header).sequence
    var operation = RecordOperation(kind, recordName: "n", recordType: "Note", fields: [.typed("new", .int64(2))])
    operation.changeTag =
      switch situation {
      case .absent, .tombstone, .tagEqual: oldTag
      case .tagDifferent: ChangeTag("zz")
      case .tagMissing: nil
      }
    let result = cloud.perform(operation)
    let wanted = ending(kind, situation)
    #expect(try ending(of: result) == wanted)
    #expect(cloud.header?.sequence == sequence + (changes(wanted, situation) ? 1 : 0))
    switch wanted {
    case .saved:
      let tag = cloud.tag(of: "n")
      #expect(tag != nil && tag != oldTag && result.record?.changeTag == tag)
    case .deleted: #expect(cloud.record("n") == nil)
    case .failed: #expect(cloud.tag(of: "n") == (situation == .tombstone ? nil : oldTag))
    }
  }

  private func changes(_ ending: Ending, _ situation: Situation) -> Bool {
    switch ending {
    case .saved: true
    case .deleted: situation != .absent && situation != .tombstone
    case .failed: false
    }
  }

  private func ending(_ kind: RecordOperation.Kind, _ situation: Situation) -> Ending {
    let isThere = situation != .absent && situation != .tombstone
    return switch kind {
    case .create: isThere ? .exists : .saved(kept: false)
    case .update: !isThere ? .missing : situation == .tagEqual ? .saved(kept: true) : .stale
    case .forceUpdate: .saved(kept: isThere)
    case .replace: !isThere ? .missing : situation == .tagEqual ? .saved(kept: false) : .stale
    case .forceReplace: .saved(kept: false)
    case .delete: !isThere ? .missing : situation == .tagDifferent ? .stale : .deleted
    case .forceDelete: .deleted
    }
  }

  private func ending(of result: RecordResult) throws -> Ending {
    switch result {
    case .record(let record): .saved(kept: try record.fields.decoded()["old"] != nil)
    case .kept: throw CloudError(.internalError, "a cloud of CloudKit keeps nothing by itself")
    case .deleted: .deleted
    case .failed(_, let error): .failed(error.code, error.reason)
    }
  }

  @Test func `a save that changes nothing still changes the tag`() {
    var cloud = TestCloud.withNotes()
    let first = cloud.perform(.create("n", [.typed("a", .int64(1))])).record
    var again = RecordOperation(.update, recordName: "n", fields: [.typed("a", .int64(1))])
    again.changeTag = first?.changeTag
    let second = cloud.perform(again).record
    #expect(second?.fields == first?.fields)
    #expect(second?.changeTag != first?.changeTag)
  }

  @Test func `a record keeps its type`() {
    var cloud = TestCloud.withNotes()
    _ = cloud.perform(.create("n"))
    let result = cloud.perform(RecordOperation(.forceReplace, recordName: "n", recordType: "List"))
    #expect(result.error?.code == .invalidArguments)
    #expect(result.error?.reason == "record n is of type Note and cannot become List")
    #expect(cloud.perform(RecordOperation(.forceUpdate, recordName: "n")).record?.recordType == "Note")
    _ = cloud.perform(.delete("n"))
    #expect(cloud.perform(.create("n", type: "List")).record?.recordType == "List")
  }

  @Test(arguments: [RecordOperation.Kind.create, .forceUpdate, .forceReplace])
  func `a record that is created needs a type`(kind: RecordOperation.Kind) {
    var cloud = TestCloud.withNotes()
    #expect(cloud.perform(RecordOperation(kind, recordName: "n")).error?.code == .invalidArguments)
  }

  @Test(arguments: ["blah blah", "1Note", "", "cloudkit.other", "Notiz\u{E4}", String(repeating: "a", count: 256)])
  func `an illegal type is an unknown one`(type: String) {
    var cloud = TestCloud.withNotes()
    let error = cloud.perform(.create("n", type: Name(type))).error
    #expect(error == CloudError(.unknownItem, "did not find record type: \(type)"))
  }

  @Test func `a create without a name gets an upper-case UUID`() throws {
    var cloud = TestCloud.withNotes()
    let names = cloud.modify([.create(nil), .create(nil)]).compactMap(\.record?.recordName.text)
    #expect(names.count == 2 && names[0] != names[1])
    for name in names {
      #expect(name.utf8.count == 36 && name == name.uppercased() && cloud.record(Name(name)) != nil)
    }
    #expect(cloud.perform(RecordOperation(.forceUpdate, recordName: nil)).error?.code == .invalidArguments)
  }

  @Test func `a record name that begins with an underscore is the cloud's`() {
    var cloud = TestCloud.withNotes()
    #expect(cloud.perform(.create("_a")).error?.code == .invalidArguments)
    #expect(cloud.perform(.create("a_")).error == nil)
    #expect(cloud.perform(RecordOperation(.forceDelete, recordName: "_a")).error == nil)
  }

  @Test func `a record name has 1 to 255 characters`() {
    var cloud = TestCloud.withNotes()
    let limit = Name(String(repeating: "\u{E9}", count: 255))
    #expect(cloud.perform(.create(limit)).record?.recordName == limit)
    #expect(cloud.perform(.create(Name(limit.text + "x"))).error?.code == .invalidArguments)
    #expect(cloud.perform(.create("")).error?.code == .invalidArguments)
  }

  @Test func `names are compared byte by byte`() {
    var cloud = TestCloud.withNotes()
    let results = cloud.modify([.create("\u{E9}"), .create("e\u{301}")])
    #expect(results.compactMap(\.record).count == 2)
  }

  @Test func `the cloud notes who made and changed a record, and when`() {
    var cloud = TestCloud.withNotes()
    let made = cloud.perform(.create("n")).record
    let author = Author(userRecordName: UserRecordName.of(user: "nanny"), deviceID: "d1")
    #expect(made?.created == Authorship(at: cloud.now, author: author))
    #expect(made?.modified == made?.created)
    cloud.now = cloud.now.advanced(byMilliseconds: 5)
    cloud.caller = Caller(user: cloud.caller.user)
    let changed = cloud.perform(RecordOperation(.forceReplace, recordName: "n")).record
    #expect(changed?.created == made?.created)
    #expect(changed?.modified.at == cloud.now)
    #expect(changed?.modified.author.deviceID == Author.unnamedDevice)
  }

  @Test func `a parent is set, kept by updates, and dropped by replaces`() {
    var cloud = TestCloud.withNotes()
    func operation(_ kind: RecordOperation.Kind, _ parent: RecordOperation.ParentChange) -> RecordOperation {
      RecordOperation(kind, recordName: "n", recordType: "Note", parent: parent)
    }
    #expect(cloud.perform(operation(.create, .set("p"))).record?.parent == "p")
    #expect(cloud.perform(operation(.forceUpdate, .keep)).record?.parent == "p")
    #expect(cloud.perform(operation(.forceUpdate, .clear)).record?.parent == nil)
    #expect(cloud.perform(operation(.forceUpdate, .set("q"))).record?.parent == "q")
    #expect(cloud.perform(operation(.forceReplace, .keep)).record?.parent == nil)
  }
}
