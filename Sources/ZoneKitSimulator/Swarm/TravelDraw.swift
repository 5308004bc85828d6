import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios

/// Puts the devices of half of the stories into time zones, lets them travel, and adds commands whose result depends on the
/// zone.
///
/// They are drawn by their own generator, and from zones that need no files, so that a story is the same on every machine.
struct TravelDraw {
  private var chance: SplitMix64

  init(seed: UInt64) { chance = SplitMix64(seed: seed &* 1_049 &+ 0x7e1e) }

  private mutating func oneOf<Element>(_ elements: [Element]) -> Element {
    elements[Int(chance.next() % UInt64(elements.count))]
  }

  /// Adds the steps to a story whose devices all have its app.
  mutating func add(to story: inout Story) {
    let names = story.draft.devices.map(\.name)
    guard chance.next() % 2 == 0 else { return }
    for name in names { story.steps.insert(arrival(of: name), at: 0) }
    for _ in 0...chance.next() % 6 {
      story.steps.insert(arrival(of: oneOf(names)), at: Int(chance.next() % UInt64(story.steps.count + 1)))
    }
    let lines = story.app.simulation.linesOfDays
    guard !lines.isEmpty else { return }
    for _ in 0...chance.next() % 6 {
      let step = ScenarioStep.app(.perform(.named([oneOf(names)]), oneOf(lines)))
      story.steps.insert(step, at: Int(chance.next() % UInt64(story.steps.count + 1)))
    }
  }

  private mutating func arrival(of name: String) -> ScenarioStep {
    .clock(.zone(name, oneOf(TimeZoneRules.known).name))
  }
}
