import Testing
import ZoneKitCloud
import ZoneKitMemoryStores
import ZoneKitRecords

@Suite struct `a strict cloud` {
  private let title = NamedFieldChange.typed("title", .string("x"))
  private let time = NamedFieldChange.typed("at", .timestamp(WallTime(milliseconds: 1)))

  /// A cloud with the zone `Notes`, the type `Note` with those fields, and then that rule.
  private func cloud(_ rule: Strictness) -> TestCloud {
    var cloud = TestCloud.withNotes()
    _ = cloud.perform(.create("first", [time, title]))
    cloud.server.policy.strictness = rule
    return cloud
  }

  private func query(
    _ type: Name, _ filters: CloudQuery.Filter..., in cloud: inout TestCloud
  ) -> CloudError? {
    let answer = cloud.ask(.queryRecords([QueryRecords(CloudQuery(type, where: filters), in: cloud.notes)]))
    guard case .queries(let results) = answer, case .failed(let error) = results[0] else { return nil }
    return error
  }

  @Test func `refuses record types that the container does not have`() {
    for (rule, error) in [
      (Strictness.fixedSchema, CloudError(.unknownItem, "did not find record type: Late")), ([], nil),
    ] {
      var cloud = cloud(rule)
      #expect(cloud.perform(.create("a", type: "Late", [title])).error == error)
      #expect(cloud.perform(.create("b", type: "Late")).error == error)
    }
  }

  @Test func `refuses fields that the container does not have`() {
    for (rule, error) in [
      (Strictness.fixedSchema, CloudError(.invalidArguments, "Field text not found in Note")), ([], nil),
    ] {
      var cloud = cloud(rule)
      #expect(cloud.perform(.create("a", [.typed("text", .string("x"))])).error == error)
      #expect(cloud.perform(.create("b", [title])).error == nil)
    }
  }

  @Test func `refuses queries and subscriptions of what the container does not have`() {
    for (rule, field, subscription) in [
      (
        Strictness.fixedSchema, CloudError(.invalidArguments, "Unknown field 'text'"),
        CloudError(.unknownItem, "did not find record type: Late")
      ), ([], nil, nil),
    ] {
      var cloud = cloud(rule)
      let filter = CloudQuery.Filter(.equals, .field("text"), .string("x"), isTyped: true)
      #expect(query("Note", filter, in: &cloud) == field)
      let watched = Subscription(
        subscriptionID: "s", kind: .query(QuerySubscription(CloudQuery("Late"), in: nil, firesOn: [.create])),
        notificationInfo: nil)
      guard case .subscriptions(let results) = cloud.ask(.modifySubscriptions([.create(watched)])) else {
        Issue.record("no answer to a subscription")
        return
      }
      if case .failed(_, let error) = results[0] {
        #expect(error == subscription)
      } else {
        #expect(subscription == nil)
      }
    }
  }

  @Test func `needs the change tag of a record to delete it`() {
    for (rule, code) in [(Strictness.taggedDeletes, CloudErrorCode.serverRecordChanged), ([], nil)] {
      var cloud = cloud(rule)
      #expect(cloud.perform(.delete("first")).error?.code == code)
    }
    var cloud = cloud(.taggedDeletes)
    let tag = cloud.tag(of: "first")
    #expect(cloud.perform(RecordOperation(.delete, recordName: "first", changeTag: tag)).error == nil)
    #expect(cloud.perform(RecordOperation(.forceDelete, recordName: "first")).error == nil)
  }

  @Test func `takes an empty token of a zone or database for the newest`() throws {
    for (rule, count) in [(Strictness.emptyTokenIsCurrent, 0), ([], 1)] {
      var cloud = cloud(rule)
      let changes = try cloud.changes(since: ChangeToken(""))
      #expect(changes.page.count == count)
      #expect(try cloud.changes(since: changes.token).page.count == 0)
      #expect(try cloud.changes().page.count == 1)
      guard case .databaseChanges(let zones) = cloud.ask(.fetchDatabaseChanges(since: ChangeToken(""), limit: 10))
      else {
        Issue.record("no changes of the database")
        return
      }
      #expect(zones.zones.count == count)
    }
  }

  @Test func `refuses a time with a fraction`() {
    let reason = "Invalid value, expected type TIMESTAMP for field at of Note, got DOUBLE"
    for (rule, error) in [(Strictness.wholeTimestamps, CloudError(.invalidArguments, reason)), ([], nil)] {
      var cloud = cloud(rule)
      #expect(cloud.perform(.create("a", [.guessed("at", .double(1.5))])).error == error)
      #expect(cloud.perform(.create("b", [.guessed("at", .double(2))])).error == nil)
    }
  }

  @Test func `needs the type of a list to compare with`() {
    for (rule, code) in [(Strictness.typedLists, CloudErrorCode.invalidArguments), ([], nil)] {
      for comparator in [CloudQuery.Comparator.isIn, .isNotIn] {
        var cloud = cloud(rule)
        let guessed = CloudQuery.Filter(comparator, .field("title"), .stringList(["x"]), isTyped: false)
        #expect(query("Note", guessed, in: &cloud)?.code == code)
        let typed = CloudQuery.Filter(comparator, .field("title"), .stringList(["x"]), isTyped: true)
        #expect(query("Note", typed, in: &cloud) == nil)
      }
    }
  }
}
