import ZoneKitRecords
import Testing
import ZoneKitCloud

/// Random edits, deeds of an administrator and habits of the cloud: a device that reads page by page, and starts over
/// where it is told so, ends at the store's content.
@Suite struct `the feed under an administrator` {
  /// What a device knows, and how often it had to start over.
  private struct Reader {
    var records: [Name: ChangeTag] = [:]
    var token: ChangeToken?
    var restarts = 0
    var deviceID: String

    mutating func startOver() {
      records = [:]
      token = nil
      restarts += 1
    }
  }

  private let names = (0..<10).map { Name("n\($0)") }
  private let zone = ZoneID(zoneName: "Notes")

  @Test(arguments: UInt64(1)...60)
  func `brings every device to the store's content`(seed: UInt64) throws {
    var cloud = TestCloud.withNotes(seed: seed)
    var random = SplitMix64(seed: seed &* 7919)
    cloud.server.limits.visibleDelay = [0, 0, 5, 50].randomElement(using: &random) ?? 0
    cloud.server.limits.firstFetchTombstones =
      Limits.FirstFetchTombstones.allCases.randomElement(using: &random) ?? .all
    var readers = (1...3).map { Reader(deviceID: "d\($0)") }
    for _ in 0..<150 {
      cloud.now.milliseconds += Int64.random(in: 0...9, using: &random)
      let index = Int.random(in: readers.indices, using: &random)
      cloud.caller = Caller(user: "nanny", deviceID: readers[index].deviceID)
      switch Int.random(in: 0..<40, using: &random) {
      case 0: administer(&cloud, using: &random)
      case 1...15: _ = try read(&readers[index], from: &cloud, limit: Int.random(in: 1...4, using: &random))
      default: edit(&cloud, using: &random)
      }
    }
    _ = cloud.ask(.modifyZones([.create(zone)]))
    cloud.now.milliseconds += 50
    let truth = truth(&cloud)
    for index in readers.indices {
      let before = readers[index].restarts
      cloud.caller = Caller(user: "nanny", deviceID: readers[index].deviceID)
      while try read(&readers[index], from: &cloud, limit: 3) {}
      #expect(readers[index].records == truth, "device \(index)")
      #expect(readers[index].restarts <= before + 1)
    }
  }

  /// Reads a page; whether there is more to read.
  private func read(_ reader: inout Reader, from cloud: inout TestCloud, limit: Int) throws -> Bool {
    let page: ZoneChanges
    do {
      page = try cloud.changes(since: reader.token, limit: limit)
    } catch {
      #expect([.changeTokenExpired, .userDeletedZone, .zoneNotFound].contains(error.code))
      reader.startOver()
      return true
    }
    for change in page.page.changes {
      switch change {
      case .saved(let record): reader.records[record.recordName] = record.changeTag
      case .deleted(let name, _): reader.records[name] = nil
      }
    }
    reader.token = page.token
    return page.moreComing
  }

  private func edit(_ cloud: inout TestCloud, using random: inout SplitMix64) {
    let name = names.randomElement(using: &random) ?? "n0"
    let kind: RecordOperation.Kind = Int.random(in: 0..<3, using: &random) == 0 ? .forceDelete : .forceUpdate
    _ = cloud.modify([RecordOperation(kind, recordName: name, recordType: "Note")])
  }

  private func administer(_ cloud: inout TestCloud, using random: inout SplitMix64) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: _ = cloud.administer(.purgeZone(zone))
    case 1: _ = cloud.administer(.resetEncryptedData(zone))
    case 2: _ = cloud.administer(.expireZoneTokens(zone))
    case 3: _ = cloud.administer(.eraseRecords(zone))
    default:
      let age = Int64.random(in: 0...40, using: &random)
      _ = cloud.administer(.purgeTombstones(zone, before: WallTime(milliseconds: cloud.now.milliseconds - age)))
    }
    if Bool.random(using: &random) { _ = cloud.ask(.modifyZones([.create(zone)])) }
  }

  private func truth(_ cloud: inout TestCloud) -> [Name: ChangeTag] {
    var records: [Name: ChangeTag] = [:]
    for name in names { records[name] = cloud.tag(of: name) }
    return records
  }
}
