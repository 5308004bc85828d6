import Testing
import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

struct DocumentMergePolicyTests {
  private func item(_ id: String, at stamp: Int64, _ name: String = "Oats", isRemoved: Bool = false) -> String {
    let removed = isRemoved ? "\"deleted\":1," : ""
    return
      "{\"_id\":\"\(id)\",\"createdAt\":1,\(removed)\"name\":\"\(name)\",\"quantityMilli\":1,\"unit\":\"g\",\"updatedAt\":\(stamp)}"
  }

  private func log(at stamp: Int64, _ items: [String] = [], notes: String? = nil, isDeleted: Bool = false)
    -> RecordContent
  {
    var fields = Fields()
    fields["mealType"] = .string("lunch")
    fields["items"] = .stringList(items)
    fields["notes"] = notes.map { .string($0) }
    fields[.documentStamp] = .timestamp(WallTime(milliseconds: stamp))
    fields[.deleted] = isDeleted ? .int64(1) : nil
    return RecordContent(fields: EncodedFields(fields))
  }

  private func resolve(
    _ local: RecordContent?, _ server: RecordContent?, ancestor: RecordContent? = nil, type: Name = "foodLogs"
  ) -> Resolution {
    let id = RecordID(recordName: Name("\(type).A"), zoneID: DietLog.zoneID)
    return DocumentMergePolicy(DietLog.schema).resolve(
      Conflict(recordID: id, recordType: type, local: local, server: server, ancestor: ancestor))
  }

  @Test func `the later version wins, then the living one, then the greater bytes`() {
    #expect(resolve(log(at: 2), log(at: 1, notes: "z")) == Resolution(.keepLocal, rule: "updatedAt"))
    #expect(resolve(log(at: 1), log(at: 1, isDeleted: true)) == Resolution(.keepLocal, rule: "alive"))
    #expect(resolve(log(at: 1, notes: "a"), log(at: 1, notes: "b")) == Resolution(.adoptServer, rule: "content"))
  }

  @Test func `items of both sides are kept`() {
    let (ours, theirs) = (log(at: 2, [item("A", at: 2)]), log(at: 3, [item("B", at: 3)]))
    let both = log(at: 3, [item("A", at: 2), item("B", at: 3)])
    #expect(resolve(ours, theirs) == Resolution(.merged(both), rule: "merged"))
    #expect(resolve(theirs, ours) == Resolution(.merged(both), rule: "merged"))
    #expect(resolve(ours, both) == Resolution(.adoptServer, rule: "updatedAt"))
  }

  @Test func `with an ancestor both keep their changes of different fields`() {
    let ancestor = log(at: 1, [item("A", at: 1)], notes: "old")
    let ours = log(at: 2, [item("A", at: 1)], notes: "new")
    let theirs = log(at: 3, [item("A", at: 3, "Rice")], notes: "old")
    let both = log(at: 3, [item("A", at: 3, "Rice")], notes: "new")
    #expect(resolve(ours, theirs, ancestor: ancestor) == Resolution(.merged(both), rule: "merged"))
    #expect(resolve(ours, theirs) == Resolution(.adoptServer, rule: "updatedAt"))
  }

  @Test func `an edit of a purged document makes it anew, and a deletion of it is done`() {
    #expect(resolve(log(at: 1), nil) == Resolution(.keepLocal, rule: "revived"))
    #expect(resolve(nil, log(at: 1)) == Resolution(.adoptServer, rule: "revived"))
    #expect(resolve(log(at: 1, isDeleted: true), nil) == Resolution(.delete, rule: "purged"))
    #expect(resolve(nil, log(at: 1, isDeleted: true)) == Resolution(.delete, rule: "purged"))
  }

  @Test func `records of unknown types and unreadable records have an order too`() {
    let broken = RecordContent(fields: EncodedFields(canonical: Array("{".utf8)))
    #expect(resolve(log(at: 2), log(at: 1), type: "moods") == Resolution(.keepLocal, rule: "updatedAt"))
    #expect(resolve(log(at: 2), broken).rule == "content")
    #expect(resolve(log(at: 2), log(at: 1), ancestor: broken) == Resolution(.keepLocal, rule: "updatedAt"))
  }
}
