import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSync
import Testing

private func conflict(_ local: BabyAction?, _ server: BabyAction?, from ancestor: BabyAction? = nil) -> Conflict {
  Conflict(
    recordID: actionID(1), recordType: BabyAction.recordType, local: local.map { RecordContent($0) },
    server: server.map { RecordContent($0) }, ancestor: ancestor.map { RecordContent($0) })
}

private func action(left by: Resolution, of conflict: Conflict) throws -> BabyAction? {
  try conflict.content(by).map { try BabyAction(id: actionID(1), fields: $0.fields.decoded()) }
}

struct NannyMergePolicyTests {
  @Test func `edits of different fields both survive, under the newer stamp`() throws {
    let old = BabyAction.bottle(at: 0, volume: 100, stamp: 1)
    var placed = old
    placed.placename = "garden"
    placed.updatedAt = .minute(2)
    let drunk = BabyAction.bottle(at: 0, volume: 150, stamp: 3)
    var both = drunk
    both.placename = "garden"
    let met = conflict(placed, drunk, from: old)
    let resolution = NannyMergePolicy.resolve(met)
    #expect(resolution == Resolution(.merged(RecordContent(both)), rule: "merged"))
    #expect(NannyMergePolicy.resolve(met.swapped) == resolution)
  }

  @Test func `of two edits of one field the newer survives`() {
    let old = BabyAction.bottle(at: 0, volume: 100, stamp: 1)
    let met = conflict(.bottle(at: 0, volume: 120, stamp: 5), .bottle(at: 0, volume: 150, stamp: 3), from: old)
    #expect(NannyMergePolicy.resolve(met) == Resolution(.keepLocal, rule: "updatedAt"))
    #expect(NannyMergePolicy.resolve(met.swapped) == Resolution(.adoptServer, rule: "updatedAt"))
  }

  @Test func `a field taken away on one side stays away`() throws {
    var old = BabyAction.sleep(from: 0, to: 9, stamp: 1)
    old.placename = "garden"
    let cleared = BabyAction.sleep(from: 0, to: 9, stamp: 2)
    var moved = old
    moved.endDate = .minute(12)
    moved.updatedAt = .minute(3)
    let met = conflict(cleared, moved, from: old)
    let left = try action(left: NannyMergePolicy.resolve(met), of: met)
    #expect(left == .sleep(from: 0, to: 12, stamp: 3))
  }

  @Test func `a merge that breaks the rules of the app is put right`() throws {
    let old = BabyAction.bottle(at: 0, volume: 100, stamp: 1)
    var meal = old
    meal.feedingType = .meal
    meal.updatedAt = .minute(2)
    let met = conflict(ActionRules.normalised(meal), .bottle(at: 0, volume: 150, stamp: 3), from: old)
    let left = try #require(try action(left: NannyMergePolicy.resolve(met), of: met))
    #expect(left.feedingType == .meal)
    #expect(left.bottleVolume == nil)
  }

  @Test func `without an ancestor the newer version is taken whole`() {
    let met = conflict(.bottle(at: 0, volume: 120, stamp: 2), .bottle(at: 0, volume: nil, stamp: 3))
    #expect(NannyMergePolicy.resolve(met) == Resolution(.adoptServer, rule: "updatedAt"))
    #expect(NannyMergePolicy.resolve(met.swapped) == Resolution(.keepLocal, rule: "updatedAt"))
  }

  @Test func `on equal stamps the ended action wins on both devices`() {
    let met = conflict(.sleep(from: 0), .sleep(from: 0, to: 5))
    #expect(NannyMergePolicy.resolve(met) == Resolution(.adoptServer, rule: "endDate"))
    #expect(NannyMergePolicy.resolve(met.swapped) == Resolution(.keepLocal, rule: "endDate"))
  }

  @Test func `a deletion beats an edit, however new`() {
    let met = conflict(nil, .sleep(from: 0, to: 5, stamp: 99), from: .sleep(from: 0))
    #expect(NannyMergePolicy.resolve(met) == Resolution(.keepLocal, rule: "delete"))
    #expect(NannyMergePolicy.resolve(met.swapped) == Resolution(.adoptServer, rule: "delete"))
  }

  @Test func `with the switch an edit newer than what was deleted beats the deletion`() {
    let policy = NannyMergePolicy.policy(deletion: .losesToNewerStamp)
    let newer = conflict(nil, .sleep(from: 0, to: 5, stamp: 2), from: .sleep(from: 0, stamp: 1))
    #expect(policy.resolve(newer) == Resolution(.adoptServer, rule: "edit"))
    #expect(policy.resolve(newer.swapped) == Resolution(.keepLocal, rule: "edit"))
    let same = conflict(nil, .sleep(from: 0, to: 5, stamp: 1), from: .sleep(from: 0, stamp: 1))
    #expect(policy.resolve(same) == Resolution(.keepLocal, rule: "delete"))
    let unknown = conflict(nil, .sleep(from: 0, to: 5, stamp: 2))
    #expect(policy.resolve(unknown) == Resolution(.keepLocal, rule: "delete"))
  }

  @Test func `two edits of a profile's different fields both survive`() throws {
    var old = Profile(id: recordID(profileName), name: "Baby", updatedAt: .minute(0))
    old.birthDate = .minute(-5)
    var named = old
    named.name = "Mia"
    named.updatedAt = .minute(1)
    var born = old
    born.birthDate = .minute(-9)
    born.updatedAt = .minute(2)
    let met = Conflict(
      recordID: old.id, recordType: Profile.recordType, local: RecordContent(named), server: RecordContent(born),
      ancestor: RecordContent(old))
    var both = born
    both.name = "Mia"
    #expect(NannyMergePolicy.resolve(met) == Resolution(.merged(RecordContent(both)), rule: "merged"))
  }

  @Test(arguments: 1...400 as ClosedRange<UInt64>)
  func `both devices leave the same content by the same rule`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let ancestor = Bool.random(using: &generator) ? BabyAction.random(1, using: &generator) : nil
    let met = conflict(.random(1, using: &generator), .random(1, using: &generator), from: ancestor)
    let here = NannyMergePolicy.resolve(met)
    let there = NannyMergePolicy.resolve(met.swapped)
    #expect(met.content(here) == met.swapped.content(there))
    #expect(here.rule == there.rule)
    let left = try #require(try action(left: here, of: met))
    #expect(ActionRules.normalised(left) == left)
  }

  @Test(arguments: [BabyAction.recordType, Profile.recordType, "Unknown"])
  func `any content is decided, damaged content too`(type: Name) {
    let damaged = RecordContent(fields: EncodedFields(canonical: Array("{\"a".utf8)), parent: "x")
    let sound = RecordContent(.sleep(from: 0))
    let met = Conflict(recordID: actionID(1), recordType: type, local: damaged, server: sound, ancestor: damaged)
    #expect(NannyMergePolicy.resolve(met).outcome == .adoptServer)
    #expect(NannyMergePolicy.resolve(met.swapped).outcome == .keepLocal)
  }
}
