import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios

/// Adds devices with other apps to a story. They use the same cloud: its process, its disk, its turns and its push
/// service.
///
/// They are drawn by their own generator, so that the devices of the story's own app do the same with and without them.
struct MixtureDraw {
  private var chance: SplitMix64

  init(seed: UInt64) { chance = SplitMix64(seed: seed &* 1_031 &+ 0x3_1c5e) }

  private mutating func number(_ bound: Int) -> Int { Int(chance.next() % UInt64(max(1, bound))) }

  /// Adds two devices with each of some of those apps, at least one, and what they do.
  mutating func add(_ apps: [DeviceApp], to story: inout Story) {
    guard !apps.isEmpty else { return }
    let first = number(apps.count)
    let count = 1 + number(apps.count)
    for app in (0..<count).map({ apps[(first + $0) % apps.count] }) { add(app, to: &story) }
  }

  private mutating func add(_ app: DeviceApp, to story: inout Story) {
    story.others.append(app)
    var names: [String] = []
    for _ in 0..<2 {
      let name = SwarmDraw.name(of: story.draft.devices.count)
      names.append(name)
      story.draft.devices.append(ScenarioDevice(name, app: app.name, account: "user-of-\(app.name)"))
    }
    var steps = story.steps
    for _ in 0..<(10 + number(40)) {
      let place = number(steps.count + 1)
      steps.insert(contentsOf: next(app, on: names[number(names.count)]), at: place)
    }
    story.steps = steps
  }

  /// An edit, or rarely something that happens to the device.
  private mutating func next(_ app: DeviceApp, on name: String) -> [ScenarioStep] {
    let one = DeviceChoice.named([name])
    let pause = ScenarioStep.wait(TimeSpan(milliseconds: Int64(number(5_000))))
    switch number(16) {
    case 0: return [.life(.kill(.device(name))), pause, .life(.start(.device(name)))]
    case 1: return [.link(.offline(one)), pause, .link(.online(one))]
    case 2: return [.life(.background(one)), pause, .life(.foreground(one))]
    case 3: return [.app(.sync(one))]
    default:
      guard let line = app.simulation.randomLine?({ chance.next() }) else { return [] }
      return [.app(.perform(one, line))]
    }
  }
}
