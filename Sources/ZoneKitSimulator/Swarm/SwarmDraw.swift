import ZoneKitScenarios
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// The random decisions of one seed.
package struct SwarmDraw {
  /// A kind of fault. A story has much of it, some, or none.
  package enum Trouble: String, CaseIterable, Hashable, Sendable {
    case kill
    case crashPoint
    case powerCut
    case forceQuit
    case background
    case offline
    case link
    case push
    case account
    case clock
    case reset
    case disk
    case twin
    case cloudCrash
    case serverError
    case serverOddity
    case zone
    case tokens
    case subscription
    case quota
    case visibility
    case tombstones
    case leak
    case keysReset
    case zoneLoss
    case damage

    /// The kinds that can happen to devices of a service of tables. It has no zones, subscriptions and quotas of an
    /// account, and shows each commit at once.
    static let ofTables: Set<Trouble> = [
      .kill, .crashPoint, .powerCut, .forceQuit, .background, .offline, .link, .push, .account, .clock, .reset, .disk,
      .twin, .cloudCrash, .serverError,
    ]
  }

  private var chance: SplitMix64
  /// The names of the devices of the story's own app.
  private(set) var devices: [String] = []
  private(set) var allowed: Set<Trouble>
  private(set) var accounts = [Self.holderName]
  /// What can occur in the story, and how many of 10,000 steps are of that kind.
  private var occurrences: [(occurrence: Occurrence, weight: Int)] = []

  init(seed: UInt64, allowed: Set<Trouble>) {
    chance = SplitMix64(seed: seed &* 977 &+ 0x5eed)
    self.allowed = allowed
  }

  mutating func draw() -> UInt64 { chance.next() }

  /// Draws the devices of the story and what can occur in it.
  mutating func begin(_ app: DeviceApp, devices count: Int) -> [ScenarioDevice] {
    if app.hasTables { allowed.formIntersection(Trouble.ofTables) }
    if allowed.contains(.account), number(app.hasTables ? 3 : 8) == 0 { accounts.append(Self.strangerName) }
    devices = (0..<max(1, count)).map(Self.name)
    // Most kinds are left out of most stories: one story with all kinds finds less than several with a few kinds each.
    occurrences = Occurrence.all.filter { $0.fits(app) && allowed.isSuperset(of: $0.needs) }.compactMap { occurrence in
      number(10) < 6 ? nil : (occurrence, occurrence.weight * oneOf([1, 3, 8]))
    }
    // Each account has its devices; the first one has more of them.
    return devices.enumerated().map { index, name in
      ScenarioDevice(name, account: index == 0 ? Self.holderName : oneOf(accounts + [Self.holderName]))
    }
  }

  /// Draws devices with each of some of those apps, at least one. Their numbers begin at `first`.
  mutating func guests(among apps: [DeviceApp], after first: Int) -> [Guest] {
    guard !apps.isEmpty else { return [] }
    let start = number(apps.count)
    return (0...number(apps.count)).map { index in
      Guest(apps[(start + index) % apps.count], from: first + 2 * index)
    }
  }

  /// The owner of the zones and subscriptions that are affected if no other account is drawn.
  static let holder = Holder.account(holderName)
  /// Its name.
  static let holderName = "nanny"
  /// The name of the other account.
  static let strangerName = "granny"

  // MARK: The steps

  /// The steps of a story that takes that time, and more where something that occurs takes its own time. `guests` are
  /// devices with other apps on the same cloud.
  mutating func steps(lasting milliseconds: Int64, app: DeviceApp, beside guests: [Guest]) -> [ScenarioStep] {
    var steps: [ScenarioStep] = []
    if allowed.contains(.clock), isHead() { steps += devices.map { arrival(of: $0) } }
    if allowed.contains(.link) { steps += devices.filter { _ in isHead() }.map { .link(.set(.named([$0]), link())) } }
    var left = milliseconds
    while left > 0 {
      let gap = min(left, time(0...oneOf([0, 60, 400, 4_000, 40_000])))
      left -= max(gap, 1)
      if gap > 0 { steps.append(.wait(TimeSpan(milliseconds: gap))) }
      steps += !guests.isEmpty && number(4) == 0 ? next(oneOf(guests)) : next(app)
    }
    // What occurs last is not repaired by later steps.
    for _ in 0..<number(3) { steps += occurrence(among: occurrences.filter(\.occurrence.isEpisode), app) ?? [] }
    return steps
  }

  private mutating func next(_ app: DeviceApp) -> [ScenarioStep] {
    let total = occurrences.reduce(0) { $0 + $1.weight }
    // Users edit in one step of five at least.
    guard number(max(10_000, total * 5 / 4)) < total else { return edit(app) }
    return occurrence(among: occurrences, app) ?? edit(app)
  }

  /// The steps of one of those, by weight; nil if there are none.
  private mutating func occurrence(
    among choice: [(occurrence: Occurrence, weight: Int)], _ app: DeviceApp
  ) -> [ScenarioStep]? {
    var left = number(choice.reduce(0) { $0 + $1.weight })
    let drawn = choice.first { entry in
      left -= entry.weight
      return left < 0
    }
    return drawn?.occurrence.steps(&self, app)
  }

  private mutating func edit(_ app: DeviceApp) -> [ScenarioStep] {
    guard let line = line(app) else { return [] }
    let first = write(line, on: device())
    // Occasionally two users edit one record at the same time.
    guard number(6) == 0 else { return [first] }
    let other = self.line(app) ?? line
    return [first, write(isHead() ? line : other, on: device())]
  }

  /// An edit on a device with another app, or rarely something that happens to it.
  private mutating func next(_ guest: Guest) -> [ScenarioStep] {
    let name = oneOf(guest.devices)
    let one = DeviceChoice.named([name])
    let pause = wait(0...5_000)
    switch number(16) {
    case 0: return [.life(.kill(.device(name))), pause, .life(.start(.device(name)))]
    case 1: return [.link(.offline(one)), pause, .link(.online(one))]
    case 2: return [.life(.background(one)), pause, .life(.foreground(one))]
    case 3: return [.app(.sync(one))]
    default: return lines(1, on: name, guest.app)
    }
  }
}
