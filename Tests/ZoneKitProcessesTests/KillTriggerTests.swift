import Testing
import ZoneKitScenarios

@testable import ZoneKitProcesses

struct KillTriggerTests {
  @Test func `a device can be killed before it sends, and at no moment inside itself`() throws {
    let trigger = try #require(KillTrigger(.device("A"), at: .before(2, .effect("send"))))
    #expect(trigger.number == 2)
    #expect(trigger.isMet(by: .request, of: "A"))
    #expect(!trigger.isMet(by: .request, of: "B"))
    #expect(!trigger.isMet(by: .answer, of: "A"))
    let inside: [KillPoint] = [
      .before(1, .commit), .after(1, .commit), .after(1, .effect("send")), .before(1, .step),
    ]
    for point in inside {
      #expect(KillTrigger(.device("A"), at: point) == nil)
    }
  }

  @Test(
    arguments: [
      (.before(1, .commit), .change), (.after(1, .commit), .changed),
      (.before(1, .effect("answer")), .answer),
    ] as [(KillPoint, KillTrigger.Moment)])
  func `the cloud can be killed around its commits and before its answers, for a request of any device`(
    point: KillPoint, message: KillTrigger.Moment
  ) throws {
    let trigger = try #require(KillTrigger(.cloud, at: point))
    #expect(trigger.isMet(by: message, of: "A"))
    #expect(trigger.isMet(by: message, of: "B"))
    #expect(!trigger.isMet(by: .request, of: "A"))
  }

  @Test func `a moment that only the cloud's process knows is none`() {
    let inside: [KillPoint] = [
      .before(1, .effect("notify")), .before(1, .effect("turn")), .after(1, .effect("answer")),
    ]
    for point in inside {
      #expect(KillTrigger(.cloud, at: point) == nil)
    }
  }
}
