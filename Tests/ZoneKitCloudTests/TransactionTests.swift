import ZoneKitRecords
import ZoneKitMemoryStores
import Testing
import ZoneKitCloud

/// Adds to a number that a record of some zones holds, and answers the sums.
private struct Addition: ZoneTransaction {
  var zones: [ZoneKey]
  var step: Int64 = 1
  var likelyNeeds: [Need] = []
  var announcement = TransactionOutcome.Announcement.none

  func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    var sums: [Int64] = []
    var changed: [ZoneOverlay] = []
    for zone in zones {
      let now = WallTime(milliseconds: 1_700_000_000_000)
      let header =
        try reader.zone(zone)
        ?? ZoneHeader(
          zoneName: zone.zoneName, incarnation: generator.next(), sequence: 0, databaseSequence: 0,
          at: WallTime(milliseconds: 0))
      var overlay = ZoneOverlay(content: reader.content(of: zone), header: header)
      let author = Author(userRecordName: "_user")
      var sum = step
      if let record = try overlay.live("sum") {
        guard case .int64(let number)? = (try? record.fields.decoded())?["number"] else { throw .refused(Self.damaged) }
        sum += number
      }
      let stamp = Authorship(at: overlay.nextStamp(at: now), author: author)
      try overlay.put(
        StoredRecord(
          recordName: "sum", recordType: "Sum",
          fields: EncodedFields(Fields([Field(name: "number", value: .int64(sum))])), sequence: 0, created: stamp,
          modified: stamp, parent: nil, references: []))
      sums.append(sum)
      changed.append(overlay)
    }
    return TransactionOutcome(
      TransactionAnswer(sums, size: 8 * sums.count), changing: changed, announcement: announcement)
  }

  static let damaged = CloudError(.internalError, "the record holds no number")
}

@Suite struct `a transaction` {
  private func key(_ name: Name, of cloud: TestCloud) -> ZoneKey { ZoneKey(database: cloud.database, zoneName: name) }

  private func transact(_ addition: Addition, _ number: Int, in cloud: inout TestCloud, room: Int = AnswerSize.limit) {
    cloud.server.transact(
      addition, ticket: Ticket(number), in: cloud.database, from: cloud.caller, at: cloud.now, room: room,
      using: &cloud.generator)
  }

  private func sums(_ effects: [CloudEffect]) -> [Int: [Int64]] {
    var sums: [Int: [Int64]] = [:]
    for case .transacted(let ticket, .done(let answer)) in effects {
      sums[ticket.number] = answer.value(as: [Int64].self)
    }
    return sums
  }

  @Test func `sees what those before it in the same turn changed, and all are committed together`() {
    var cloud = TestCloud()
    for number in 1...3 { transact(Addition(zones: [key("Sums", of: cloud)]), number, in: &cloud) }
    let effects = cloud.endTurn()
    #expect(sums(effects) == [1: [1], 2: [2], 3: [3]])
    guard case .committed(let commit)? = effects.facts.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(effects.facts.count == 1 && commit.requests == 3 && commit.sequence == 3)
    #expect(effects.notices.isEmpty)
  }

  @Test func `notifies the subscriptions of each zone that it changed, if it is announced`() {
    var cloud = TestCloud.withNotes()
    let subscription = Subscription(subscriptionID: "all", kind: .database, notificationInfo: .silent)
    cloud.receive(.modifySubscriptions([.create(subscription)]))
    _ = cloud.endTurn()
    transact(Addition(zones: [key("Notes", of: cloud)], announcement: .others), 1, in: &cloud)
    transact(Addition(zones: [key("Notes", of: cloud)]), 2, in: &cloud)
    let notices = cloud.endTurn().notices
    #expect(notices.map(\.zoneID.zoneName) == ["Notes"])
    #expect(notices.first?.originDeviceID == "d1")
    #expect(notices.first?.subscriptions.map(\.subscriptionID) == ["all"])
  }

