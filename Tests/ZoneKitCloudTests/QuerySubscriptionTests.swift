import Testing
import ZoneKitMemoryStores
import ZoneKitRecords

@testable import ZoneKitCloud

@Suite struct `a query subscription` {
  private var cloud = TestCloud.withNotes()

  private mutating func subscribe(
    _ query: QuerySubscription, id: String = "q", firesOnce: Bool = false, info: NotificationInfo = .silent
  ) -> SubscriptionResult? {
    let subscription = Subscription(
      subscriptionID: id, kind: .query(query), notificationInfo: info, firesOnce: firesOnce)
    guard case .subscriptions(let results) = cloud.ask(.modifySubscriptions([.create(subscription)])) else {
      return nil
    }
    return results.first
  }

  private mutating func fired(by operations: RecordOperation..., zone: ZoneID? = nil) -> [String] {
    let batch = ModifyRecords(zoneID: zone ?? cloud.notes, operations: operations, isAtomic: false)
    return cloud.effects(of: .modifyRecords(batch)).notices.flatMap(\.matches).map {
      "\($0.subscription.subscriptionID) \($0.record.change.rawValue) \($0.record.recordName)"
    }
  }

  private static let big = CloudQuery("Note", where: [CloudQuery.Filter(.greaterThan, .field("count"), .int64(5))])

  private func note(_ name: Name, _ count: Int64, _ kind: RecordOperation.Kind = .forceUpdate) -> RecordOperation {
    RecordOperation(kind, recordName: name, recordType: "Note", fields: [.typed("count", .int64(count))])
  }

  @Test func `fires for each record that matches after a save, or before its deletion`() {
    var test = self
    _ = test.subscribe(QuerySubscription(Self.big, in: nil, firesOn: RecordChangeKind.allCases))
    #expect(test.fired(by: note("a", 9), note("b", 1), note("c", 7)) == ["q create a", "q create c"])
    #expect(test.fired(by: note("a", 8), note("b", 2)) == ["q update a"])
    #expect(test.fired(by: note("a", 1)) == [], "it does not match any more")
    #expect(test.fired(by: note("a", 6)) == ["q update a"])
    let deletion = test.fired(
      by: RecordOperation(.forceDelete, recordName: "a"), RecordOperation(.forceDelete, recordName: "b"))
    #expect(deletion == ["q delete a"])
    #expect(test.fired(by: note("a", 9)) == ["q create a"], "a deleted record is created again")
  }

  @Test func `fires for its kinds of changes, type and zone alone`() {
    var test = self
    let other = ZoneID(zoneName: "Other")
    _ = test.cloud.ask(.modifyZones([.create(other)]))
    _ = test.subscribe(QuerySubscription(CloudQuery("Note"), in: nil, firesOn: [.update]), id: "updates")
    _ = test.subscribe(QuerySubscription(CloudQuery("Note"), in: other, firesOn: [.create]), id: "other")
    #expect(test.fired(by: note("a", 1)) == [])
    #expect(test.fired(by: note("a", 2)) == ["updates update a"])
    #expect(test.fired(by: note("a", 2), zone: other) == ["other create a"])
    #expect(test.fired(by: .create("x", type: "Item")) == [])
  }

  @Test func `fires for changes of the default zone, which are in no feed`() {
    var test = self
    _ = test.subscribe(QuerySubscription(CloudQuery("Note"), in: .defaultZone, firesOn: [.create]))
    #expect(test.fired(by: note("a", 1), zone: .defaultZone) == ["q create a"])
    let notices = test.cloud.effects(
      of: .modifyRecords(ModifyRecords(zoneID: .defaultZone, operations: [note("a", 2)], isAtomic: false))
    ).notices
    #expect(notices == [], "without a match there is no notice")
  }

  @Test func `that fires once is gone after the first record`() {
    var test = self
    _ = test.subscribe(QuerySubscription(CloudQuery("Note"), in: nil, firesOn: [.create]), firesOnce: true)
    #expect(test.fired(by: note("a", 1), note("b", 1)) == ["q create a"])
    #expect(test.fired(by: note("c", 1)) == [])
    #expect(test.cloud.ask(.listSubscriptions) == .subscriptions([]))
  }

  @Test func `has the fields that it asks for, and values in its texts`() {
    var test = self
    var info = NotificationInfo(alertBody: "new")
    (info.additionalFields, info.alertLocalizationArgs) = (["count", "none"], ["count", "none"])
    _ = test.subscribe(QuerySubscription(CloudQuery("Note"), in: nil, firesOn: [.create]), info: info)
    let batch = ModifyRecords(zoneID: test.cloud.notes, operations: [note("a", 3)], isAtomic: false)
    let match = test.cloud.effects(of: .modifyRecords(batch)).notices.flatMap(\.matches).first
    #expect(match?.record.fields == [RecordNotice.NamedValue("count", .int64(3))])
    #expect(match?.subscription.notificationInfo?.alertLocalizationArgs == ["3", ""])
  }

  @Test func `of a public database belongs to its account`() throws {
    var test = self
    test.cloud.database = DatabaseID(container: "iCloud.a", environment: .development, user: "x", scope: .public)
    _ = test.subscribe(QuerySubscription(CloudQuery("Note"), in: nil, firesOn: [.create]))
    test.cloud.caller = Caller(user: "mum")
    #expect(test.cloud.ask(.listSubscriptions) == .subscriptions([]))
    _ = test.subscribe(QuerySubscription(Self.big, in: nil, firesOn: [.create]))
    guard case .subscriptions(let mums) = test.cloud.ask(.listSubscriptions) else { return }
    #expect(mums.count == 1)
    let batch = ModifyRecords(zoneID: .defaultZone, operations: [note("a", 3)], isAtomic: false)
    let fired = test.cloud.effects(of: .modifyRecords(batch)).notices.flatMap(\.matches)
    #expect(fired.map(\.subscription.user) == ["nanny"])
    _ = test.cloud.ask(.modifySubscriptions([.delete("q")]))
    test.cloud.caller = Caller(user: "nanny")
    guard case .subscriptions(let nannys) = test.cloud.ask(.listSubscriptions) else { return }
    #expect(nannys.count == 1)
  }

  @Test func `with an impossible filter, an unknown zone or no kind of change is refused`() {
    var test = self
    let impossible = CloudQuery("Note", where: [CloudQuery.Filter(.near, .field("x"), .int64(1))])
    let nowhere = ZoneID(zoneName: "Nowhere")
    for (query, code) in [
      (QuerySubscription(impossible, in: nil, firesOn: [.create]), CloudErrorCode.invalidArguments),
      (QuerySubscription(CloudQuery("Note"), in: nowhere, firesOn: [.create]), .zoneNotFound),
      (QuerySubscription(CloudQuery("Note"), in: nil, firesOn: []), .invalidArguments),
      (QuerySubscription(CloudQuery("blah blah"), in: nil, firesOn: [.create]), .invalidArguments),
    ] {
      guard case .failed(_, let error)? = test.subscribe(query) else {
        Issue.record("\(query) is taken")
        continue
      }
      #expect(error.code == code)
    }
  }
}
