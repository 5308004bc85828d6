import Testing
import ZoneKitRecords
import ZoneKitCloud

@Suite struct `an answer's size` {
  /// A cloud whose zones have that many records of about a megabyte each.
  private func cloud(_ counts: (zone: Name, records: Int)...) -> TestCloud {
    var cloud = TestCloud()
    _ = cloud.ask(.modifyZones(counts.map { .create(ZoneID(zoneName: $0.zone)) }))
    let text = FieldValue.string(String(repeating: "x", count: 1_000_000))
    for (zone, records) in counts {
      for number in 0..<records {
        let operation = RecordOperation.create(Name("n\(number)"), [.typed("text", text)])
        let batch = ModifyRecords(zoneID: ZoneID(zoneName: zone), operations: [operation], isAtomic: true)
        _ = cloud.ask(.modifyRecords(batch))
      }
    }
    return cloud
  }

  private func pages(_ response: CloudResponse) -> [ZoneChanges] {
    guard case .zoneChanges(let results) = response else { return [] }
    return results.compactMap { if case .changes(let changes) = $0 { changes } else { nil } }
  }

  private func query(_ zone: Name, since token: ChangeToken? = nil, isReversed: Bool = false) -> ZoneChangesQuery {
    ZoneChangesQuery(zoneID: ZoneID(zoneName: zone), token: token, isReversed: isReversed)
  }

  @Test(arguments: [false, true]) func `ends a page of a feed before the record that exceeds it`(isReversed: Bool)
    throws
  {
    var cloud = cloud(("Notes", 5))
    let first = try cloud.changes(isReversed: isReversed)
    #expect(first.page.count == 3 && first.moreComing)
    let second = try cloud.changes(since: first.token)
    #expect(second.page.count == 2 && !second.moreComing)
  }

  @Test func `lets a page have one record, however little room there is, but none that is too large for it`() {
    var cloud = cloud(("Notes", 3))
    let large = cloud.ask(.fetchZoneChanges([query("Notes")]), room: 2 << 20)
    #expect(pages(large).map(\.page.count) == [1])
    let none = cloud.ask(.fetchZoneChanges([query("Notes")]), room: 0)
    guard case .failure(let error) = none else {
      Issue.record("the answer was \(none)")
      return
    }
    #expect(error.code == .serviceUnavailable && error.retryAfterMilliseconds == AnswerSize.retryAfter)
  }

  @Test func `is a part of what a request costs, with the bytes that it reads and the records that it changes`() {
    var cloud = cloud(("Notes", 3))
    _ = cloud.ask(.fetchZoneChanges([query("Notes")]), room: 0)
    #expect(cloud.lastCost.readBytes > 1_000_000 && cloud.lastCost.answerBytes < 1_000)
    #expect(cloud.lastCost.work > 1_000_000)
    let operations = (0..<50).map { RecordOperation.create(Name("s\($0)"), []) }
    _ = cloud.modify(operations)
    #expect(cloud.lastCost.changes == 50 && cloud.lastCost.work > 50 * TurnCost.changeBytes)
    _ = cloud.modify([operations[0]])
    #expect(cloud.lastCost.changes == 0)
  }

  @Test(arguments: [false, true]) func `postpones zones for which there is no room`(isReversed: Bool) {
    var cloud = cloud(("A", 2), ("B", 4), ("C", 1), ("D", 1))
    let zones: [Name] = ["A", "B", "C", "D"]
    var tokens: [ChangeToken?] = zones.map { _ in nil }
    var counts: [[Int]] = []
    for _ in 0..<2 {
      let queries = zones.indices.map { query(zones[$0], since: tokens[$0], isReversed: isReversed) }
      let pages = pages(cloud.ask(.fetchZoneChanges(queries)))
      counts.append(pages.map(\.page.count))
      #expect(pages.allSatisfy { $0.moreComing == ($0.zoneID.zoneName != "A" && counts.count == 1) })
      tokens = pages.map(\.token)
    }
    #expect(counts == [[2, 3, 0, 0], [0, 1, 1, 1]])
  }

  @Test func `limits pages of both directions together`() {
    var cloud = cloud(("A", 3), ("B", 3), ("C", 3), ("D", 3))
    let queries = [query("A", isReversed: true), query("B"), query("C", isReversed: true), query("D")]
    #expect(pages(cloud.ask(.fetchZoneChanges(queries))).map(\.page.count) == [3, 3, 0, 0])
  }

  @Test func `refuses a lookup of more than its limit, for good`() {
    var cloud = cloud(("Notes", 9))
    let names = (0..<9).map { Name("n\($0)") }
    guard
      case .records(let results) = cloud.ask(.lookupRecords(zoneID: cloud.notes, recordNames: Array(names.prefix(8))))
    else {
      Issue.record("eight megabytes were refused")
      return
    }
    #expect(results.count == 8)
    guard case .failure(let error) = cloud.ask(.lookupRecords(zoneID: cloud.notes, recordNames: names)) else {
      Issue.record("nine megabytes were answered")
      return
    }
    #expect(error.code == .limitExceeded && error.retryAfterMilliseconds == nil)
  }

  @Test func `refuses changes whose answer repeats too much, and changes nothing`() {
    var cloud = cloud(("Notes", 18))
    let operations = (0..<18).map { number in
      RecordOperation(.forceUpdate, recordName: Name("n\(number)"), fields: [.typed("new", .int64(1))])
    }
    let sequence = cloud.header?.sequence
    #expect(cloud.modify(operations).isEmpty)
    #expect(cloud.header?.sequence == sequence)
    #expect(cloud.modify(Array(operations.prefix(15))).count == 15)
  }

  @Test func `is small where a request names something twice`() {
    var cloud = TestCloud.withNotes()
    let owned = ZoneID(zoneName: "Notes", owner: .user(cloud.caller.userRecordName))
    for request: CloudRequest in [
      .fetchZoneChanges([query("Notes"), ZoneChangesQuery(zoneID: owned, token: nil)]),
      .lookupRecords(zoneID: cloud.notes, recordNames: ["a", "b", "a"]),
    ] {
      guard case .failure(let error) = cloud.ask(request) else {
        Issue.record("\(request) was answered")
        continue
      }
      #expect(error.code == .invalidArguments && error.reason.contains("comes twice in one request"))
    }
  }
}
