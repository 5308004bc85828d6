import ZoneKitRecords
import ZoneKitSync

extension DeviceStoreConformance {
  /// Checks about records and zones.
  static var recordChecks: [Check] {
    [
      ("an empty store holds nothing", { try $0.checkEmpty() }),
      ("a record comes back whole", { try $0.checkWholeRecord() }),
      ("names are compared byte by byte", { try $0.checkNames() }),
      ("a record takes the place of one of the same ID", { try $0.checkReplacing() }),
      ("records of a type come in order and without deleted ones", { try $0.checkRecordsOfType() }),
      ("pending records come by revision, after a revision, up to a limit", { try $0.checkPending() }),
      ("pending records of a type come by revision and in all zones", { try $0.checkPendingOfType() }),
      ("quarantined records are not pending but counted", { try $0.checkQuarantine() }),
      ("records of an earlier full fetch are found", { try $0.checkFullFetch() }),
      ("the census counts by zone and type", { try $0.checkCensus() }),
      ("zones come back whole and in order", { try $0.checkZones() }),
      ("removing a zone takes its records", { try $0.checkRemovedZone() }),
      ("removals come before puts", { try $0.checkOrder() }),
    ]
  }

  private func checkEmpty() throws {
    let store = try store()
    try expect(try store.values(), is: [:], "values")
    try expect(try store.zones(), is: [], "zones")
    try expect(try store.record(Sample.id("R")), is: nil, "record")
    try expect(try store.contains(Sample.id("R")), is: false, "a record")
    try expect(try store.census(), is: DeviceCensus(), "census")
    try expect(try store.conflicts(limit: 5), is: [], "conflicts")
    try expect(try store.traces(limit: 5), is: [], "traces")
    try expect(try store.isKnown(notificationID: "n"), is: false, "notification")
  }

  private func checkWholeRecord() throws {
    var full = Sample.pending("R", revision: 7, since: 123)
    full.server = Sample.server("old")
    full.sent = .saved(Sample.content("sent", parent: "P"))
    full.quarantine = .refused("too large")
    full.fullFetch = 4
    var deleted = Sample.clean("D")
    deleted.local = nil
    deleted.sent = .deleted
    let bare = LocalRecord(recordID: Sample.id("B"), recordType: "Item", local: RecordContent(fields: .empty))
    let store = try store(after: Sample.records(full, deleted, bare))
    for record in [full, deleted, bare] {
      try expect(try store.record(record.recordID), is: record, "record")
      try expect(try store.contains(record.recordID), is: true, "a record")
    }
    try expect(try store.contains(Sample.id("R", in: Sample.otherZone)), is: false, "a record of another zone")
  }

  private func checkNames() throws {
    let composed = Sample.pending("\u{e9}", revision: 1)
    let decomposed = Sample.pending("e\u{301}", revision: 2)
    let store = try store(after: Sample.records(composed, decomposed))
    try expect(try store.record(composed.recordID), is: composed, "composed name")
    try expect(try store.record(decomposed.recordID), is: decomposed, "decomposed name")
  }

  private func checkReplacing() throws {
    let store = try store(
      after: Sample.records(Sample.pending("R", revision: 1)), Sample.records(Sample.clean("R", type: "Item")))
    try expect(try store.record(Sample.id("R")), is: Sample.clean("R"), "record")
    try expect(try store.pending(in: nil, after: 0, limit: 10), is: [], "pending")
  }

  private func checkRecordsOfType() throws {
    var deleted = Sample.clean("A")
    deleted.local = nil
    let records = [Sample.clean("C"), Sample.clean("B", in: Sample.otherZone), Sample.clean("B")]
    let store = try store(after: DeviceTransition(records: records + [deleted, Sample.clean("X", type: "Else")]))
    try expect(try store.records(ofType: "Item"), is: [records[1], records[2], records[0]], "records")
    try expect(try store.records(ofType: "None"), is: [], "records of an unknown type")
  }

  private func checkPending() throws {
    let records = [
      Sample.pending("A", revision: 9), Sample.pending("B", revision: 3), Sample.clean("C"),
      Sample.pending("D", in: Sample.otherZone, revision: 5),
    ]
    let store = try store(after: DeviceTransition(records: records))
    try expect(try store.pending(in: nil, after: 0, limit: 9), is: [records[1], records[3], records[0]], "all")
    try expect(try store.pending(in: Sample.zone, after: 0, limit: 9), is: [records[1], records[0]], "one zone")
    try expect(try store.pending(in: nil, after: 3, limit: 1), is: [records[3]], "after 3, one")
    try expect(try store.pending(in: nil, after: 9, limit: 9), is: [], "after the last")
  }

