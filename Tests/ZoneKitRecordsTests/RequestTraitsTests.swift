import ZoneKitRecords
import Testing

@Suite struct `the traits of a request` {
  private let notes = ZoneID(zoneName: "Notes")
  private let other = ZoneID(zoneName: "Other")

  @Test func `name its operation, and the zones and parts of the database that it reads and may change`() {
    let registration = PushRegistration(token: "t", environment: .development, deviceID: nil)
    let requests: [CloudRequest] = [
      .listZones, .lookupZones([notes, other]), .modifyZones([.create(notes), .delete(other)]),
      .modifyRecords(ModifyRecords(zoneID: notes, operations: [], isAtomic: true)),
      .lookupRecords(zoneID: notes, recordNames: ["a"]), .fetchDatabaseChanges(since: nil, limit: 1),
      .fetchZoneChanges([ZoneChangesQuery(zoneID: other, token: nil)]), .listSubscriptions,
      .lookupSubscriptions(["s"]), .modifySubscriptions([.delete("s")]), .createPushToken(environment: .development),
      .registerPushToken(registration),
      .createUploads(zoneID: notes, [AssetUpload(recordName: "a", recordType: "Note", fieldName: "f")]),
      .rereferenceAssets(zoneID: other, [AssetPlace(recordName: "a", fieldName: "f")]),
      .fetchUsers(.lookup([.emailAddress("a@b.example")])), .resolveShares([ShareRequest("g")]),
      .acceptShares([ShareRequest("g")]),
    ]
    let traits = requests.map { RequestTraits($0) }
    #expect(
      traits.map(\.kind) == [
        .listZones, .lookupZones, .modifyZones, .modifyRecords, .lookupRecords, .fetchDatabaseChanges,
        .fetchZoneChanges, .listSubscriptions, .lookupSubscriptions, .modifySubscriptions, .createPushToken,
        .registerPushToken, .createUploads, .rereferenceAssets, .fetchUsers, .resolveShares, .acceptShares,
      ])
    #expect(
      traits.map(\.zonesRead) == [
        [], [notes, other], [], [], [notes], [], [other], [], [], [], [], [], [notes], [other], [], [], [],
      ])
    #expect(
      traits.map(\.zonesWritten) == [[], [], [notes, other], [notes]] + Array(repeating: [], count: 13))
    #expect(
      traits.map(\.databaseParts) == [
        [.zoneList], [], [.state], [.state], [], [.zoneList, .state], [], [.state], [.state], [.state], [],
        [.account], [], [], [], [], [],
      ])
    #expect(traits.map(\.items.count) == [0, 2, 2, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1])
    for (request, traits) in zip(requests, traits) {
      #expect(request.kind == traits.kind)
      #expect(traits.kind.hasItems || traits.items.isEmpty)
    }
  }

  @Test func `list its items with their own kinds, in the order of the results`() {
    let batch = ModifyRecords(
      zoneID: notes,
      operations: [
        RecordOperation(.create, recordName: nil, recordType: "Note"), RecordOperation(.delete, recordName: "b"),
        RecordOperation(.forceDelete, recordName: "c"), RecordOperation(.replace, recordName: "d"),
      ], isAtomic: false)
    let records = RequestTraits(.modifyRecords(batch)).items
    #expect(records.map(\.kind) == [.saveRecords, .deleteRecords, .deleteRecords, .saveRecords])
    #expect(records.map(\.recordName) == [nil, "b", "c", "d"])
    #expect(records.allSatisfy { $0.zoneID == notes })
    let zones = RequestTraits(.modifyZones([.create(notes), .delete(other)])).items
    #expect(zones.map(\.kind) == [.createZones, .deleteZones] && zones.map(\.zoneID) == [notes, other])
    let fetches = RequestTraits(
      .fetchZoneChanges([ZoneChangesQuery(zoneID: notes, token: ChangeToken("t"))])
    ).items
    #expect(fetches.map(\.token) == [ChangeToken("t")])
    #expect(RequestTraits(.fetchDatabaseChanges(since: ChangeToken("d"), limit: 1)).databaseToken == ChangeToken("d"))
  }

  @Test func `say which subscription each item is about, and whether one is saved`() {
    let subscription = Subscription(subscriptionID: "a", kind: .database, notificationInfo: nil)
    let malformed = SubscriptionOperation.malformed(subscriptionID: "m", CloudError(.invalidArguments, "no type"))
    let all = RequestTraits(
      .modifySubscriptions([.create(subscription), .update(subscription), .delete("d"), malformed]))
    #expect(all.items.map(\.subscriptionID) == ["a", "a", "d", "m"])
    #expect(
      all.items.map(\.kind) == [.saveSubscriptions, .saveSubscriptions, .deleteSubscriptions, .saveSubscriptions])
    #expect(all.savesSubscriptions)
    #expect(!RequestTraits(.modifySubscriptions([.delete("d"), malformed])).savesSubscriptions)
  }
}
