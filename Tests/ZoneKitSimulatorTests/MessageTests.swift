import Testing
import ZoneKitSimulator

@Suite struct `requests and answers as messages` {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `of CloudKit make the same story as values`(seed: UInt64) throws {
    var swarm = Swarm(apps: [ItemsApp.app])
    swarm.minutes = 2
    let story = swarm.story(seed: seed)
    let (values, messages) = (try story.play(), try story.play(carryingMessages: true))
    #expect(values.end == .held)
    #expect(messages.end == .held)
    #expect(values.digest == messages.digest)
  }
}