  private func checkPendingOfType() throws {
    var held = Sample.pending("Q", revision: 4)
    held.quarantine = .refused("poison")
    var other = Sample.pending("X", revision: 2)
    other.recordType = "Else"
    let records = [
      Sample.pending("A", revision: 9), Sample.pending("B", revision: 3), Sample.clean("C"),
      Sample.pending("D", in: Sample.otherZone, revision: 5), held, other,
    ]
    var store = try store(after: DeviceTransition(records: records))
    func pending(_ type: Name, after revision: Int64 = 0, limit: Int = 9) throws -> [LocalRecord] {
      try store.pending(ofType: type, after: revision, limit: limit)
    }
    try expect(try pending("Item"), is: [records[1], records[3], records[0]], "of one type")
    try expect(try pending("Else"), is: [other], "of another type")
    try expect(try pending("None"), is: [], "of an unknown type")
    try expect(try pending("Item", after: 3, limit: 1), is: [records[3]], "after 3, one")
    try expect(try pending("Item", after: 9), is: [], "after the last")
    var waiting = [DeviceCensus.Waiting(recordType: "Else", count: 1), .init(recordType: "Item", count: 3)]
    try expect(try store.waiting(), is: waiting, "counts")
    var change = Sample.records(Sample.clean("A"))
    change.removedZones = [Sample.otherZone]
    change.removedRecords = [other.recordID]
    try store.commit(change)
    waiting = [DeviceCensus.Waiting(recordType: "Item", count: 1)]
    try expect(try pending("Item"), is: [records[1]], "after changes")
    try expect(try store.waiting(), is: waiting, "counts after changes")
    try store.commit(DeviceTransition(erasure: .recordsAndZones))
    try expect(try pending("Item"), is: [], "after an erasure")
    try expect(try store.waiting(), is: [], "counts after an erasure")
  }

  private func checkQuarantine() throws {
    var held = Sample.pending("A", revision: 1)
    held.quarantine = .refused("poison")
    let store = try store(after: Sample.records(held, Sample.pending("B", revision: 2)))
    try expect(try store.pending(in: nil, after: 0, limit: 9).map(\.recordID), is: [Sample.id("B")], "pending")
    try expect(try store.quarantined(limit: 9), is: [held], "quarantined")
    try expect(try store.quarantined(limit: 0), is: [], "none wanted")
    let census = try store.census()
    try expect([census.pending, census.quarantined], is: [2, 1], "counts")
  }

  private func checkFullFetch() throws {
    let records = [
      Sample.clean("B", fullFetch: 1), Sample.clean("A", fullFetch: 1), Sample.clean("C", fullFetch: 2),
      Sample.clean("D", in: Sample.otherZone, fullFetch: 0),
    ]
    let store = try store(after: DeviceTransition(records: records))
    try expect(try store.records(in: Sample.zone, metBefore: 2), is: [records[1], records[0]], "unswept")
    try expect(try store.records(in: Sample.zone, metBefore: 1), is: [], "unswept before 1")
  }

  private func checkCensus() throws {
    var deleted = Sample.pending("E", revision: 2, since: 40)
    deleted.local = nil
    let records = [
      Sample.clean("A"), Sample.clean("B"), Sample.clean("C", type: "Else"),
      Sample.pending("D", in: Sample.otherZone, revision: 1, since: 50), deleted,
    ]
    var expected = DeviceCensus()
    expected.counts = [
      DeviceCensus.Count(zoneID: Sample.otherZone, recordType: "Item", count: 1),
      DeviceCensus.Count(zoneID: Sample.zone, recordType: "Else", count: 1),
      DeviceCensus.Count(zoneID: Sample.zone, recordType: "Item", count: 2),
    ]
    expected.pending = 2
    expected.oldestPendingAt = WallTime(milliseconds: 40)
    try expect(try store(after: DeviceTransition(records: records)).census(), is: expected, "census")
  }

  private func checkZones() throws {
    let zones = [
      ZoneState(
        zoneID: Sample.zone, token: ChangeToken("dG9rZW4="), tokenAt: WallTime(milliseconds: 8), isStale: true,
        fullFetches: 3, isInFullFetch: true, isAfterLoss: true, acknowledged: [ChangeTag("1 a"), ChangeTag("2\"")]),
      ZoneState(zoneID: Sample.otherZone),
    ]
    var first = DeviceTransition()
    first.zones = [zones[0], ZoneState(zoneID: Sample.otherZone, isStale: true)]
    var second = DeviceTransition()
    second.zones = [zones[1]]
    try expect(try store(after: first, second).zones(), is: [zones[1], zones[0]], "zones")
  }

  private func checkRemovedZone() throws {
    var first = Sample.records(Sample.pending("A", revision: 1), Sample.clean("B", in: Sample.otherZone))
    first.zones = [ZoneState(zoneID: Sample.zone), ZoneState(zoneID: Sample.otherZone)]
    var second = DeviceTransition()
    second.removedZones = [Sample.zone]
    let store = try store(after: first, second)
    try expect(try store.zones().map(\.zoneID), is: [Sample.otherZone], "zones")
    try expect(try store.records(ofType: "Item").map(\.recordID.recordName), is: ["B"], "records")
    try expect(try store.pending(in: nil, after: 0, limit: 9), is: [], "pending")
  }

  private func checkOrder() throws {
    let old = Sample.records(Sample.clean("A"), Sample.clean("B"))
    var change = Sample.records(Sample.pending("A", revision: 1), Sample.pending("C", revision: 2))
    change.removedZones = [Sample.zone]
    change.removedRecords = [Sample.id("A"), Sample.id("missing")]
    change.zones = [ZoneState(zoneID: Sample.zone, fullFetches: 2)]
    let store = try store(after: old, change)
    try expect(try store.records(ofType: "Item").map(\.recordID.recordName), is: ["A", "C"], "records")
    try expect(try store.zones(), is: [ZoneState(zoneID: Sample.zone, fullFetches: 2)], "zones")
  }
}
