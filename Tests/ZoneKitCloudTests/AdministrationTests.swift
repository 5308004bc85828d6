import ZoneKitRecords
import Testing
import ZoneKitCloud

@Suite struct `an administrator` {
  private let loud = Subscription(subscriptionID: "db", kind: .database, notificationInfo: .silent)

  /// The zones that the database's feed lists: `Notes`, and where it is gone `Notes` with the reason.
  private func listed(_ cloud: inout TestCloud, since token: ChangeToken?) -> (zones: [String], token: ChangeToken)? {
    guard case .databaseChanges(let changes) = cloud.ask(.fetchDatabaseChanges(since: token, limit: 10)) else {
      return nil
    }
    let zones = changes.zones.map { zone in
      switch zone {
      case .changed(let id, _): id.zoneName.text
      case .deleted(let id, let ending): "\(id.zoneName.text) \(ending.reason)"
      }
    }
    return (zones, changes.token)
  }

  private func code(_ cloud: inout TestCloud, since token: ChangeToken?) -> CloudErrorCode? {
    do {
      _ = try cloud.changes(since: token)
      return nil
    } catch { return error.code }
  }

  @Test func `purges a zone, which then is neither read nor written until somebody creates it again`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.ask(.modifySubscriptions([.create(loud)]))
    _ = cloud.modify([.create("a"), .create("b")])
    let old = try cloud.changes().token
    let before = try #require(listed(&cloud, since: nil))
    let effects = cloud.administer(.purgeZone(cloud.notes))
    #expect(effects.notices.map { $0.subscriptions.map(\.subscriptionID) } == [["db"]])
    #expect(listed(&cloud, since: before.token)?.zones == ["Notes purged"])
    #expect(code(&cloud, since: old) == .userDeletedZone)
    #expect(code(&cloud, since: nil) == .userDeletedZone)
    let write = CloudRequest.modifyRecords(
      ModifyRecords(zoneID: cloud.notes, operations: [.create("a")], isAtomic: false))
    guard case .failure(let refusal) = cloud.ask(write) else {
      Issue.record("written")
      return
    }
    #expect(refusal.code == .userDeletedZone)
    #expect(cloud.header?.deletion == .purged && cloud.header?.recordCount == 0)
    _ = cloud.ask(.modifyZones([.create(cloud.notes)]))
    #expect(code(&cloud, since: old) == .changeTokenExpired)
    #expect(try cloud.changes().names == [])
    #expect(cloud.perform(.create("a")).record?.changeTag == ChangeTag(sequence: 3))
  }

  @Test func `resets encrypted data: the zone is removed, the feed has the reason, and it can be created again`() throws
  {
    var cloud = TestCloud.withNotes()
    _ = cloud.ask(.modifySubscriptions([.create(loud)]))
    _ = cloud.modify([.create("a"), .create("b")])
    _ = cloud.modify([.delete("b")])
    let old = try cloud.changes().token
    let before = try #require(listed(&cloud, since: nil))
    let effects = cloud.administer(.resetEncryptedData(cloud.notes))
    #expect(effects.notices.map { $0.subscriptions.map(\.subscriptionID) } == [["db"]])
    #expect(listed(&cloud, since: before.token)?.zones == ["Notes encryptedDataReset"])
    #expect(listed(&cloud, since: nil)?.zones == ["Notes encryptedDataReset"])
    #expect(code(&cloud, since: old) == .zoneNotFound)
    #expect(code(&cloud, since: nil) == .zoneNotFound)
    _ = cloud.ask(.modifyZones([.create(cloud.notes)]))
    #expect(listed(&cloud, since: before.token)?.zones == ["Notes"])
    #expect(code(&cloud, since: old) == .changeTokenExpired)
    #expect(try cloud.changes().page.count == 0)
    #expect(cloud.perform(.create("a")).record?.changeTag == ChangeTag(sequence: 4))
  }

  @Test func `no feed lists a lost zone, not even for clients that have not seen its last change`()
    throws
  {
    var cloud = TestCloud.withNotes()
    let before = try #require(listed(&cloud, since: nil))
    _ = cloud.modify([.create("a")])
    #expect(cloud.administer(.loseZone(cloud.notes)).notices.isEmpty)
    #expect(listed(&cloud, since: before.token)?.zones == [])
    #expect(listed(&cloud, since: nil)?.zones == [])
    #expect(code(&cloud, since: nil) == .zoneNotFound)
  }

  @Test func `expires the tokens of a zone, and nothing else changes`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([.create("a")])
    let old = try cloud.changes().token
    let before = try #require(listed(&cloud, since: nil))
    #expect(cloud.administer(.expireZoneTokens(cloud.notes)).notices == [])
    #expect(code(&cloud, since: old) == .changeTokenExpired)
    #expect(listed(&cloud, since: before.token)?.zones == [])
    let renewed = try cloud.changes()
    #expect(renewed.names == ["a"])
    #expect(code(&cloud, since: renewed.token) == nil)
  }

  @Test func `expires the tokens of a database, and its zones keep theirs`() throws {
    var cloud = TestCloud.withNotes()
    let zone = try cloud.changes().token
    let old = try #require(listed(&cloud, since: nil)).token
    #expect(cloud.administer(.expireDatabaseTokens).answers == [.zones([])])
    guard case .failure(let error) = cloud.ask(.fetchDatabaseChanges(since: old, limit: 10)) else {
      Issue.record("not expired")
      return
    }
    #expect(error.code == .changeTokenExpired)
    #expect(listed(&cloud, since: nil)?.zones == ["Notes"])
    #expect(code(&cloud, since: zone) == nil)
  }

  @Test func `purges old tombstones, and the tokens that have not passed them expire`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([.create("a"), .create("b"), .create("c")])
    let early = try cloud.changes().token
    _ = cloud.modify([.delete("a")])
    let late = try cloud.changes().token
    cloud.now.milliseconds += 1000
    _ = cloud.modify([.delete("b")])
    let now = try cloud.changes().token
    #expect(cloud.administer(.purgeTombstones(cloud.notes, before: cloud.now)).notices == [])
    #expect(cloud.header?.tombstoneCount == 1 && cloud.header?.recordCount == 1)
    #expect(code(&cloud, since: early) == .changeTokenExpired)
    #expect(try cloud.changes(since: late).names == ["b"])
    #expect(try cloud.changes(since: now).names == [])
    #expect(try cloud.changes().names == ["c", "b"])
    cloud.now.milliseconds += 1
    _ = cloud.administer(.purgeTombstones(cloud.notes, before: cloud.now))
    #expect(code(&cloud, since: late) == .changeTokenExpired)
    #expect(code(&cloud, since: now) == nil)
    #expect(try cloud.changes().names == ["c"])
  }

  @Test func `purges tombstones under a fetch that began after an earlier purge, which goes on`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([.create("a"), .create("b"), .create("c")])
    _ = cloud.modify([.delete("c")])
    cloud.now.milliseconds += 1
    _ = cloud.administer(.purgeTombstones(cloud.notes, before: cloud.now))
    let first = try cloud.changes(limit: 1)
    #expect(first.names == ["a"] && first.moreComing)
    #expect(try cloud.changes(since: first.token).names == ["b"])
  }

  @Test func `finds no tombstone to purge, and leaves everything as it was`() throws {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([.create("a")])
    _ = cloud.modify([.delete("a")])
    let header = cloud.header
    #expect(cloud.administer(.purgeTombstones(cloud.notes, before: cloud.now)).facts == [])
    #expect(cloud.header == header)
  }

  @Test func `drops a subscription and mutes another`() {
    var cloud = TestCloud.withNotes()
    var other = loud
    other.subscriptionID = "other"
    _ = cloud.ask(.modifySubscriptions([.create(loud), .create(other)]))
    #expect(cloud.administer(.dropSubscription("db")).answers == [.subscriptions([.deleted("db")])])
    var mute = other
    mute.notificationInfo?.shouldSendContentAvailable = false
    #expect(cloud.administer(.muteSubscription("other")).answers == [.subscriptions([.subscription(mute)])])
    #expect(cloud.ask(.listSubscriptions) == .subscriptions([.subscription(mute)]))
  }

  @Test func `ends a push token, and reports that to the push service once it is durable`() throws {
    var cloud = TestCloud.withNotes()
    for token in ["b25l", "dHdv"] {
      _ = cloud.ask(.registerPushToken(PushRegistration(token: token, environment: .development, deviceID: "d9")))
    }
    let effects = cloud.administer(.endPushToken("b25l"))
    #expect(effects.answers == [.pushToken(environment: .development, token: "b25l")])
    #expect(effects.contains(.unregistered(token: "b25l")))
    #expect(try cloud.server.store.database(cloud.database).registrations.map(\.token) == ["dHdv"])
  }

  @Test func `gets an error for what does not exist`() {
    var cloud = TestCloud.withNotes()
    let none = ZoneID(zoneName: "None")
    let deeds: [Administration] = [
      .eraseRecords(none), .purgeZone(none), .resetEncryptedData(none), .loseZone(none), .expireZoneTokens(none),
      .purgeTombstones(none, before: cloud.now), .dropSubscription("none"), .muteSubscription("none"),
      .endPushToken("none"), .purgeZone(.defaultZone),
    ]
    let codes = deeds.map { deed -> CloudErrorCode? in
      guard case .failure(let error) = cloud.administer(deed).answers[0] else { return nil }
      return error.code
    }
    #expect(
      codes == [
        .zoneNotFound, .zoneNotFound, .zoneNotFound, .zoneNotFound, .zoneNotFound, .zoneNotFound, .unknownItem,
        .unknownItem, .unknownItem, .invalidArguments,
      ])
  }
}
