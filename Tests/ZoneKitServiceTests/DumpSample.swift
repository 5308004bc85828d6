import ZoneKitRecords
import ZoneKitService
import ZoneKitMemoryStores
import ZoneKitSync

/// A dump of fixed values: two devices, one that cannot be read, a cloud and two traces.
enum DumpSample {
  static let now = WallTime(milliseconds: 1_786_689_065_250)

  private static func ago(_ milliseconds: Int64) -> Int64 { now.milliseconds - milliseconds }
  private static func time(_ milliseconds: Int64) -> WallTime { WallTime(milliseconds: ago(milliseconds)) }

  /// What device A's store is made of.
  static var transition: DeviceTransition {
    var transition = DeviceTransition(
      records: [
        LocalRecord(
          recordID: StoresWorld.recordID("N1"), recordType: "Note", local: StoresWorld.text("one"), revision: 1,
          pendingSince: time(90_000)),
        LocalRecord(
          recordID: StoresWorld.recordID("N2"), recordType: "Note", local: StoresWorld.text("two"), revision: 2,
          pendingSince: time(60_000), quarantine: .refused("too large")),
      ],
      values: [
        ValueChange(.account, .text("nanny")), ValueChange(.deviceID, .text("id-A")),
        ValueChange(.pushLastReceivedAt, .integer(ago(3_000))), ValueChange(.pushLastNotificationID, .text("NID-1")),
        ValueChange(.pushLastSentAt, .integer(ago(3_020))), ValueChange(.pushLastHandledAt, .integer(ago(2_500))),
        ValueChange(.pushReceived, .integer(7)), ValueChange(.pushDuplicates, .integer(1)),
        ValueChange(.pushDrought, .integer(1)), ValueChange(.fetchLastStartedAt, .integer(ago(2_750))),
        ValueChange(.fetchLastFinishedAt, .integer(ago(2_500))), ValueChange(.fetchLastReason, .text("push")),
        ValueChange(.fetchLastResult, .text("ok")), ValueChange(.fetchRecords, .integer(2)),
        ValueChange(.fetchPages, .integer(3)), ValueChange(.databaseToken, .text("t")),
        ValueChange(.databaseTokenAt, .integer(ago(2_600))), ValueChange(.sendLastAt, .integer(ago(90_000_000))),
        ValueChange(.subscriptionID, .text("zonekit-database-changes")),
        ValueChange(.subscriptionState, .text("active")),
        ValueChange(.subscriptionOrigin, .text("created")), ValueChange(.clockOffset, .integer(12)),
        ValueChange(.subscriptionVerifiedAt, .integer(ago(7_200_000))), ValueChange(.conflictTotal, .integer(1)),
      ])
    transition.conflicts = [
      ConflictEntry(
        id: "c", recordID: StoresWorld.recordID("N1"), recordType: "Note", at: time(120_000), winner: .server,
        rule: "updatedAt", local: stamped, server: nil, serverDeviceID: "id-B", decidedBy: "id-A")
    ]
    transition.traces = [trace("N1", tag: "1", age: 9_000, push: false), trace("N2", tag: "2", age: 3_040, push: true)]
    return transition
  }

  private static var stamped: RecordContent {
    var fields = Fields()
    fields["at"] = .timestamp(now)
    fields["text"] = .string("mine")
    return RecordContent(fields: EncodedFields(fields))
  }

  private static func trace(_ name: Name, tag: String, age: Int64, push: Bool) -> ChangeTrace {
    ChangeTrace(
      recordID: StoresWorld.recordID(name), changeTag: ChangeTag(tag), deviceID: "id-B", committedAt: time(age),
      notifiedAt: push ? time(age - 20) : nil, receivedAt: push ? time(age - 40) : nil, fetchedAt: time(age - 290),
      mergedAt: time(age - 310))
  }

  /// A document with that device, one that cannot be read, and a cloud whose server runs.
  static func document() throws -> JSON {
    var store = MemoryDeviceStore()
    try store.commit(transition)
    let device = try DeviceDiagnostics(of: store, name: "A", state: .backingOff, at: now)
    return [
      "generatedAt": .string(now.iso8601), "zonekit": "0.1.0",
      "devices": [DeviceReport.device(device), ["name": "B", "error": "file is not a database"]], "cloud": cloud,
      "traces": .array(DeviceReport.traces(device)),
    ]
  }

  private static let cloud: JSON = [
    "zones": [
      [
        "user": "nanny", "name": "Notes", "records": 2, "tombstones": 1, "sequence": 14,
        "lastCommitAt": "2026-08-14T06:31:02.210Z", "deleted": false,
      ],
      [
        "user": "nanny", "name": "Old", "records": 0, "tombstones": 0, "sequence": 3,
        "lastCommitAt": "2026-08-12T06:31:02.210Z", "deleted": true,
      ],
    ],
    "subscriptions": [["id": "zonekit-database-changes"]], "registrations": [["device": "A"], ["device": "B"]],
    "pushes": [
      "made": 9, "excludedOrigin": 4, "coalesced": 1, "delivered": 7, "stored": 1,
      "discarded": ["expired": 0, "device offline": 2],
    ],
  ]
}
