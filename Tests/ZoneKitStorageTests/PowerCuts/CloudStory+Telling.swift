import ZoneKitCloud
import ZoneKitRecords

extension CloudStory {
  private typealias Requests = (CloudRequest, DatabaseID)

  /// The story: everything that changes files of the cloud.
  mutating func tell() throws {
    let (nanny, other) = (Self.nanny, Self.other)
    try putOldZone("Old", in: other)
    try turn((.modifyZones([.create(ZoneID(zoneName: "Notes"))]), other))
    try turn(create("Notes", "Diary"))
    try turn(save("Notes", note("a"), note("b", referringTo: "a"), note("c", referringTo: "a")), subscribe)
    let old = RecordOperation(.forceDelete, recordName: "parent")
    try turn((save("Notes", note("x")).0, other), (save("Old", old).0, other))
    try turn(save("Notes", RecordOperation(.forceUpdate, recordName: "b", recordType: "Note", fields: [text(700)])))
    try turn(save("Notes", (0..<12).map { note(Name("m\($0)"), bytes: 600) }), save("Diary", [note("d")]))
    try turn(save("Notes", RecordOperation(.forceDelete, recordName: "a")))
    try turn(register)
    try copyWAL(of: "Notes")
    try turn(save("Notes", note("e"), note("f")))
    try turn(save("Notes", note("g")), save("Diary", note("h")), (save("Old", note("y")).0, other))
    try administer(.purgeTombstones(ZoneID(zoneName: "Notes"), before: WallTime(milliseconds: 1 << 60)))
    try turn((.modifyZones([.delete(ZoneID(zoneName: "Diary"))]), nanny))
    try turn(create("Diary", "Third"), save("Diary", note("d", bytes: 9)), save("Third", note("t")))
    try emptyWAL(of: "Notes")
    try turn(save("Notes", (0..<3).map { note(Name("n\($0)"), bytes: 3_000) }))
    try restart(openZones: 2)
    try turn(save("Notes", note("i")), create("Fourth", "Fifth"))
    try administer(.expireZoneTokens(ZoneID(zoneName: "Notes")))
    try turn((.modifySubscriptions([.delete("s")]), nanny))
    try turn(save("Notes", RecordOperation(.forceDelete, recordName: "e")), save("Fourth", note("u")))
    try turn(save("Diary", note("z")), save("Third", note("z")), save("Fifth", note("z")), save("Notes", note("z")))
    server.store.close()
  }

  private func create(_ names: Name...) -> Requests {
    (.modifyZones(names.map { .create(ZoneID(zoneName: $0)) }), Self.nanny)
  }

  private func save(_ zone: Name, _ operations: RecordOperation...) -> Requests { save(zone, operations) }

  private func save(_ zone: Name, _ operations: [RecordOperation]) -> Requests {
    (
      .modifyRecords(ModifyRecords(zoneID: ZoneID(zoneName: zone), operations: operations, isAtomic: true)),
      Self.nanny
    )
  }

  private func note(_ name: Name, bytes: Int = 40, referringTo target: Name? = nil) -> RecordOperation {
    var fields = [text(bytes)]
    if let target {
      let reference = FieldValue.reference(Reference(recordName: target, action: .deleteSelf))
      fields.append(NamedFieldChange("target", .set(reference, isTyped: true, isEncrypted: false)))
    }
    return RecordOperation(.create, recordName: name, recordType: "Note", fields: fields)
  }

  private func text(_ bytes: Int) -> NamedFieldChange {
    let text = FieldValue.string(String(repeating: "x", count: bytes))
    return NamedFieldChange("text", .set(text, isTyped: true, isEncrypted: false))
  }

  private var subscribe: Requests {
    let subscription = Subscription(subscriptionID: "s", kind: .database, notificationInfo: .silent)
    return (.modifySubscriptions([.create(subscription)]), Self.nanny)
  }

  private var register: Requests {
    let registration = PushRegistration(token: "0123456789abcdef", environment: .development, deviceID: "d")
    return (.registerPushToken(registration), Self.nanny)
  }
}
