import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitRecords

/// Draws episodes by their own generator and adds them to a story afterwards, so that the rest of the story does not depend
/// on them.
struct EpisodeDraw {
  var chance: SplitMix64
  private let devices: [String]
  private let allowed: Set<SwarmDraw.Trouble>

  init(seed: UInt64, devices: [String], allowed: Set<SwarmDraw.Trouble>) {
    chance = SplitMix64(seed: seed &* 0x9e37_79b9 &+ 0xeb1)
    self.devices = devices
    self.allowed = allowed
  }

  /// Adds none to eight episodes to a story, at most four if only those of all apps fit.
  mutating func add(to steps: inout [ScenarioStep], app: DeviceApp) {
    let episodes = Episode.all.filter { $0.fits(app) && allowed.isSuperset(of: $0.needs) }
    for _ in 0..<number(app.hasZones ? 5 : 9) {
      guard let episode = Episode.drawn(from: episodes, by: { number($0) }) else { return }
      // The last episode of a story is not repaired by later steps.
      let place = number(2) == 0 ? steps.count : number(steps.count + 1)
      steps.insert(contentsOf: episode.steps(&self, app), at: place)
    }
  }

  mutating func family(_ app: DeviceApp) -> [ScenarioStep] {
    guard let lines = app.simulation.familyLines?(number(1_000)) else { return [] }
    let device = device()
    let refusal = CloudStep.items(
      of: .save, named: lines.id.recordName.text, .invalidArguments, .next(1 + number(2)))
    return [
      .cloud(refusal), write(lines.parent, on: device), write(lines.child, on: device), wait(500...8_000),
      write(lines.edit, on: device), wait(0...3_000),
    ]
  }

  mutating func absence(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps: [ScenarioStep] = ready(device) + ready(other) + lines(4, on: other, app)
    steps += [wait(4_000...9_000), .link(.offline(.named([device])))]
    for _ in 0..<3 { if let line = deletion(app) { steps.append(write(line, on: other)) } }
    steps.append(wait(4_000...9_000))
    for zone in app.zones {
      steps.append(.zone(.forgetDeletions(zone.zoneName.text, of: SwarmDraw.holder, before: Self.longAfter)))
    }
    return steps + [wait(0...4_000), .link(.online(.named([device]))), wait(0...6_000)]
  }

  mutating func fullDisk(_ app: DeviceApp) -> [ScenarioStep] {
    let device = device()
    let disk = CloudDisk.allCases[app.hasTables ? number(2) : 0]
    return ready(device) + [.cloud(.fullDisk(disk, true))] + lines(3, on: device, app)
      + [wait(500...5_000), .cloud(.fullDisk(disk, false))]
  }

  mutating func unreadableDisk(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps: [ScenarioStep] = ready(device) + ready(other) + lines(2, on: device, app) + [wait(0...9_000)]
    steps.append(.cloud(.unreadableDisk(true)))
    if number(2) == 0 { steps.append(.life(.killFor(.cloud, TimeSpan(milliseconds: Int64(number(4_000)))))) }
    steps += lines(2, on: device, app) + [wait(0...20_000), .cloud(.unreadableDisk(false)), wait(0...3_000)]
    return steps + lines(2, on: other, app) + [wait(0...9_000)]
  }

  mutating func failedZone(_ app: DeviceApp) -> [ScenarioStep] {
    let zone = app.zones[number(app.zones.count)].zoneName.text
    let code: CloudErrorCode = number(2) == 0 ? .zoneBusy : .internalError
    let fault = CloudStep.items(of: .zoneFetch, in: zone, code, .next(1 + number(devices.count)))
    let start = devices.flatMap(ready)
    return start + [wait(3_000...6_000), .cloud(fault)] + lines(4, on: device(), app) + [wait(1_000...6_000)]
  }

