import ZoneKitRecords
import Testing
import ZoneKitCloud

/// Random operations against a plain reference: folding the feed from any token, with pages of any size, ends at the
/// store's content (CloudKit Web Services, j.4).
@Suite struct `the feed, whatever happens` {
  /// What a device that folds the feed knows.
  struct Folded: Equatable {
    var records: [Name: Record] = [:]
    var token: ChangeToken?

    mutating func fold(_ page: RecordPage) {
      for change in page.changes {
        switch change {
        case .saved(let record): records[record.recordName] = record
        case .deleted(let name, _): records[name] = nil
        }
      }
    }
  }

  @Test(arguments: UInt64(1)...40)
  func `folds to the store from every token with every page size`(seed: UInt64) throws {
    var cloud = TestCloud.withNotes(seed: seed)
    var random = SplitMix64(seed: seed &* 977)
    var devices = [Folded()]
    for _ in 0..<25 {
      change(&cloud, using: &random)
      var device = devices.randomElement(using: &random) ?? Folded()
      try catchUp(&device, with: &cloud, limit: Int.random(in: 1...9, using: &random))
      #expect(device.records == truth(&cloud))
      devices.append(device)
    }
    let truth = truth(&cloud)
    #expect(cloud.header?.recordCount == truth.count)
    for (index, start) in devices.enumerated() {
      for limit in [1, 2, 7, 200] {
        var device = start
        try catchUp(&device, with: &cloud, limit: limit)
        #expect(device.records == truth, "device \(index), pages of \(limit)")
        #expect(device.token == devices.last?.token || index == devices.count, "device \(index), pages of \(limit)")
      }
    }
    try expectOrder(&cloud)
  }

  /// Forwards and backwards are the same entries, each record once, in order of their tags.
  private func expectOrder(_ cloud: inout TestCloud) throws {
    let forwards = try cloud.changes().page.changes
    #expect(try cloud.changes(isReversed: true).page.changes == forwards.reversed())
    #expect(Set(forwards.map(\.recordName)).count == forwards.count)
    let header = try #require(cloud.header)
    #expect(header.recordCount + header.tombstoneCount == forwards.count)
  }

  private func catchUp(_ device: inout Folded, with cloud: inout TestCloud, limit: Int) throws {
    while true {
      let page = try cloud.changes(since: device.token, limit: limit)
      #expect(page.page.count <= limit)
      device.fold(page.page)
      device.token = page.token
      guard page.moreComing else { return }
      #expect(page.page.count > 0)
    }
  }

  private let names = (0..<12).map { Name("n\($0)") }

  /// What the zone holds, asked record by record.
  private func truth(_ cloud: inout TestCloud) -> [Name: Record] {
    guard case .records(let results) = cloud.ask(.lookupRecords(zoneID: cloud.notes, recordNames: names)) else {
      return [:]
    }
    var records: [Name: Record] = [:]
    for record in results.compactMap(\.record) { records[record.recordName] = record }
    return records
  }

  /// A random batch; now and then the commit fails, or the process dies before it.
  private func change(_ cloud: inout TestCloud, using random: inout SplitMix64) {
    let subjects = names.shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random))
    let operations = subjects.map { operation(on: $0, tag: cloud.tag(of: $0), using: &random) }
    let batch = ModifyRecords(zoneID: cloud.notes, operations: operations, isAtomic: Bool.random(using: &random))
    let before = cloud.header
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      let key = ZoneKey(database: cloud.database, zoneName: cloud.notes.zoneName)
      cloud.server.store.failNextCommit(of: .zone(key), with: StoreError(.failed, "fault", place: "Notes"))
      cloud.receive(.modifyRecords(batch))
      let effects = cloud.endTurn()
      // Where the batch changed nothing the fault waits for the next commit.
      #expect(effects.notices.isEmpty && cloud.header == before)
    case 1:
      cloud.receive(.modifyRecords(batch))
      var store = cloud.server.store
      store.crash()
      cloud.server = ZoneServer(store: store)
      #expect(cloud.header == before)
    default:
      let effects = cloud.effects(of: .modifyRecords(batch))
      #expect(effects.notices.isEmpty == (cloud.header == before))
    }
  }

  private func operation(
    on name: Name, tag: ChangeTag?, using random: inout SplitMix64
  ) -> RecordOperation {
    let kinds = RecordOperation.Kind.allCases + [.create, .create, .forceUpdate]
    let kind = kinds.randomElement(using: &random) ?? .create
    var fields = [NamedFieldChange.typed("count", .int64(Int64.random(in: 0...9, using: &random)))]
    if let target = names.randomElement(using: &random), Int.random(in: 0..<3, using: &random) == 0 {
      let action = Reference.Action.allCases.randomElement(using: &random) ?? .none
      fields.append(.typed("target", .reference(Reference(recordName: target, action: action))))
    }
    let isStale = Int.random(in: 0..<5, using: &random) == 0
    return RecordOperation(
      kind, recordName: name, recordType: "Note", changeTag: isStale ? ChangeTag("zz") : tag, fields: fields)
  }
}
