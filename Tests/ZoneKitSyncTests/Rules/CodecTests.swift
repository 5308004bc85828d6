import ZoneKitRecords
import Testing

@testable import ZoneKitSync

@Suite struct `states that a store keeps as text` {
  @Test(arguments: [
    (Quarantine.refused("too large"), "too large"), (.waiting("no parent"), "waits for another record: no parent"),
    (.refused(""), ""),
  ])
  func `say why a record is kept back`(quarantine: Quarantine, text: String) {
    #expect(quarantine.text == text)
    #expect(Quarantine(text: text) == quarantine)
  }

  @Test(arguments: [
    (FetchResult.ok, "ok"),
    (.failed(.serverResponseLost, reason: "no answer: 60 s"), "serverResponseLost: no answer: 60 s"),
  ])
  func `say how the last fetch ended`(result: FetchResult, text: String) {
    #expect(result.text == text)
    #expect(FetchResult(text: text) == result)
  }

  @Test func `are read as files of earlier programs have them`() {
    #expect(FetchResult(text: "networkFailure") == .failed(.networkFailure, reason: ""))
    #expect(FetchResult(text: "not a result") == nil)
    var memory = DeviceMemory()
    #expect(memory.subscriptionState == .unknown)
    memory.set(.subscriptionState, "active")
    #expect(memory.subscriptionState == .active)
    memory.subscriptionState = .failed
    #expect(memory.text(.subscriptionState) == "failed")
    memory.subscriptionOrigin = .replaced
    #expect(memory.text(.subscriptionOrigin) == "replaced")
    memory.set(.subscriptionState, "from a newer program")
    #expect(memory.subscriptionState == .unknown)
  }
}