  @Test func `shares a turn with requests of the same zone`() {
    var cloud = TestCloud.withNotes()
    cloud.receive(.modifyRecords(ModifyRecords(zoneID: cloud.notes, operations: [.create("a")], isAtomic: true)))
    transact(Addition(zones: [key("Notes", of: cloud)]), 7, in: &cloud)
    let lookup = cloud.receive(.lookupRecords(zoneID: cloud.notes, recordNames: ["a", "sum"]))
    let effects = cloud.endTurn()
    #expect(sums(effects) == [7: [1]])
    guard
      case .answer(lookup, .records(let results))? = effects.last(where: {
        if case .answer = $0 { true } else { false }
      })
    else {
      Issue.record("\(effects)")
      return
    }
    #expect(results.map { $0.record?.changeTag } == [ChangeTag(sequence: 1), ChangeTag(sequence: 2)])
  }

  @Test func `gives its records times that rise, also within a millisecond and after the clock went back`() {
    var cloud = TestCloud()
    let zone = key("Sums", of: cloud)
    var times: [WallTime] = []
    for number in 1...3 {
      transact(Addition(zones: [zone]), number, in: &cloud)
      _ = cloud.endTurn()
      cloud.now = cloud.now.advanced(byMilliseconds: -10)
      let record = try? cloud.server.store.record("sum", in: zone)
      times += [record?.modified.at].compactMap { $0 }
    }
    let start: Int64 = 1_700_000_000_000
    #expect(times.map(\.milliseconds) == [start, start + 1, start + 2])
  }

  @Test func `is evaluated again if it was stale, and answered once`() {
    var cloud = TestCloud()
    let zone = key("Sums", of: cloud)
    cloud.server.store.makeNextCommitStale(of: .zone(zone))
    transact(Addition(zones: [zone]), 1, in: &cloud)
    let effects = cloud.endTurn()
    #expect(sums(effects) == [1: [1]])
    #expect(effects.facts.first == .commitFailed(CommitFailure(place: .zone(zone), cause: .stale)))
  }

  @Test func `fails with the error of its commit, and changes nothing`() {
    var cloud = TestCloud()
    let zone = key("Sums", of: cloud)
    cloud.server.store.failNextCommit(of: .zone(zone), with: StoreError(.full, "no room", place: "test"))
    transact(Addition(zones: [zone]), 1, in: &cloud)
    guard case .transacted(Ticket(1), .failed(let error))? = cloud.endTurn().first else {
      Issue.record("the transaction did not fail")
      return
    }
    #expect(error.code == .serviceUnavailable)
    transact(Addition(zones: [zone]), 2, in: &cloud)
    #expect(sums(cloud.endTurn()) == [2: [1]])
  }

  @Test func `changes zones of several databases, each with its database's next sequence`() {
    var cloud = TestCloud()
    var other = cloud.database
    other.user = "dad"
    let zones = [key("A", of: cloud), key("B", of: cloud), ZoneKey(database: other, zoneName: "A")]
    transact(Addition(zones: zones, step: 5), 1, in: &cloud)
    #expect(sums(cloud.endTurn()) == [1: [5, 5, 5]])
    let sequences = zones.map { try? cloud.server.store.zone($0)?.databaseSequence }
    #expect(sequences == [1, 2, 1])
  }

  @Test func `is refused if its answer has no room`() {
    var cloud = TestCloud()
    let zones = [key("A", of: cloud)]
    let answers = [AnswerSize.limit * 2, AnswerSize.limit * 2 + 1].map { size -> Bool in
      let large = Large(size: size, zone: zones[0])
      cloud.server.transact(
        large, ticket: Ticket(1), in: cloud.database, from: cloud.caller, at: cloud.now, using: &cloud.generator)
      if case .transacted(_, .done)? = cloud.endTurn().first { return true } else { return false }
    }
    #expect(answers == [true, false])
  }
}

/// Answers with a size.
private struct Large: ZoneTransaction {
  var size: Int
  var zone: ZoneKey
  var likelyNeeds: [Need] { [.zone(zone)] }

  func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    _ = try reader.zone(zone)
    return TransactionOutcome(TransactionAnswer(size, size: size))
  }
}
