import Testing
import ZoneKitRecords

@testable import ZoneKitSync

/// How a device stands to its cloud, in a sentence.
struct DeviceStandingTests {
  private static let recordID = RecordID(recordName: "R", zoneID: ZoneID(zoneName: "Z"))

  private static func content(_ text: String) -> RecordContent {
    var fields = Fields()
    fields["text"] = .string(text)
    return RecordContent(fields: EncodedFields(fields))
  }

  /// Why a device without the record differs from a cloud that committed it at that time.
  private static func unseen(at time: Int64, isRunning: Bool = true) -> DifferenceReason? {
    let version = ServerVersion(
      content: content("new"), changeTag: ChangeTag("2"),
      modified: Authorship(at: WallTime(milliseconds: time), author: Author(userRecordName: "_u")))
    let values: [DeviceKey: DeviceValue] = [
      .account: .text("nanny"), .subscriptionState: .text("active"), .fetchLastSucceededAt: .integer(0),
    ]
    var device = DeviceSighting(
      record: nil, zone: ZoneState(zoneID: recordID.zoneID), values: values, isRunning: isRunning)
    device.pushWay = DeviceSighting.PushWay(isRegistered: true)
    device.pushWay?.dropped = [WallTime(milliseconds: time)]
    return DifferenceReason(of: device, cloud: .saved(version), now: WallTime(milliseconds: 90_000))
  }

  /// Why a stopped device with an edit differs from a cloud that never had the record.
  private static func unsent(quarantine: Quarantine? = nil) -> DifferenceReason? {
    let record = LocalRecord(
      recordID: recordID, recordType: "T", local: content("mine"), revision: 1,
      pendingSince: WallTime(milliseconds: 7_000), quarantine: quarantine)
    let device = DeviceSighting(
      record: record, zone: nil, values: [.account: .text("nanny")], isRunning: false)
    return DifferenceReason(of: device, cloud: .unknown, now: WallTime(milliseconds: 90_000))
  }

  private static func standing(_ device: String, _ reasons: [DifferenceReason?]) -> DeviceStanding {
    var standing = DeviceStanding(device: device)
    for reason in reasons { standing.add(reason) }
    return standing
  }

  @Test func `a device that lacks changes is behind, for the reason of the oldest one`() {
    let standing = Self.standing("B", [Self.unseen(at: 9_000), Self.unseen(at: 5_000), Self.unseen(at: 8_000), nil])
    #expect(standing.sentence == "B is behind by 3 records: the push of 00:00:05 was dropped by the fault plan")
    #expect((standing.level, standing.behind, standing.alike) == (.behind, 3, 1))
  }

  @Test func `edits that the cloud has not, and what it refused, are counted apart`() {
    let standing = Self.standing(
      "A", [Self.unsent(), Self.unsent(quarantine: .refused("full")), Self.unseen(at: 1_000)])
    #expect((standing.level, standing.behind, standing.ahead, standing.stuck) == (.stuck, 1, 1, 1))
    #expect(standing.sentence.hasPrefix("A is behind by 1 record: "))
    #expect(standing.sentence.contains("; it has 1 edit that the cloud has not: it is not running; it holds 1 record"))
  }

  @Test func `devices that hold the same are one sentence, after those that differ`() {
    let same = ["A", "C", "D"].map { Self.standing($0, [nil, nil]) }
    let behind = Self.standing("B", [nil, Self.unseen(at: 5_000, isRunning: false)])
    #expect(
      DeviceStanding.sentences(of: [same[0], behind, same[1], same[2]]) == [
        "B is behind by 1 record: it is not running", "A, C and D hold the same 2 records",
      ])
    #expect(DeviceStanding.sentences(of: [same[0]]) == ["A holds the same 2 records as the cloud"])
    #expect(DeviceStanding.sentences(of: []) == [])
  }
}
