import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `a request whose reads come one after the other` {
  private let notes = ZoneID(zoneName: "Notes")

  /// Requests of all kinds, with references, cascades, tokens and refusals.
  private func request(_ generator: inout SplitMix64, token: ChangeToken?) -> CloudRequest {
    func name() -> Name { Name("r\(Int.random(in: 0..<8, using: &generator))") }
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: return .lookupRecords(zoneID: notes, recordNames: [name(), "none"])
    case 1: return .fetchZoneChanges([ZoneChangesQuery(zoneID: notes, token: token)])
    case 2: return .fetchDatabaseChanges(since: nil, limit: 3)
    case 3:
      let subscription = Subscription(subscriptionID: name().text, kind: .zone(notes), notificationInfo: nil)
      return .modifySubscriptions([.create(subscription), .delete(name().text)])
    case 4: return .modifyZones([.create(ZoneID(zoneName: name())), .delete(ZoneID(zoneName: "r1"))])
    case 5:
      let query = ZoneChangesQuery(zoneID: notes, token: nil, limit: 3, isReversed: true, recordTypes: nil)
      return .fetchZoneChanges([query, ZoneChangesQuery(zoneID: ZoneID(zoneName: "r2"), token: nil)])
    default:
      let names = Set((0..<4).map { _ in Int.random(in: 0..<8, using: &generator) }).sorted()
      let operations = names.map { number -> RecordOperation in
        let record = Name("r\(number)")
        return switch Int.random(in: 0..<5, using: &generator) {
        case 0: .delete(record)
        case 1: RecordOperation(.forceUpdate, recordName: record)
        case 2: .create(record, .validate, to: name())
        default: .create(record, .deleteSelf, to: name())
        }
      }
      return .modifyRecords(
        ModifyRecords(zoneID: notes, operations: operations, isAtomic: Bool.random(using: &generator)))
    }
  }

  @Test(arguments: 0..<20)
  func `comes to the same as one whose reads are all met at once`(seed: UInt64) throws {
    var choices = SplitMix64(seed: seed)
    var whole = TestCloud.withNotes()
    var stepped = whole
    var token: ChangeToken?
    for _ in 0..<40 {
      let count = Int.random(in: 1...3, using: &choices)
      for _ in 0..<count {
        let request = request(&choices, token: token)
        whole.receive(request)
        offer(request, to: &stepped)
      }
      let effects = whole.endTurn()
      // Tickets count on in the first cloud only.
      #expect(stepped.endTurn().answers == effects.answers)
      for case .zoneChanges(let results) in effects.answers {
        if case .changes(let changes)? = results.first, Bool.random(using: &choices) { token = changes.token }
      }
    }
    #expect(whole.server.status(of: whole.database) == stepped.server.status(of: stepped.database))
    #expect(whole.generator == stepped.generator)
  }

  /// Reads one need at a time, and offers the request again after each.
  private func offer(_ request: CloudRequest, to cloud: inout TestCloud) {
    var submission = cloud.server.submission(
      of: request, ticket: Ticket(0), in: cloud.database, from: cloud.caller, at: cloud.now)
    while true {
      let before = cloud.generator
      guard case .needs(let needs) = cloud.server.offer(&submission, using: &cloud.generator) else { return }
      #expect(before == cloud.generator, "a request that waits for reads draws nothing")
      #expect(!needs.isEmpty)
      cloud.server.prefetch(Array(needs.prefix(1)))
    }
  }

  @Test func `makes one name for a record without a name, though no generator repeats its numbers`() throws {
    var cloud = TestCloud.withNotes()
    var generator = UncopiedNumbers()
    let unnamed = RecordOperation(.create, recordName: nil, recordType: "Note")
    var submission = cloud.server.submission(
      of: .modifyRecords(ModifyRecords(zoneID: notes, operations: [unnamed], isAtomic: false)), ticket: Ticket(0),
      in: cloud.database, from: cloud.caller, at: cloud.now)
    var offers = 1
    while offers < 10, case .needs(let needs) = cloud.server.offer(&submission, using: &generator) {
      cloud.server.prefetch(needs)
      offers += 1
    }
    #expect(offers < 10)
    let commits = cloud.server.endTurn(using: &generator).filter {
      if case .fact(.committed) = $0 { true } else { false }
    }
    #expect(commits.count == 1)
    #expect(cloud.server.status(of: cloud.database).zones.map(\.recordCount) == [1])
  }

  @Test func `is evaluated once where all that it reads shows in the request`() {
    var cloud = TestCloud.withNotes()
    let title = NamedFieldChange.typed("title", .string(""))
    _ = cloud.perform(.create("of a known type", [title]))
    for request: CloudRequest in [
      .modifyRecords(
        ModifyRecords(zoneID: notes, operations: [.create("a", [title]), .create("b")], isAtomic: true)),
      .lookupRecords(zoneID: notes, recordNames: ["a"]), .fetchDatabaseChanges(since: nil, limit: 1), .listZones,
      .fetchZoneChanges([ZoneChangesQuery(zoneID: notes, token: nil)]), .listSubscriptions,
      .modifyRecords(ModifyRecords(zoneID: notes, operations: [.delete("a")], isAtomic: true)),
    ] {
      var submission = cloud.server.submission(
        of: request, ticket: Ticket(0), in: cloud.database, from: cloud.caller, at: cloud.now)
      guard case .needs(let needs) = cloud.server.offer(&submission, using: &cloud.generator) else {
        Issue.record("nothing was read for \(request)")
        continue
      }
      cloud.server.prefetch(needs)
      #expect(cloud.server.offer(&submission, using: &cloud.generator) == .taken)
      _ = cloud.endTurn()
    }
  }
}

/// A generator whose copies continue instead of repeating its numbers, as the operating system's source does.
private struct UncopiedNumbers: RandomNumberGenerator {
  private final class Source { var numbers = SplitMix64(seed: 1) }

  private let source = Source()

  func next() -> UInt64 { source.numbers.next() }
}
