import ZoneKitRecords
import Testing

@testable import ZoneKitCloud

@Suite struct `an answer rests on` {
  private let cloud = TestCloud.withNotes()
  private let other = ZoneID(zoneName: "Other")

  private func place(_ zone: Name) -> CommitFailure.Place {
    .zone(ZoneKey(database: cloud.database, zoneName: zone))
  }

  /// Which of these places the answer rests on: the zones Notes, Other and New, and the database's own state.
  private func places(of request: CloudRequest) -> [Bool] {
    var store = cloud.server.store
    var workingSet = WorkingSet()
    var generator = SplitMix64(seed: 1)
    let submission = cloud.server.submission(
      of: request, ticket: Ticket(1), in: cloud.database, from: cloud.caller, at: cloud.now)
    while true {
      switch submission.evaluated(over: workingSet, index: SubscriptionIndex(), using: &generator) {
      case .absent(let needs): store.prefetch(needs, into: &workingSet)
      case .late: return []
      case .answer(let answer):
        return [place("Notes"), place("Other"), place("New"), .database(cloud.database)].map {
          answer.footprint.contains($0)
        }
      }
    }
  }

  private func batch(in zone: ZoneID) -> CloudRequest {
    .modifyRecords(ModifyRecords(zoneID: zone, operations: [.create("a")], isAtomic: true))
  }

  @Test func `the zones that were read for it, also where it is a refusal`() {
    #expect(places(of: batch(in: cloud.notes)) == [true, false, false, false])
    #expect(places(of: batch(in: other)) == [false, true, false, false])
    #expect(places(of: .lookupRecords(zoneID: cloud.notes, recordNames: ["a"])) == [true, false, false, false])
    #expect(places(of: .lookupZones([cloud.notes, other])) == [true, true, false, false])
    #expect(
      places(of: .fetchZoneChanges([ZoneChangesQuery(zoneID: other, token: nil)])) == [false, true, false, false])
  }

  @Test func `every zone of a list`() {
    #expect(places(of: .listZones) == [true, true, true, false])
    #expect(places(of: .fetchDatabaseChanges(since: nil, limit: 1)) == [true, true, true, true])
  }

  @Test func `the database's state, if the answer contains or confirms it`() {
    let ofNotes = Subscription(subscriptionID: "s", kind: .zone(cloud.notes), notificationInfo: nil)
    let registration = PushRegistration(token: "t", environment: .development, deviceID: nil)
    #expect(places(of: .listSubscriptions) == [false, false, false, true])
    #expect(places(of: .modifySubscriptions([.create(ofNotes)])) == [true, false, false, true])
    #expect(places(of: .registerPushToken(registration)) == [false, false, false, true])
  }

  @Test func `the zones that it changes, and not on whom their notices go to`() {
    let operations: [ZoneOperation] = [.create(ZoneID(zoneName: "New")), .delete(cloud.notes)]
    #expect(places(of: .modifyZones(operations)) == [true, false, true, false])
  }

  @Test func `nothing, where nothing was read`() {
    let foreign = ZoneID(zoneName: "Notes", owner: .user("_somebody"))
    let tooMany = Array(repeating: Name("a"), count: ModifyRecords.operationLimit + 1)
    #expect(places(of: .lookupZones([foreign])) == [false, false, false, false])
    #expect(places(of: .createPushToken(environment: .development)) == [false, false, false, false])
    #expect(
      places(of: .lookupRecords(zoneID: cloud.notes, recordNames: tooMany)) == [false, false, false, false])
  }
}
