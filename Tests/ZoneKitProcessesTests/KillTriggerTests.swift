import Testing
import ZoneKitScenarios

@testable import ZoneKitProcesses

struct KillTriggerTests {
  @Test func `a device can be killed before it sends, and at no moment inside itself`() throws {
    let trigger = try #require(KillTrigger(.device("A"), at: .before(2, "send")))
    #expect(trigger.number == 2)
    #expect(trigger.isMet(by: .request, of: "A"))
    #expect(!trigger.isMet(by: .request, of: "B"))
    #expect(!trigger.isMet(by: .answer, of: "A"))
    for moment in [.before(1, "commit"), .after(1, "commit"), .after(1, "send"), .before(1, "step")] as [CrashMoment] {
      #expect(KillTrigger(.device("A"), at: moment) == nil)
    }
  }

  @Test(
    arguments: [
      (.before(1, "commit"), .change), (.after(1, "commit"), .changed), (.before(1, "answer"), .answer),
    ] as [(CrashMoment, KillTrigger.Moment)])
  func `the cloud can be killed around its commits and before its answers, for a request of any device`(
    moment: CrashMoment, message: KillTrigger.Moment
  ) throws {
    let trigger = try #require(KillTrigger(.cloud, at: moment))
    #expect(trigger.isMet(by: message, of: "A"))
    #expect(trigger.isMet(by: message, of: "B"))
    #expect(!trigger.isMet(by: .request, of: "A"))
  }

  @Test func `a moment that only the cloud's process knows is none`() {
    for moment in [.before(1, "notify"), .before(1, "turn"), .after(1, "answer")] as [CrashMoment] {
      #expect(KillTrigger(.cloud, at: moment) == nil)
    }
  }
}
