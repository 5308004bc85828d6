import Testing
import ZoneKitRecords
import ZoneKitTableClient
import ZoneKitTables

@testable import ZoneKitSimulator

@Suite struct `the checker of photos` {
  private let record = RecordID(recordName: "persons/1", zoneID: ZoneID(zoneName: "SwissCoin"))
  private let photo = PhotoName(hash: String(repeating: "a", count: 32))
  private var checker = PhotoChecker()

  private mutating func add(_ event: LogEvent) {
    let start = Moment(wall: WallTime(milliseconds: 0), monotonic: MonotonicTime(milliseconds: 0))
    checker.take(LogEntry(event, on: DeviceSnapshot(name: "A"), at: start))
  }

  @Test mutating func `knows a photo that was given until it is named or removed or the store is replaced`() {
    add(.photoGiven(photo, record))
    #expect(checker.open.map(\.record) == [record])
    #expect(checker.open.map(\.photo) == [photo])
    for event in [.photoSettled(record), .photoGiven(nil, record), .diskReplaced, .accountSet] as [LogEvent] {
      add(.photoGiven(photo, record))
      add(event)
      #expect(checker.open.isEmpty)
    }
  }

  @Test mutating func `lets a photo go with its row when a purge removes that`() {
    let other = RecordID(recordName: "persons/2", zoneID: record.zoneID)
    for record in [record, other] { add(.photoGiven(photo, record)) }
    add(.rowsPurged([record]))
    #expect(checker.open.map(\.record) == [other])
  }

  @Test(arguments: [(400, true), (413, true), (401, false), (408, false), (429, false), (503, false)])
  mutating func `lets a device set a photo aside only after a refusal for good`(status: Int, isAllowed: Bool) throws {
    #expect(!checker.maySetAside(record))
    let refusal = World.TableAnswer.object(.refused(ServiceRefusal(status, code: "x", "no")))
    add(.answered(1, refusal))
    #expect(!checker.maySetAside(record))
    let queued = QueuedPhoto(
      name: try #require(photo), size: 1, mediaType: "image/jpeg", since: WallTime(milliseconds: 0))
    add(.asked(2, .object(.upload(record, queued, path: "p"))))
    add(.answered(2, refusal))
    #expect(checker.maySetAside(record) == isAllowed)
    add(.photoGiven(photo, record))
    #expect(!checker.maySetAside(record))
  }
}
