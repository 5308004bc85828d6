import Testing
import ZoneKitCloud
import ZoneKitRecords

/// The answers to clients that know an earlier zone of the same name.
@Suite struct `a zone that was created again` {
  /// The error for a token of an earlier zone.
  private func refusal(_ cloud: inout TestCloud, of token: ChangeToken) -> CloudError? {
    do {
      _ = try cloud.changes(since: token)
      return nil
    } catch { return error }
  }

  private func filled() throws -> (cloud: TestCloud, token: ChangeToken) {
    var cloud = TestCloud.withNotes()
    _ = cloud.modify([.create("a"), .create("b")])
    return (cloud, try cloud.changes().token)
  }

  private func createAgain(_ cloud: inout TestCloud) throws -> ChangeToken {
    cloud.now = cloud.now.advanced(byMilliseconds: 1_000)
    _ = cloud.ask(.modifyZones([.create(cloud.notes)]))
    return try cloud.changes().token
  }

  @Test(arguments: [true, false]) func `says that it was deleted on purpose, and when`(isPurge: Bool) throws {
    let (start, token) = try filled()
    var cloud = start
    let end = cloud.now
    if isPurge {
      _ = cloud.administer(.purgeZone(cloud.notes))
    } else {
      _ = cloud.ask(.modifyZones([.delete(cloud.notes)]))
    }
    _ = try createAgain(&cloud)
    let error = try #require(refusal(&cloud, of: token))
    #expect(error.code == .changeTokenExpired && !error.isAfterLoss)
    #expect(error.ending == ZoneEnding(isPurge ? .purged : .deleted, at: end))
  }

  @Test func `says with the refusal of a purged zone when it was purged`() throws {
    let (start, token) = try filled()
    var cloud = start
    _ = cloud.administer(.purgeZone(cloud.notes))
    #expect(refusal(&cloud, of: token)?.ending == ZoneEnding(.purged, at: cloud.now))
  }

  @Test(arguments: [true, false]) func `says that it was lost, or that its keys were`(isLoss: Bool) throws {
    let (start, token) = try filled()
    var cloud = start
    _ = cloud.administer(isLoss ? .loseZone(cloud.notes) : .resetEncryptedData(cloud.notes))
    _ = try createAgain(&cloud)
    let error = try #require(refusal(&cloud, of: token))
    #expect(error.code == .changeTokenExpired && error.isAfterLoss && error.ending == nil)
    #expect(cloud.perform(RecordOperation(.delete, recordName: "a")).error?.isAfterLoss == true)
  }

  @Test func `tells the loss of one zone from the deletion of an earlier or a later one`() throws {
    let (start, first) = try filled()
    var cloud = start
    let deletedAt = cloud.now
    _ = cloud.ask(.modifyZones([.delete(cloud.notes)]))
    let second = try createAgain(&cloud)
    _ = cloud.administer(.loseZone(cloud.notes))
    let third = try createAgain(&cloud)
    #expect(refusal(&cloud, of: first)?.ending == ZoneEnding(.deleted, at: deletedAt))
    #expect(refusal(&cloud, of: first)?.isAfterLoss == false)
    #expect(refusal(&cloud, of: second)?.isAfterLoss == true)
    let purgedAt = cloud.now
    _ = cloud.administer(.purgeZone(cloud.notes))
    _ = try createAgain(&cloud)
    for token in [first, second, third] {
      #expect(refusal(&cloud, of: token)?.ending == ZoneEnding(.purged, at: purgedAt))
    }
  }

  @Test func `takes a zone that it never had for lost with everything that the cloud knew`() throws {
    let token = try filled().token
    var other = TestCloud.withNotes(seed: 2)
    #expect(refusal(&other, of: token)?.isAfterLoss == true)
    let edit = RecordOperation(.replace, recordName: "a", recordType: "Note", changeTag: ChangeTag("7"))
    #expect(other.perform(edit).error?.isAfterLoss == true)
    let unseen = RecordOperation(.update, recordName: "a", recordType: "Note")
    #expect(other.perform(unseen).error?.isAfterLoss == false)
  }

  @Test func `loses nothing with its tokens`() throws {
    let (start, token) = try filled()
    var cloud = start
    _ = cloud.administer(.expireZoneTokens(cloud.notes))
    let error = try #require(refusal(&cloud, of: token))
    #expect(!error.isAfterLoss && error.ending == nil)
  }

  @Test func `after a loss shows deletions also to a fetch without a token`() throws {
    var cloud = try filled().cloud
    cloud.server.limits.firstFetchTombstones = .none
    _ = cloud.perform(.delete("a"))
    #expect(try cloud.changes().names == ["b"])
    _ = cloud.administer(.loseZone(cloud.notes))
    _ = try createAgain(&cloud)
    _ = cloud.modify([.create("c"), .create("d")])
    _ = cloud.perform(.delete("d"))
    #expect(try cloud.changes().names == ["c", "d"], "d as a deletion")
  }
  @Test(arguments: [Limits.FirstFetchTombstones.all, .none])
  func `after a loss shows a commit that is not visible yet to every page of a fetch without a token`(
    shown: Limits.FirstFetchTombstones
  ) throws {
    var cloud = try filled().cloud
    cloud.server.limits.firstFetchTombstones = shown
    _ = cloud.administer(.loseZone(cloud.notes))
    _ = try createAgain(&cloud)
    _ = cloud.modify([.create("c"), .create("d")])
    cloud.now = cloud.now.advanced(byMilliseconds: 1_000)
    cloud.server.limits.visibleDelay = 1_000
    _ = cloud.perform(.delete("d"))
    let first = try cloud.changes(limit: 1)
    #expect(first.names == ["c"] && first.moreComing)
    #expect(try cloud.changes(since: first.token).names == ["d"])
  }
}
