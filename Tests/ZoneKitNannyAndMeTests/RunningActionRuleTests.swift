import ZoneKitNannyAndMe
import ZoneKitRecords
import Testing

private func ended(_ actions: [BabyAction]) -> [BabyAction] {
  RunningActionRule.repairs(of: actions).map(\.ended)
}

struct RunningActionRuleTests {
  @Test func `the earlier of two running sleeps ends where the other starts, with its own stamp`() {
    let early = BabyAction.sleep(1, from: 0, stamp: 3)
    let late = BabyAction.sleep(2, from: 20, stamp: 1)
    let repair = RunningActionRule.Repair(ended: .sleep(1, from: 0, to: 20, stamp: 3), successor: late.id)
    #expect(RunningActionRule.repairs(of: [early, late]) == [repair])
    #expect(RunningActionRule.repairs(of: [late, early]) == [repair])
  }

  @Test func `of equal starts the smaller ID counts as the earlier`() {
    #expect(ended([.sleep(2, from: 5), .sleep(1, from: 5)]) == [.sleep(1, from: 5, to: 5)])
  }

  @Test func `of three each ends where the next one starts`() {
    let three: [BabyAction] = [.sleep(3, from: 9), .sleep(1, from: 0), .sleep(2, from: 4)]
    #expect(ended(three) == [.sleep(1, from: 0, to: 4), .sleep(2, from: 4, to: 9)])
  }

  @Test func `other categories, other profiles and ended actions are left alone`() {
    var feeding = BabyAction.bottle(2, at: 1, volume: nil)
    feeding.endDate = nil
    var sibling = BabyAction.sleep(3, from: 2)
    sibling.profile?.recordName = "another"
    #expect(ended([.sleep(1, from: 0), feeding, sibling, .sleep(4, from: 3, to: 9)]).isEmpty)
  }

  @Test func `an action that the rule ended beats the same action running, and loses to a person's edit of it`() {
    let running = BabyAction.sleep(1, from: 0, stamp: 3)
    let repaired = ended([running, .sleep(2, from: 20, stamp: 9)])[0]
    var stopped = BabyAction.sleep(1, from: 0, to: 10, stamp: 3)
    stopped.updatedAt = stopped.updatedAt.advanced(byMilliseconds: 1)
    #expect(beats(repaired, running))
    #expect(beats(stopped, repaired))
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `the repairs do not depend on the order of the actions and leave one running of each kind`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let actions = (0..<12).map { ActionRules.normalised(.random($0, using: &generator)) }
    let repairs = RunningActionRule.repairs(of: actions)
    #expect(RunningActionRule.repairs(of: actions.shuffled(using: &generator)) == repairs)
    let settled = actions.map { action in repairs.first { $0.ended.id == action.id }?.ended ?? action }
    #expect(RunningActionRule.repairs(of: settled).isEmpty)
    for category in Category.allCases {
      let before = actions.filter { $0.isRunning && $0.category == category }.count
      #expect(settled.filter { $0.isRunning && $0.category == category }.count == min(1, before))
    }
  }
}