  mutating func refusedCheck() -> [ScenarioStep] {
    let device = device()
    let fault = CloudStep.answer(.next(1), .namedSubscriptionLookup, of: nil, .permissionFailure, retryAfter: nil)
    return ready(device) + [
      .cloud(fault), .life(.kill(.device(device))), wait(0...2_000), .life(.start(.device(device))),
      wait(1_000...4_000),
    ]
  }

  mutating func correction(_ app: DeviceApp) -> [ScenarioStep] {
    guard let lines = app.simulation.familyLines?(number(1_000)) else { return [] }
    let device = device()
    let refusal: CloudStep =
      number(2) == 0
      ? .answer(.next(1), .save, of: nil, .limitExceeded, retryAfter: nil)
      : .items(of: .save, named: lines.id.recordName.text, .invalidArguments, .next(1))
    return ready(device) + [
      wait(3_000...6_000), write(lines.parent, on: device), wait(2_000...4_000), .cloud(refusal),
      write(lines.edit, on: device), wait(0...60),
      write(number(2) == 0 ? lines.deletion : lines.parent, on: device), wait(0...6_000),
    ]
  }

  mutating func refusedToken(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let operation: CloudOperation = number(2) == 0 ? .tokenCreation : .tokenRegistration
    let refusal = CloudStep.answer(.next(1 + number(3)), operation, of: nil, .permissionFailure, retryAfter: nil)
    return ready(device) + ready(other) + lines(3, on: other, app) + [
      wait(0...4_000), .cloud(refusal), .reset(.local(device, keepingPending: true)), wait(0...4_000),
    ] + lines(3, on: other, app) + [wait(1_000...6_000)]
  }

  mutating func unconfirmed(_ app: DeviceApp) -> [ScenarioStep] {
    guard let lines = app.simulation.familyLines?(number(1_000)) else { return [] }
    let (device, other) = twoDevices()
    return ready(device) + ready(other) + [
      wait(4_000...6_000), .cloud(.loseAnswer(.next(1), .save, of: nil)), write(lines.parent, on: device),
      wait(300...700), .link(.offline(.named([device]))), wait(2_000...4_000), write(lines.edit, on: other),
      wait(1_000...2_000), write(lines.deletion, on: device), .link(.online(.named([device]))), wait(0...3_000),
    ]
  }

  // MARK: Parts

  /// Later than any time in a story.
  static let longAfter = WallTime(milliseconds: 1_900_000_000_000)

  mutating func number(_ bound: Int) -> Int { Int(chance.next() % UInt64(max(1, bound))) }

  mutating func wait(_ range: ClosedRange<Int64>) -> ScenarioStep {
    .wait(TimeSpan(milliseconds: Int64.random(in: range, using: &chance)))
  }

  mutating func device() -> String { devices[number(devices.count)] }

  /// A device, and the next one.
  mutating func twoDevices() -> (String, String) {
    let first = number(devices.count)
    return (devices[first], devices[(first + 1) % devices.count])
  }

  func write(_ line: String, on device: String) -> ScenarioStep { .app(.perform(.named([device]), line)) }

  /// Steps that end everything that keeps a device from the cloud, so that the episode can happen.
  func ready(_ device: String) -> [ScenarioStep] {
    let one = DeviceChoice.named([device])
    return [
      .cloud(.behave), .disk(.hasRoom(device)), .link(.set(one, Link())), .life(.start(.device(device))),
      .link(.online(one)),
    ]
  }

  mutating func lines(_ count: Int, on device: String, _ app: DeviceApp) -> [ScenarioStep] {
    (0..<count).compactMap { _ in app.simulation.randomLine?({ chance.next() }) }.map { write($0, on: device) }
  }

  /// A command of the app that deletes something, if a few attempts draw one.
  mutating func deletion(_ app: DeviceApp) -> String? {
    for _ in 0..<60 {
      if let line = app.simulation.randomLine?({ chance.next() }), line.hasPrefix("delete") { return line }
    }
    return nil
  }
}
