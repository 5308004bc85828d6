import ZoneKitNannyAndMe
import ZoneKitRecords
import Testing

struct ActionRulesTests {
  @Test func `an end before the start becomes the start`() {
    #expect(ActionRules.normalised(.sleep(from: 10, to: 5)) == .sleep(from: 10, to: 10))
  }

  @Test func `a running sleep stays running`() {
    #expect(ActionRules.normalised(.sleep(from: 10)) == .sleep(from: 10))
  }

  @Test(arguments: [nil, 5, 90] as [Int64?])
  func `a diaper change ends as it starts`(end: Int64?) {
    var diaper = BabyAction.sleep(from: 10, to: end)
    diaper.category = .diaper
    #expect(ActionRules.normalised(diaper).endDate == .minute(10))
  }

  @Test func `only a bottle has a type and a volume`() {
    var action = BabyAction.bottle(at: 0, volume: 120)
    #expect(ActionRules.normalised(action) == action)
    action.feedingType = .meal
    let meal = ActionRules.normalised(action)
    #expect(meal.bottleType == nil)
    #expect(meal.bottleVolume == nil)
  }

  @Test func `a sleep has neither the type of a diaper nor that of a feeding`() throws {
    var fields = BabyAction.sleep(from: 0).fields
    fields["diaperType"] = .string("green")
    fields["feedingType"] = .string("bottle")
    let action = ActionRules.normalised(try BabyAction(id: actionID(1), fields: fields))
    #expect(action == .sleep(from: 0))
  }

  @Test func `a feeding type of a newer version may have a volume`() throws {
    var fields = BabyAction.bottle(at: 0, volume: 120).fields
    fields["feedingType"] = .string("cup")
    let action = ActionRules.normalised(try BabyAction(id: actionID(1), fields: fields))
    #expect(action.fields == fields)
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `the rules applied twice change nothing more, and leave the stamp alone`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let action = BabyAction.random(1, using: &generator)
    let once = ActionRules.normalised(action)
    #expect(ActionRules.normalised(once) == once)
    #expect(once.updatedAt == action.updatedAt)
  }
}
